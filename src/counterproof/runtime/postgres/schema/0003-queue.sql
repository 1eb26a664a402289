-- The queue of runs, beside their leases: one line says who drives a run and what is left to do.
--
-- `apart` runs are in no queue. `waiting` ones are taken in order; a `running` one is taken over when its lease has run out. `paused`
-- ones wait for an operator, who retries them. The last four are ends; of them `failed` and `cancelled` can be retried.

ALTER TABLE counterproof.runs
    ADD COLUMN number   bigint GENERATED ALWAYS AS IDENTITY,
    ADD COLUMN state    text NOT NULL DEFAULT 'apart' CHECK (state IN
        ('apart', 'waiting', 'running', 'paused', 'unchanged', 'done', 'failed', 'cancelled')),
    ADD COLUMN batch    text NOT NULL DEFAULT '',
    ADD COLUMN position integer NOT NULL DEFAULT 0,
    ADD COLUMN job      text NOT NULL DEFAULT '',
    ADD COLUMN job_key  text NOT NULL DEFAULT '',
    ADD COLUMN outcome  text NOT NULL DEFAULT '',
    ADD COLUMN note     text NOT NULL DEFAULT '',
    ADD COLUMN deaths   integer NOT NULL DEFAULT 0,
    ADD COLUMN asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD COLUMN began_at timestamptz,
    ADD COLUMN ended_at timestamptz;
CREATE UNIQUE INDEX runs_of_batch ON counterproof.runs (batch, position) WHERE state <> 'apart';
CREATE INDEX runs_waiting ON counterproof.runs (number) WHERE state = 'waiting';
CREATE INDEX runs_running ON counterproof.runs (lease_until) WHERE state = 'running';
CREATE INDEX runs_of_key ON counterproof.runs (job_key) WHERE state = 'done';

CREATE TABLE counterproof.fleet_state (
    one      boolean PRIMARY KEY DEFAULT true CHECK (one),
    draining boolean NOT NULL DEFAULT false
);
INSERT INTO counterproof.fleet_state DEFAULT VALUES;

-- What a run left: its reports and its receipt.
CREATE TABLE counterproof.files (
    run  text NOT NULL REFERENCES counterproof.runs,
    name text NOT NULL CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]*$'),
    body bytea NOT NULL,
    PRIMARY KEY (run, name)
);

CREATE FUNCTION counterproof.enqueue(
    for_run text, first_hash text, for_batch text, at_position integer, what text, paid_from text
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO counterproof.runs (run, head_hash, batch, position, job, purse, state)
        VALUES (for_run, first_hash, for_batch, at_position, what, paid_from, 'waiting') ON CONFLICT DO NOTHING;
    RETURN FOUND;
END $$;

-- The next run for a worker: first one whose worker is thought dead, then the one that waits longest. Workers never wait for each
-- other here. A run whose workers keep dying is given up.
CREATE FUNCTION counterproof.take_next(by_worker text, seconds double precision, most_deaths integer)
RETURNS TABLE (run text, epoch bigint, job text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    chosen counterproof.runs;
BEGIN
    IF (SELECT draining FROM counterproof.fleet_state) THEN
        RETURN;
    END IF;
    LOOP
        SELECT * INTO chosen FROM counterproof.runs AS r WHERE r.state = 'running' AND r.lease_until <= clock_timestamp()
            ORDER BY r.lease_until LIMIT 1 FOR UPDATE SKIP LOCKED;
        EXIT WHEN NOT FOUND OR chosen.deaths < most_deaths;
        UPDATE counterproof.runs AS r SET state = 'failed', epoch = r.epoch + 1, ended_at = clock_timestamp(),
            note = format('given up: %s workers died over it', chosen.deaths) WHERE r.run = chosen.run;
        PERFORM counterproof.close_holds(chosen.run);
    END LOOP;
    IF chosen.run IS NULL THEN
        SELECT * INTO chosen FROM counterproof.runs AS r WHERE r.state = 'waiting' ORDER BY r.number LIMIT 1 FOR UPDATE SKIP LOCKED;
    END IF;
    IF chosen.run IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY UPDATE counterproof.runs AS r SET
        state = 'running', epoch = r.epoch + 1, worker = by_worker, note = '',
        lease_until = clock_timestamp() + make_interval(secs => seconds),
        deaths = r.deaths + (r.state = 'running')::integer, began_at = coalesce(r.began_at, clock_timestamp())
    WHERE r.run = chosen.run RETURNING r.run, r.epoch, r.job;
END $$;

-- A sign of life. False where the run is another worker's by now, or was cancelled.
CREATE FUNCTION counterproof.beat(for_run text, for_epoch bigint, seconds double precision, said text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE counterproof.runs SET note = left(said, 500), lease_until = clock_timestamp() + make_interval(secs => seconds)
        WHERE run = for_run AND epoch = for_epoch AND state = 'running';
    RETURN FOUND;
END $$;

-- The end of a worker's part: an end with the run's files, or a pause, or back to the queue. True also for a call made twice.
CREATE FUNCTION counterproof.hand_in(
    for_run text, for_epoch bigint, to_state text, for_key text, what text, said text, names text[], bodies bytea[]
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    held counterproof.runs;
BEGIN
    SELECT * INTO held FROM counterproof.runs WHERE run = for_run FOR UPDATE;
    IF held.epoch IS DISTINCT FROM for_epoch OR to_state NOT IN ('waiting', 'paused', 'unchanged', 'done', 'failed') THEN
        RETURN false;
    ELSIF held.state <> 'running' THEN
        RETURN held.state = to_state;
    END IF;
    INSERT INTO counterproof.files SELECT for_run, file.name, file.body FROM unnest(names, bodies) AS file (name, body);
    UPDATE counterproof.runs SET state = to_state, job_key = for_key, outcome = what, note = left(said, 500), worker = '',
        lease_until = '-infinity', ended_at = CASE WHEN to_state IN ('waiting', 'paused') THEN NULL ELSE clock_timestamp() END
        WHERE run = for_run;
    IF to_state NOT IN ('waiting', 'paused') THEN
        PERFORM counterproof.close_holds(for_run);
    END IF;
    RETURN true;
END $$;

-- Runs that wait or run end here and now; whoever drives one can write nothing more. Answers how many.
CREATE FUNCTION counterproof.cancel(named text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH ended AS (
        UPDATE counterproof.runs SET state = 'cancelled', epoch = epoch + 1, note = 'cancelled', ended_at = clock_timestamp(),
            worker = '', lease_until = '-infinity'
        WHERE (run = named OR batch = named) AND state IN ('waiting', 'running', 'paused') RETURNING run
    ) SELECT count(*) FROM (SELECT run, counterproof.close_holds(run) FROM ended) AS closed
$$;

-- Runs that ended without a report, or pause, wait again. What was journalled stands.
CREATE FUNCTION counterproof.retry(named text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH again AS (
        UPDATE counterproof.runs SET state = 'waiting', note = '', deaths = 0, outcome = '', ended_at = NULL
        WHERE (run = named OR batch = named) AND state IN ('failed', 'cancelled', 'paused')
            AND NOT EXISTS (SELECT FROM counterproof.files WHERE files.run = runs.run) RETURNING 1
    ) SELECT count(*) FROM again
$$;

CREATE FUNCTION counterproof.drain(wanted boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE counterproof.fleet_state SET draining = wanted
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON counterproof.files
    FOR EACH STATEMENT EXECUTE FUNCTION counterproof.refuse_change();

GRANT SELECT ON counterproof.fleet_state, counterproof.files TO counterproof_worker, counterproof_operator, counterproof_reader;
GRANT SELECT ON counterproof.runs, counterproof.entries, counterproof.replies TO counterproof_operator;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA counterproof FROM PUBLIC;
GRANT EXECUTE ON FUNCTION counterproof.take_next, counterproof.beat, counterproof.hand_in TO counterproof_worker;
GRANT EXECUTE ON FUNCTION counterproof.enqueue, counterproof.cancel, counterproof.retry, counterproof.drain
    TO counterproof_operator;
