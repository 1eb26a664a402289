-- Some journals are checked by asking the analysts again, so a lie may show after earlier ones were accepted: a liar's accepted runs
-- are rejected too, and batches that are still watched queue their targets again. Who checks names secrets by the fleet's key.

CREATE OR REPLACE FUNCTION counterproof.reject(for_run text, at_row bigint, reason text)
RETURNS name LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    liar name;
    ended text;
BEGIN
    SELECT coalesce((SELECT e.login FROM counterproof.entries AS e WHERE e.run = for_run AND e.seq = at_row), r.login) INTO liar
        FROM counterproof.runs AS r WHERE r.run = for_run AND r.state = 'unverified' FOR UPDATE;
    IF liar IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO counterproof.quarantine (login, run, why) VALUES (liar, for_run, left(reason, 500)) ON CONFLICT DO NOTHING;
    FOR ended IN UPDATE counterproof.runs SET state = 'rejected', epoch = counterproof.next_epoch(epoch), worker = '',
        ended_at = clock_timestamp(), lease_until = '-infinity',
        note = CASE WHEN run = for_run THEN left(reason, 500) ELSE format('%s had a hand in it', liar) END
        WHERE run = for_run OR (liar = ANY (holders) AND state IN ('waiting', 'running', 'paused', 'unverified', 'done'))
        RETURNING run
    LOOP
        PERFORM counterproof.close_holds(ended);
    END LOOP;
    RETURN liar;
END $$;

GRANT SELECT ON counterproof.fleet_key TO counterproof_operator;
