-- Tables, views and questions for PostgreSQL (15 or later): see README, which says how rows are loaded.
CREATE TABLE IF NOT EXISTS profile (id bigint PRIMARY KEY, "time" bigint, machine text, kernel text, duration bigint,
	event text, unit text, frequency bigint, labels jsonb, boot text);
CREATE TABLE IF NOT EXISTS frame (id bigint PRIMARY KEY, function text COLLATE "C", module text, buildid text, file text, line bigint,
	"offset" bigint, inlined bigint);
CREATE TABLE IF NOT EXISTS stack (id bigint PRIMARY KEY, frames jsonb, names text COLLATE "C", ending text);
CREATE TABLE IF NOT EXISTS sample (profile bigint, stack bigint, labels jsonb, count bigint, value bigint,
	PRIMARY KEY (profile, stack, labels));

CREATE OR REPLACE VIEW by_stack AS
	SELECT p.event, s.stack, sum(s.value)::bigint AS value, sum(s.count)::bigint AS count
	FROM sample s JOIN profile p ON p.id = s.profile GROUP BY p.event, s.stack;
CREATE OR REPLACE VIEW top_self AS
	SELECT b.event, f.function, f.module, sum(b.value)::bigint AS value, sum(b.count)::bigint AS count
	FROM by_stack b JOIN stack k ON k.id = b.stack JOIN frame f ON f.id = (k.frames->>-1)::bigint
	GROUP BY b.event, f.function, f.module ORDER BY value DESC, f.function;
CREATE OR REPLACE VIEW top_children AS
	WITH once AS (SELECT DISTINCT k.id AS stack, f.function, f.module
		FROM stack k, jsonb_array_elements(k.frames) e JOIN frame f ON f.id = e::bigint)
	SELECT b.event, o.function, o.module, sum(b.value)::bigint AS value, sum(b.count)::bigint AS count
	FROM by_stack b JOIN once o ON o.stack = b.stack
	GROUP BY b.event, o.function, o.module ORDER BY value DESC, o.function;
CREATE OR REPLACE VIEW folded AS
	SELECT p.event, trim(BOTH ';' FROM coalesce(s.labels->>'comm', '') || ';' || k.names) AS stack,
		sum(s.value)::bigint AS value
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
	GROUP BY 1, 2 ORDER BY 1, 2;
CREATE OR REPLACE VIEW by_hour AS
	SELECT to_char(to_timestamp(p.time / 1000000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24') AS hour, p.event, p.machine,
		sum(s.value)::bigint AS value, sum(s.count)::bigint AS count
	FROM sample s JOIN profile p ON p.id = s.profile GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- The questions: SELECT * FROM hosts('main')
CREATE OR REPLACE FUNCTION has(names text, name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
	$$ SELECT strpos(';' || names || ';', ';' || name || ';') > 0 $$;
CREATE OR REPLACE FUNCTION hosts(name text) RETURNS TABLE (machine text, share numeric) LANGUAGE sql AS $$
	SELECT p.machine, round(100 * coalesce(sum(s.value) FILTER (WHERE has(k.names, name)), 0) / sum(s.value), 2)
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
	GROUP BY p.machine ORDER BY 2 DESC, 1 $$;
CREATE OR REPLACE FUNCTION hours(name text) RETURNS TABLE (hour text, share numeric) LANGUAGE sql AS $$
	SELECT to_char(to_timestamp(p.time / 1000000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24'),
		round(100 * coalesce(sum(s.value) FILTER (WHERE has(k.names, name)), 0) / sum(s.value), 2)
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack GROUP BY 1 ORDER BY 1 $$;
CREATE OR REPLACE FUNCTION new_since(since bigint) RETURNS TABLE (function text, module text, value bigint) LANGUAGE sql AS $$
	SELECT f.function, f.module, sum(s.value)::bigint
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
		JOIN frame f ON f.id = (k.frames->>-1)::bigint
	GROUP BY f.function, f.module HAVING min(p.time) >= since ORDER BY 3 DESC, 1 $$;
CREATE OR REPLACE FUNCTION service(name text, day text) RETURNS TABLE (function text, module text, value bigint) LANGUAGE sql AS $$
	SELECT f.function, f.module, sum(s.value)::bigint
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
		JOIN frame f ON f.id = (k.frames->>-1)::bigint
	WHERE s.labels->>'comm' = name
		AND to_char(to_timestamp(p.time / 1000000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = day
	GROUP BY f.function, f.module ORDER BY 3 DESC, 1 $$;
CREATE OR REPLACE FUNCTION builds(old text, new text) RETURNS TABLE (function text, old_share numeric, new_share numeric)
LANGUAGE sql AS $$
	WITH one AS (SELECT p.labels->>'build' AS build, f.function, sum(s.value) AS value
		FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
			JOIN frame f ON f.id = (k.frames->>-1)::bigint
		WHERE p.labels->>'build' IN (old, new) GROUP BY 1, 2),
	share AS (SELECT build, one.function, 100 * value / sum(value) OVER (PARTITION BY build) AS share FROM one),
	both_builds AS (SELECT share.function, coalesce(sum(share) FILTER (WHERE build = old), 0) AS a,
		coalesce(sum(share) FILTER (WHERE build = new), 0) AS b FROM share GROUP BY 1)
	SELECT both_builds.function, round(a, 2), round(b, 2) FROM both_builds ORDER BY abs(b - a) DESC, 1 $$;
CREATE OR REPLACE FUNCTION grafana(name text) RETURNS TABLE (level integer, label text, value bigint, self bigint)
LANGUAGE sql AS $$
	WITH one AS (SELECT string_to_array(k.names, ';') AS part, sum(s.value) AS value
		FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack WHERE p.event = name GROUP BY 1),
	prefix AS (SELECT part[1:n] AS path, sum(one.value)::bigint AS value,
			coalesce(sum(one.value) FILTER (WHERE n = cardinality(part)), 0)::bigint AS self
		FROM one, generate_series(0, cardinality(part)) n GROUP BY 1)
	SELECT cardinality(path), coalesce(path[cardinality(path)], 'total'), prefix.value, prefix.self
	FROM prefix ORDER BY path $$;
