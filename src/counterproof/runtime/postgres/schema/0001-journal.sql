-- Runs, their leases and their journals.
--
-- A run is driven by whoever holds its lease. Every taking of the lease raises the run's epoch, and nothing is written for a run
-- but with its present epoch, in the transaction that checks it: a worker that was thought dead can write nothing more.
-- Workers have no right to the tables but to read them. They write through the functions below, which run with the owner's rights.

CREATE TABLE counterproof.runs (
    run         text PRIMARY KEY CHECK (run <> ''),
    epoch       bigint NOT NULL DEFAULT 0,
    worker      text NOT NULL DEFAULT '',
    lease_until timestamptz NOT NULL DEFAULT '-infinity',
    head_seq    bigint NOT NULL DEFAULT 0,
    head_hash   text NOT NULL DEFAULT ''
);

-- The key under which all workers name the secrets that they take out of texts: a run that moves to another machine must ask the
-- same questions and write the same report there.
CREATE TABLE counterproof.fleet_key (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    key bytea NOT NULL CHECK (length(key) = 32)
);
INSERT INTO counterproof.fleet_key (key) VALUES (sha256(decode(replace(
    gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')));

CREATE TABLE counterproof.entries (
    seq  bigint NOT NULL,
    at   text NOT NULL,
    kind text NOT NULL,
    body bytea NOT NULL,
    hash text NOT NULL,
    run  text NOT NULL REFERENCES counterproof.runs,
    PRIMARY KEY (run, seq)
);

CREATE TABLE counterproof.replies (
    seq bigint NOT NULL,
    raw bytea NOT NULL,
    run text NOT NULL,
    PRIMARY KEY (run, seq),
    FOREIGN KEY (run, seq) REFERENCES counterproof.entries
);

CREATE FUNCTION counterproof.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'journals are only ever appended to';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON counterproof.entries
    FOR EACH STATEMENT EXECUTE FUNCTION counterproof.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON counterproof.replies
    FOR EACH STATEMENT EXECUTE FUNCTION counterproof.refuse_change();

-- Appends rows behind `before`. Answers `appended`; `already` where a call whose answer was lost had done it; `fenced` where the
-- lease is another's by now; `behind` where somebody else wrote with the same lease.
CREATE FUNCTION counterproof.append(
    for_run text, for_epoch bigint, before_seq bigint, before_hash text,
    ats text[], kinds text[], bodies bytea[], hashes text[], reply bytea
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    held counterproof.runs;
    end_seq bigint;
    end_hash text;
    last bigint := before_seq + cardinality(hashes);
BEGIN
    SELECT * INTO held FROM counterproof.runs WHERE run = for_run FOR UPDATE;
    IF NOT FOUND OR held.epoch <> for_epoch THEN
        RETURN 'fenced';
    ELSIF held.head_seq = last AND held.head_hash = hashes[cardinality(hashes)] THEN
        RETURN 'already';
    ELSIF held.head_seq <> before_seq OR held.head_hash <> before_hash THEN
        RETURN 'behind';
    END IF;
    SELECT seq, hash INTO end_seq, end_hash FROM counterproof.entries WHERE run = for_run ORDER BY seq DESC LIMIT 1;
    IF coalesce(end_seq, 0) <> before_seq OR coalesce(end_hash, before_hash) <> before_hash THEN
        RETURN 'behind';
    END IF;
    INSERT INTO counterproof.entries (run, seq, at, kind, body, hash)
        SELECT for_run, before_seq + row.n, row.at, row.kind, row.body, row.hash
        FROM unnest(ats, kinds, bodies, hashes) WITH ORDINALITY AS row (at, kind, body, hash, n);
    IF reply IS NOT NULL THEN
        INSERT INTO counterproof.replies (run, seq, raw) VALUES (for_run, before_seq + 1, reply);
    END IF;
    UPDATE counterproof.runs SET head_seq = last, head_hash = hashes[cardinality(hashes)] WHERE run = for_run;
    RETURN 'appended';
END $$;

-- Takes the lease of a run that nobody holds, or whose holder has not renewed it in time. Answers the new epoch, or null.
CREATE FUNCTION counterproof.take_lease(for_run text, by_worker text, seconds double precision) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE counterproof.runs
    SET epoch = epoch + 1, worker = by_worker, lease_until = clock_timestamp() + make_interval(secs => seconds)
    WHERE run = for_run AND lease_until <= clock_timestamp()
    RETURNING epoch
$$;

-- Whether the lease is still the caller's; if so it holds for so many seconds from now.
CREATE FUNCTION counterproof.renew_lease(for_run text, for_epoch bigint, seconds double precision) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH renewed AS (
        UPDATE counterproof.runs SET lease_until = clock_timestamp() + make_interval(secs => seconds)
        WHERE run = for_run AND epoch = for_epoch RETURNING 1
    ) SELECT EXISTS (SELECT FROM renewed)
$$;

CREATE FUNCTION counterproof.release_lease(for_run text, for_epoch bigint) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH released AS (
        UPDATE counterproof.runs SET lease_until = '-infinity', worker = ''
        WHERE run = for_run AND epoch = for_epoch RETURNING 1
    ) SELECT EXISTS (SELECT FROM released)
$$;

-- Names a run before anything is written for it.
CREATE FUNCTION counterproof.name_run(for_run text, first_hash text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO counterproof.runs (run, head_hash) VALUES (for_run, first_hash) ON CONFLICT DO NOTHING
$$;

GRANT SELECT ON counterproof.runs, counterproof.entries, counterproof.replies TO counterproof_worker, counterproof_reader;
GRANT SELECT ON counterproof.fleet_key TO counterproof_worker;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA counterproof FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    counterproof.append, counterproof.take_lease, counterproof.renew_lease, counterproof.release_lease, counterproof.name_run
    TO counterproof_worker;
