-- What a worker may read: the journals of runs that it drives now, and of all runs no more than their states and heads.
--
-- Journals and reports hold source code. A worker's login that was stolen gives away what is being audited and what waits, and
-- nothing that has ended: for an earlier result one must name the digest of the code, its options and the engine.

REVOKE SELECT ON counterproof.runs, counterproof.entries, counterproof.replies, counterproof.files, counterproof.holds
    FROM counterproof_worker;
GRANT SELECT (run, state, epoch, head_seq, head_hash) ON counterproof.runs TO counterproof_worker;

CREATE FUNCTION counterproof.leased_entries(for_run text, for_epoch bigint, after bigint, most integer)
RETURNS SETOF counterproof.entries LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT * FROM counterproof.entries WHERE run = for_run AND seq > after
        AND EXISTS (SELECT FROM counterproof.runs WHERE run = for_run AND epoch = for_epoch) ORDER BY seq LIMIT most
$$;

CREATE FUNCTION counterproof.leased_end(for_run text, for_epoch bigint)
RETURNS SETOF counterproof.entries LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT * FROM counterproof.entries WHERE run = for_run
        AND EXISTS (SELECT FROM counterproof.runs WHERE run = for_run AND epoch = for_epoch) ORDER BY seq DESC LIMIT 1
$$;

CREATE FUNCTION counterproof.leased_reply(for_run text, for_epoch bigint, for_seq bigint)
RETURNS bytea LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT raw FROM counterproof.replies WHERE run = for_run AND seq = for_seq
        AND EXISTS (SELECT FROM counterproof.runs WHERE run = for_run AND epoch = for_epoch)
$$;

CREATE FUNCTION counterproof.leased_reply_rows(for_run text, for_epoch bigint)
RETURNS SETOF bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT seq FROM counterproof.replies WHERE run = for_run
        AND EXISTS (SELECT FROM counterproof.runs WHERE run = for_run AND epoch = for_epoch) ORDER BY seq
$$;

-- The newest run that ended with this key, and what it left.
CREATE FUNCTION counterproof.known(for_key text) RETURNS TABLE (outcome text, name text, body bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT newest.outcome, files.name, files.body FROM (
        SELECT run, outcome FROM counterproof.runs WHERE job_key = for_key AND job_key <> '' AND state = 'done'
        ORDER BY number DESC LIMIT 1
    ) AS newest JOIN counterproof.files ON files.run = newest.run ORDER BY files.name
$$;

-- A lease that is taken by name is for runs outside the queue.
CREATE OR REPLACE FUNCTION counterproof.take_lease(for_run text, by_worker text, seconds double precision) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE counterproof.runs
    SET epoch = epoch + 1, worker = by_worker, lease_until = clock_timestamp() + make_interval(secs => seconds)
    WHERE run = for_run AND state = 'apart' AND lease_until <= clock_timestamp()
    RETURNING epoch
$$;

REVOKE ALL ON FUNCTION counterproof.leased_entries, counterproof.leased_end, counterproof.leased_reply,
    counterproof.leased_reply_rows, counterproof.known FROM PUBLIC;
GRANT EXECUTE ON FUNCTION counterproof.leased_entries, counterproof.leased_end, counterproof.leased_reply,
    counterproof.leased_reply_rows, counterproof.known TO counterproof_worker;
