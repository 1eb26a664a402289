-- Nobody takes a worker's word: what a run is about is fixed when it is queued, a worker has rights on its own lease alone, and what
-- it hands in counts when an operator has checked the journal behind it.
--
-- A run that is handed in is `unverified` until then. A `rejected` one is in no queue any more; its target is queued again as another
-- run. A login that wrote what was rejected is in `quarantine`: it gets nothing more to do, whatever the worker calls itself.

ALTER TABLE counterproof.runs DROP CONSTRAINT runs_state_check;
ALTER TABLE counterproof.runs
    ADD CONSTRAINT runs_state_check CHECK (state IN
        ('apart', 'waiting', 'running', 'paused', 'unverified', 'unchanged', 'done', 'failed', 'cancelled', 'rejected')),
    ADD COLUMN login       name NOT NULL DEFAULT '',
    ADD COLUMN holders     name[] NOT NULL DEFAULT '{}',
    ADD COLUMN handed      bigint NOT NULL DEFAULT 0,
    ADD COLUMN code        integer NOT NULL DEFAULT 0,
    ADD COLUMN seen_seq    bigint NOT NULL DEFAULT 0,
    ADD COLUMN moved_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD COLUMN used_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN used_micros bigint NOT NULL DEFAULT 0;
ALTER TABLE counterproof.entries ADD COLUMN login name NOT NULL DEFAULT session_user;

CREATE TABLE counterproof.quarantine (
    login name PRIMARY KEY,
    run   text NOT NULL,
    why   text NOT NULL,
    at    timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Keys came from workers until now, and what waits has none: the same `batch` queues it again.
UPDATE counterproof.runs SET job_key = '';
UPDATE counterproof.runs SET state = 'rejected', epoch = epoch + 1, ended_at = clock_timestamp(),
    note = 'queued by an earlier version' WHERE state IN ('waiting', 'running', 'paused');
DROP INDEX counterproof.runs_of_batch;
CREATE UNIQUE INDEX runs_of_batch ON counterproof.runs (batch, position) WHERE state NOT IN ('apart', 'rejected');

-- An epoch that nobody guesses: a count of leases, and forty bits of chance. Who knows it holds the lease.
CREATE FUNCTION counterproof.next_epoch(before bigint) RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
    SELECT (((before >> 40) + 1) << 40) | ('x' || right(gen_random_uuid()::text, 10))::bit(40)::bigint
$$;

DROP FUNCTION counterproof.take_lease, counterproof.renew_lease, counterproof.release_lease, counterproof.name_run,
    counterproof.known, counterproof.enqueue, counterproof.take_next, counterproof.hand_in;
REVOKE ALL ON counterproof.runs, counterproof.purses FROM counterproof_worker;
REVOKE SELECT (run, state, epoch, head_seq, head_hash) ON counterproof.runs FROM counterproof_worker;

CREATE FUNCTION counterproof.leased_head(for_run text, for_epoch bigint) RETURNS TABLE (head_seq bigint, head_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT head_seq, head_hash FROM counterproof.runs WHERE run = for_run AND epoch = for_epoch
$$;

CREATE FUNCTION counterproof.enqueue(
    for_run text, first_hash text, for_batch text, at_position integer, what text, for_key text, paid_from text
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO counterproof.runs (run, head_hash, batch, position, job, job_key, purse, state)
        VALUES (for_run, first_hash, for_batch, at_position, what, for_key, paid_from, 'waiting') ON CONFLICT DO NOTHING;
    RETURN FOUND;
END $$;

-- The next run for a worker: first one whose worker is thought dead, then the one that waits longest. Workers never wait for each
-- other here. A run over which twenty workers died is given up; a lease lasts an hour at most.
CREATE FUNCTION counterproof.take_next(by_worker text, seconds double precision)
RETURNS TABLE (run text, epoch bigint, job text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    chosen counterproof.runs;
    apart counterproof.quarantine;
BEGIN
    SELECT * INTO apart FROM counterproof.quarantine AS q WHERE q.login = session_user;
    IF FOUND THEN
        RAISE EXCEPTION '% is quarantined since run %: %', apart.login, apart.run, apart.why USING ERRCODE = '42501';
    ELSIF (SELECT draining FROM counterproof.fleet_state) THEN
        RETURN;
    END IF;
    LOOP
        SELECT * INTO chosen FROM counterproof.runs AS r WHERE r.state = 'running' AND r.lease_until <= clock_timestamp()
            ORDER BY r.lease_until LIMIT 1 FOR UPDATE SKIP LOCKED;
        EXIT WHEN NOT FOUND OR chosen.deaths < 20;
        UPDATE counterproof.runs AS r SET state = 'failed', epoch = counterproof.next_epoch(r.epoch), code = 70,
            ended_at = clock_timestamp(), note = format('given up: %s workers died over it', chosen.deaths)
            WHERE r.run = chosen.run;
        PERFORM counterproof.close_holds(chosen.run);
    END LOOP;
    IF chosen.run IS NULL THEN
        SELECT * INTO chosen FROM counterproof.runs AS r WHERE r.state = 'waiting' ORDER BY r.number LIMIT 1 FOR UPDATE SKIP LOCKED;
    END IF;
    IF chosen.run IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY UPDATE counterproof.runs AS r SET
        state = 'running', epoch = counterproof.next_epoch(r.epoch), worker = left(by_worker, 200), note = '', login = session_user,
        holders = CASE WHEN session_user = ANY (r.holders) THEN r.holders ELSE r.holders || session_user END,
        lease_until = clock_timestamp() + make_interval(secs => least(seconds, 3600)), moved_at = clock_timestamp(),
        deaths = r.deaths + (r.state = 'running')::integer, began_at = coalesce(r.began_at, clock_timestamp())
    WHERE r.run = chosen.run RETURNING r.run, r.epoch, r.job;
END $$;

-- A sign of life. False where the run is another worker's by now, or was cancelled, or where its journal has not grown for six hours.
CREATE OR REPLACE FUNCTION counterproof.beat(for_run text, for_epoch bigint, seconds double precision, said text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE counterproof.runs SET note = left(said, 500), seen_seq = head_seq,
        lease_until = clock_timestamp() + make_interval(secs => least(seconds, 3600)),
        moved_at = CASE WHEN head_seq > seen_seq THEN clock_timestamp() ELSE moved_at END
        WHERE run = for_run AND epoch = for_epoch AND state = 'running'
            AND (head_seq > seen_seq OR moved_at > clock_timestamp() - interval '6 hours');
    RETURN FOUND;
END $$;

-- The end of a worker's part: a journal to be checked, a reason why there is none, a pause, or back to the queue. From then on
-- nothing is appended. True also for a call made twice.
CREATE FUNCTION counterproof.hand_in(for_run text, for_epoch bigint, to_state text, with_code integer, said text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    held counterproof.runs;
BEGIN
    SELECT * INTO held FROM counterproof.runs WHERE run = for_run FOR UPDATE;
    IF held.handed = for_epoch THEN
        RETURN held.state = to_state;
    ELSIF held.epoch IS DISTINCT FROM for_epoch OR held.state <> 'running'
        OR to_state NOT IN ('waiting', 'paused', 'unverified', 'failed') THEN
        RETURN false;
    END IF;
    UPDATE counterproof.runs SET state = to_state, handed = for_epoch, code = with_code, note = left(said, 500), worker = '',
        epoch = CASE WHEN to_state IN ('unverified', 'failed') THEN counterproof.next_epoch(epoch) ELSE epoch END,
        lease_until = '-infinity', ended_at = CASE WHEN to_state = 'failed' THEN clock_timestamp() END WHERE run = for_run;
    IF to_state IN ('unverified', 'failed') THEN
        PERFORM counterproof.close_holds(for_run);
    END IF;
    RETURN true;
END $$;

-- What was handed in counts from now on: its journal ends at this head, and these are the reports that follow from it.
CREATE FUNCTION counterproof.accept(for_run text, at_head text, what text, names text[], bodies bytea[])
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE counterproof.runs SET state = 'done', outcome = what, ended_at = clock_timestamp()
        WHERE run = for_run AND state = 'unverified' AND head_hash = at_head;
    IF FOUND THEN
        INSERT INTO counterproof.files SELECT for_run, file.name, file.body FROM unnest(names, bodies) AS file (name, body);
    END IF;
    RETURN FOUND;
END $$;

-- What was handed in does not hold. Who wrote that row, or else who handed it in, gets nothing more; whatever it had a hand in is
-- queued again, or, where it was accepted before, no longer stands for a later audit of the same code. Answers who that is.
CREATE FUNCTION counterproof.reject(for_run text, at_row bigint, reason text)
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
    UPDATE counterproof.runs SET job_key = '' WHERE liar = ANY (holders) AND state = 'done';
    FOR ended IN UPDATE counterproof.runs SET state = 'rejected', epoch = counterproof.next_epoch(epoch), worker = '',
        ended_at = clock_timestamp(), lease_until = '-infinity',
        note = CASE WHEN run = for_run THEN left(reason, 500) ELSE format('%s had a hand in it', liar) END
        WHERE run = for_run OR (liar = ANY (holders) AND state IN ('waiting', 'running', 'paused', 'unverified')) RETURNING run
    LOOP
        PERFORM counterproof.close_holds(ended);
    END LOOP;
    RETURN liar;
END $$;

-- A login may work again. Answers whether it was in quarantine.
CREATE FUNCTION counterproof.release(named name) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM counterproof.quarantine WHERE login = named;
    RETURN FOUND;
END $$;

-- A hold becomes what it cost, which is never less than nothing: by the lease that made it, or by the one that drives the run now.
CREATE OR REPLACE FUNCTION counterproof.settle(
    for_run text, for_epoch bigint, for_mark text, cost_tokens bigint, cost_micros bigint
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    names text[] := counterproof.lock_purses(for_run);
    held counterproof.holds;
    tokens bigint;
    micros bigint;
BEGIN
    DELETE FROM counterproof.holds AS h WHERE h.run = for_run AND h.mark = for_mark AND (h.epoch = for_epoch OR h.epoch < for_epoch
        AND EXISTS (SELECT FROM counterproof.runs AS r WHERE r.run = for_run AND r.epoch = for_epoch)) RETURNING * INTO held;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    tokens := greatest(coalesce(cost_tokens, held.tokens), 0);
    micros := greatest(coalesce(cost_micros, held.micros), 0);
    UPDATE counterproof.runs SET used_tokens = used_tokens + tokens, used_micros = used_micros + micros WHERE run = for_run;
    UPDATE counterproof.purses SET
        held_tokens = held_tokens - held.tokens, held_micros = held_micros - held.micros,
        used_tokens = used_tokens + tokens, used_micros = used_micros + micros
    WHERE purse = ANY (names);
    RETURN true;
END $$;

CREATE OR REPLACE FUNCTION counterproof.cancel(named text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH ended AS (
        UPDATE counterproof.runs SET state = 'cancelled', epoch = counterproof.next_epoch(epoch), note = 'cancelled',
            ended_at = clock_timestamp(), worker = '', lease_until = '-infinity'
        WHERE (run = named OR batch = named) AND state IN ('waiting', 'running', 'paused', 'unverified') RETURNING run
    ) SELECT count(*) FROM (SELECT run, counterproof.close_holds(run) FROM ended) AS closed
$$;

CREATE OR REPLACE FUNCTION counterproof.prunable(before timestamptz) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT run FROM counterproof.runs AS old WHERE old.ended_at < before AND NOT EXISTS (
        SELECT FROM counterproof.runs AS other
        WHERE other.batch = old.batch AND other.state IN ('waiting', 'running', 'paused', 'unverified')
    )
$$;

GRANT SELECT ON counterproof.quarantine TO counterproof_operator, counterproof_reader;
REVOKE ALL ON FUNCTION counterproof.next_epoch, counterproof.leased_head, counterproof.enqueue, counterproof.take_next,
    counterproof.hand_in, counterproof.accept, counterproof.reject, counterproof.release FROM PUBLIC;
GRANT EXECUTE ON FUNCTION counterproof.leased_head, counterproof.take_next, counterproof.hand_in TO counterproof_worker;
GRANT EXECUTE ON FUNCTION counterproof.enqueue, counterproof.accept, counterproof.reject, counterproof.release
    TO counterproof_operator;
