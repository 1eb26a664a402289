-- Removing what is old: runs that ended before a time, whole, with their journals and reports. For the owner alone.
--
-- Nothing is removed of a batch while one of its runs waits, runs or pauses: somebody may still watch it.

CREATE INDEX runs_ended ON counterproof.runs (ended_at) WHERE ended_at IS NOT NULL;

CREATE OR REPLACE FUNCTION counterproof.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'DELETE' OR coalesce(current_setting('counterproof.pruning', true), '') <> 'on' THEN
        RAISE EXCEPTION 'journals are only ever appended to';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION counterproof.prunable(before timestamptz) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT run FROM counterproof.runs AS old WHERE old.ended_at < before AND NOT EXISTS (
        SELECT FROM counterproof.runs AS other
        WHERE other.batch = old.batch AND other.state IN ('waiting', 'running', 'paused')
    )
$$;

-- Removes so many at most, in one transaction; answers how many.
CREATE FUNCTION counterproof.prune(before timestamptz, most integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    old text[];
BEGIN
    SELECT array_agg(locked.run) INTO old FROM (
        SELECT run FROM counterproof.runs WHERE run IN (SELECT counterproof.prunable(before)) LIMIT most FOR UPDATE SKIP LOCKED
    ) AS locked;
    PERFORM set_config('counterproof.pruning', 'on', true);
    DELETE FROM counterproof.replies WHERE run = ANY (old);
    DELETE FROM counterproof.entries WHERE run = ANY (old);
    DELETE FROM counterproof.files WHERE run = ANY (old);
    PERFORM set_config('counterproof.pruning', '', true);
    DELETE FROM counterproof.holds WHERE run = ANY (old);
    DELETE FROM counterproof.runs WHERE run = ANY (old);
    DELETE FROM counterproof.departures WHERE purse <> 'fleet' AND NOT EXISTS (
        SELECT FROM counterproof.runs WHERE runs.purse = departures.purse);
    DELETE FROM counterproof.purses WHERE purse <> 'fleet' AND NOT EXISTS (
        SELECT FROM counterproof.runs WHERE runs.purse = purses.purse);
    RETURN coalesce(cardinality(old), 0);
END $$;

REVOKE ALL ON FUNCTION counterproof.prunable, counterproof.prune FROM PUBLIC;
