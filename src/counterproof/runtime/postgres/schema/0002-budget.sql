-- One budget and one rate for all workers.
--
-- A purse limits tokens, micro-dollars and requests per minute; what is not limited is null. A run pays from the purse `fleet` and
-- from its own. The most that a call can cost is held before it is sent and settled after it: used + held never exceeds a limit
-- through `reserve`, however many workers ask at once. A hold is named after its question: if the worker dies, whoever goes on
-- settles it from the reply in the journal, or, where there is none, counts it as spent, since the provider may have counted it.

CREATE TABLE counterproof.purses (
    purse        text PRIMARY KEY,
    limit_tokens bigint CHECK (limit_tokens >= 0),
    limit_micros bigint CHECK (limit_micros >= 0),
    per_minute   integer CHECK (per_minute > 0),
    used_tokens  bigint NOT NULL DEFAULT 0,
    used_micros  bigint NOT NULL DEFAULT 0,
    held_tokens  bigint NOT NULL DEFAULT 0,
    held_micros  bigint NOT NULL DEFAULT 0,
    refused      bigint NOT NULL DEFAULT 0
);
INSERT INTO counterproof.purses (purse) VALUES ('fleet');

ALTER TABLE counterproof.runs ADD COLUMN purse text NOT NULL DEFAULT 'fleet' REFERENCES counterproof.purses;

CREATE TABLE counterproof.holds (
    run    text NOT NULL REFERENCES counterproof.runs,
    mark   text NOT NULL,
    epoch  bigint NOT NULL,
    tokens bigint NOT NULL CHECK (tokens >= 0),
    micros bigint NOT NULL CHECK (micros >= 0),
    PRIMARY KEY (run, mark)
);

CREATE TABLE counterproof.departures (
    purse text NOT NULL REFERENCES counterproof.purses,
    at    timestamptz NOT NULL
);
CREATE INDEX departures_in_order ON counterproof.departures (purse, at);

-- The purses that a run pays from, locked in one order so that no two callers wait for each other.
CREATE FUNCTION counterproof.lock_purses(for_run text) RETURNS text[]
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    SELECT array_agg(locked.purse) FROM (
        SELECT purse FROM counterproof.purses
        WHERE purse = 'fleet' OR purse = (SELECT purse FROM counterproof.runs WHERE run = for_run)
        ORDER BY purse FOR UPDATE
    ) AS locked
$$;

-- A hold becomes what it cost. One of a later epoch is another worker's business.
CREATE FUNCTION counterproof.settle(for_run text, for_epoch bigint, for_mark text, cost_tokens bigint, cost_micros bigint)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    names text[] := counterproof.lock_purses(for_run);
    held counterproof.holds;
BEGIN
    DELETE FROM counterproof.holds WHERE run = for_run AND mark = for_mark AND epoch <= for_epoch RETURNING * INTO held;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE counterproof.purses SET
        held_tokens = held_tokens - held.tokens, held_micros = held_micros - held.micros,
        used_tokens = used_tokens + coalesce(cost_tokens, held.tokens),
        used_micros = used_micros + coalesce(cost_micros, held.micros)
    WHERE purse = ANY (names);
    RETURN true;
END $$;

-- Answers `reserved`, `short` or `fenced`.
CREATE FUNCTION counterproof.reserve(for_run text, for_epoch bigint, for_mark text, most_tokens bigint, most_micros bigint)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    names text[] := counterproof.lock_purses(for_run);
BEGIN
    PERFORM FROM counterproof.runs WHERE run = for_run AND epoch = for_epoch;
    IF NOT FOUND THEN
        RETURN 'fenced';
    END IF;
    PERFORM FROM counterproof.holds WHERE run = for_run AND mark = for_mark AND epoch = for_epoch;
    IF FOUND THEN
        RETURN 'reserved'; -- by a call whose answer was lost
    END IF;
    PERFORM counterproof.settle(for_run, for_epoch, for_mark, NULL, NULL);
    PERFORM FROM counterproof.purses WHERE purse = ANY (names)
        AND (used_tokens + held_tokens + most_tokens > limit_tokens OR used_micros + held_micros + most_micros > limit_micros);
    IF FOUND THEN
        UPDATE counterproof.purses SET refused = refused + 1 WHERE purse = ANY (names);
        RETURN 'short';
    END IF;
    INSERT INTO counterproof.holds VALUES (for_run, for_mark, for_epoch, most_tokens, most_micros);
    UPDATE counterproof.purses SET held_tokens = held_tokens + most_tokens, held_micros = held_micros + most_micros
        WHERE purse = ANY (names);
    RETURN 'reserved';
END $$;

-- Seconds until a request may leave; 0 counts it as leaving now; null where the lease is another's. The window is a little longer
-- than a minute, because requests take their time to arrive.
CREATE FUNCTION counterproof.depart(for_run text, for_epoch bigint)
RETURNS double precision LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    names text[] := counterproof.lock_purses(for_run);
    span CONSTANT interval := '62 seconds';
    wait double precision;
BEGIN
    PERFORM FROM counterproof.runs WHERE run = for_run AND epoch = for_epoch;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    DELETE FROM counterproof.departures WHERE purse = ANY (names) AND at <= clock_timestamp() - span;
    SELECT max(extract(epoch FROM oldest.at + span - clock_timestamp())) INTO wait
    FROM counterproof.purses AS limited CROSS JOIN LATERAL (
        SELECT at FROM counterproof.departures AS left_before WHERE left_before.purse = limited.purse
        ORDER BY at DESC OFFSET limited.per_minute - 1 LIMIT 1
    ) AS oldest
    WHERE limited.purse = ANY (names) AND limited.per_minute IS NOT NULL;
    IF wait IS NOT NULL THEN
        RETURN greatest(wait, 0.01);
    END IF;
    INSERT INTO counterproof.departures SELECT purse, clock_timestamp() FROM counterproof.purses
        WHERE purse = ANY (names) AND per_minute IS NOT NULL;
    RETURN 0;
END $$;

-- What a run that has ended still holds was perhaps spent.
CREATE FUNCTION counterproof.close_holds(for_run text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    names text[] := counterproof.lock_purses(for_run);
    lost_tokens bigint;
    lost_micros bigint;
BEGIN
    WITH lost AS (DELETE FROM counterproof.holds WHERE run = for_run RETURNING tokens, micros)
        SELECT coalesce(sum(tokens), 0), coalesce(sum(micros), 0) INTO lost_tokens, lost_micros FROM lost;
    UPDATE counterproof.purses SET
        held_tokens = held_tokens - lost_tokens, held_micros = held_micros - lost_micros,
        used_tokens = used_tokens + lost_tokens, used_micros = used_micros + lost_micros
    WHERE purse = ANY (names);
END $$;

-- Sets the limits of a purse, which is made where there is none. What was used stays used.
CREATE FUNCTION counterproof.set_limits(for_purse text, tokens bigint, micros bigint, requests integer) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO counterproof.purses (purse, limit_tokens, limit_micros, per_minute)
    VALUES (for_purse, tokens, micros, requests)
    ON CONFLICT (purse) DO UPDATE SET limit_tokens = tokens, limit_micros = micros, per_minute = requests
$$;

GRANT SELECT ON counterproof.purses, counterproof.holds
    TO counterproof_worker, counterproof_operator, counterproof_reader;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA counterproof FROM PUBLIC;
GRANT EXECUTE ON FUNCTION counterproof.settle, counterproof.reserve, counterproof.depart TO counterproof_worker;
GRANT EXECUTE ON FUNCTION counterproof.set_limits TO counterproof_operator;
