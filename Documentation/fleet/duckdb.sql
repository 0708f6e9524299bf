-- Tables, views and questions for DuckDB: see README. It reads all rows below the current directory. Of a profile that is
-- in several directories, the samples of one are taken, which costs less than comparing all rows.
SET preserve_insertion_order = false;
CREATE OR REPLACE TABLE profile AS SELECT DISTINCT ON (id) * FROM read_csv('**/profile.tsv', delim = '\t', quote = '', header = true,
	columns = {id: 'BIGINT', time: 'BIGINT', machine: 'VARCHAR', kernel: 'VARCHAR', duration: 'BIGINT', event: 'VARCHAR',
	unit: 'VARCHAR', frequency: 'BIGINT', labels: 'VARCHAR', boot: 'VARCHAR'});
CREATE OR REPLACE TABLE frame AS SELECT DISTINCT * FROM read_csv('**/frame.tsv', delim = '\t', quote = '', header = true,
	columns = {id: 'BIGINT', function: 'VARCHAR', module: 'VARCHAR', buildid: 'VARCHAR', file: 'VARCHAR', line: 'BIGINT',
	"offset": 'BIGINT', inlined: 'BIGINT'});
CREATE OR REPLACE TABLE stack AS SELECT DISTINCT * FROM read_csv('**/stack.tsv', delim = '\t', quote = '', header = true,
	columns = {id: 'BIGINT', frames: 'BIGINT[]', names: 'VARCHAR', ending: 'VARCHAR'});
CREATE OR REPLACE TABLE sample AS
	SELECT s.* EXCLUDE filename FROM read_csv('**/sample.tsv', delim = '\t', quote = '', header = true, filename = true,
		columns = {profile: 'BIGINT', stack: 'BIGINT', labels: 'VARCHAR', "count": 'BIGINT', value: 'BIGINT'}) s
	ANTI JOIN (SELECT id, left(filename, -11) || 'sample.tsv' AS filename FROM read_csv('**/profile.tsv', delim = '\t',
		quote = '', header = true, filename = true, types = {id: 'BIGINT'})
		QUALIFY dense_rank() OVER (PARTITION BY id ORDER BY filename) > 1) p ON p.id = s.profile AND p.filename = s.filename;

CREATE OR REPLACE VIEW by_stack AS SELECT p.event, s.stack, sum(s.value)::BIGINT AS value, sum(s."count")::BIGINT AS "count"
	FROM sample s JOIN profile p ON p.id = s.profile GROUP BY ALL;
CREATE OR REPLACE VIEW top_self AS
	SELECT b.event, f.function, f.module, sum(b.value)::BIGINT AS value, sum(b."count")::BIGINT AS "count"
	FROM by_stack b JOIN stack k ON k.id = b.stack JOIN frame f ON f.id = k.frames[-1]
	GROUP BY ALL ORDER BY value DESC, function;
CREATE OR REPLACE VIEW top_children AS
	WITH each_frame AS (SELECT id AS stack, unnest(frames) AS frame FROM stack),
	once AS (SELECT DISTINCT e.stack, f.function, f.module FROM each_frame e JOIN frame f ON f.id = e.frame)
	SELECT b.event, o.function, o.module, sum(b.value)::BIGINT AS value, sum(b."count")::BIGINT AS "count"
	FROM by_stack b JOIN once o USING (stack) GROUP BY ALL ORDER BY value DESC, function;
CREATE OR REPLACE VIEW folded AS
	SELECT p.event, trim(coalesce(s.labels->>'$.comm', '') || ';' || k.names, ';') AS stack, sum(s.value)::BIGINT AS value
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack GROUP BY ALL ORDER BY event, stack;
CREATE OR REPLACE VIEW by_hour AS
	SELECT strftime(make_timestamp_ns(p.time), '%Y-%m-%dT%H') AS hour, p.event, p.machine, sum(s.value)::BIGINT AS value,
		sum(s."count")::BIGINT AS "count"
	FROM sample s JOIN profile p ON p.id = s.profile GROUP BY ALL ORDER BY hour, event, machine;

-- The questions: FROM hosts('main')
CREATE OR REPLACE MACRO has(names, name) AS contains(';' || names || ';', ';' || name || ';');
CREATE OR REPLACE MACRO hosts(name) AS TABLE
	SELECT p.machine, round(100.0 * sum(s.value) FILTER (has(k.names, name)) / sum(s.value), 2) AS share
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
	GROUP BY p.machine ORDER BY share DESC NULLS LAST, p.machine;
CREATE OR REPLACE MACRO hours(name) AS TABLE
	SELECT strftime(make_timestamp_ns(p.time), '%Y-%m-%dT%H') AS hour,
		round(100.0 * sum(s.value) FILTER (has(k.names, name)) / sum(s.value), 2) AS share
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack GROUP BY hour ORDER BY hour;
CREATE OR REPLACE MACRO new_since(since) AS TABLE
	WITH one AS (SELECT f.function, f.module, sum(s.value)::BIGINT AS value, min(p.time) AS first
		FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
			JOIN frame f ON f.id = k.frames[-1]
		GROUP BY f.function, f.module)
	SELECT function, module, value FROM one WHERE first >= since::BIGINT ORDER BY value DESC, function;
CREATE OR REPLACE MACRO service(name, day) AS TABLE
	SELECT f.function, f.module, sum(s.value)::BIGINT AS value
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack JOIN frame f ON f.id = k.frames[-1]
	WHERE s.labels->>'$.comm' = name AND strftime(make_timestamp_ns(p.time), '%Y-%m-%d') = day
	GROUP BY f.function, f.module ORDER BY value DESC, f.function;
CREATE OR REPLACE MACRO builds(old, new) AS TABLE
	WITH one AS (SELECT p.labels->>'$.build' AS build, f.function, sum(s.value) AS value
		FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack JOIN frame f ON f.id = k.frames[-1]
		WHERE p.labels->>'$.build' IN (old, new) GROUP BY ALL),
	share AS (SELECT build, function, 100.0 * value / sum(value) OVER (PARTITION BY build) AS share FROM one)
	SELECT function, round(coalesce(sum(share) FILTER (build = old), 0), 2) AS old,
		round(coalesce(sum(share) FILTER (build = new), 0), 2) AS new
	FROM share GROUP BY function
	ORDER BY abs(coalesce(sum(share) FILTER (build = new), 0) - coalesce(sum(share) FILTER (build = old), 0)) DESC, function;
CREATE OR REPLACE MACRO grafana(name) AS TABLE
	WITH one AS (SELECT string_split(k.names, ';') AS part, sum(s.value) AS value
		FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack WHERE p.event = name GROUP BY part),
	prefix AS (SELECT part[1:n] AS path, sum(value)::BIGINT AS value,
			coalesce(sum(value) FILTER (n = len(part)), 0)::BIGINT AS self
		FROM (SELECT part, value, unnest(range(0, len(part) + 1)) AS n FROM one) GROUP BY path)
	SELECT len(path) AS level, coalesce(path[-1], 'total') AS label, value, self FROM prefix ORDER BY path;
