-- Tables, views and questions for ClickHouse (25.3 or later): see README. It reads all rows below the current directory
-- (of a server: user_files). Of a profile that is in several directories, the samples of one are taken, which costs less
-- than comparing all rows.
DROP TABLE IF EXISTS profile;
CREATE TABLE profile ENGINE = MergeTree ORDER BY id AS SELECT * FROM file('**/profile.tsv', TSVWithNames,
	'id Int64, time Int64, machine String, kernel String, duration Int64, event String, unit String, frequency Int64,
	labels String, boot String') LIMIT 1 BY id;
DROP TABLE IF EXISTS frame;
CREATE TABLE frame ENGINE = MergeTree ORDER BY id AS SELECT DISTINCT * FROM file('**/frame.tsv', TSVWithNames,
	'id Int64, function String, module String, buildid String, file String, line Int64, offset Int64, inlined Int64');
DROP TABLE IF EXISTS stack;
CREATE TABLE stack ENGINE = MergeTree ORDER BY id AS SELECT DISTINCT * FROM file('**/stack.tsv', TSVWithNames,
	'id Int64, frames Array(Int64), names String, ending String');
DROP TABLE IF EXISTS sample;
CREATE TABLE sample ENGINE = MergeTree ORDER BY (stack, profile) AS SELECT * FROM file('**/sample.tsv', TSVWithNames,
	'profile Int64, stack Int64, labels LowCardinality(String), count Int64, value Int64')
	WHERE (profile, _path) NOT IN (SELECT id, concat(substring(path, 1, length(path) - length('profile.tsv')), 'sample.tsv')
		FROM (SELECT id, _path AS path, dense_rank() OVER (PARTITION BY id ORDER BY _path) AS nr
			FROM file('**/profile.tsv', TSVWithNames, 'id Int64')) WHERE nr > 1);

CREATE OR REPLACE VIEW by_stack AS
	SELECT p.event AS event, s.stack AS stack, sum(s.value) AS value, sum(s.count) AS count
	FROM sample AS s JOIN profile AS p ON p.id = s.profile GROUP BY p.event, s.stack;
CREATE OR REPLACE VIEW top_self AS
	SELECT b.event AS event, f.function AS function, f.module AS module, sum(b.value) AS value, sum(b.count) AS count
	FROM by_stack AS b JOIN stack AS k ON k.id = b.stack JOIN frame AS f ON f.id = k.frames[-1]
	GROUP BY b.event, f.function, f.module ORDER BY value DESC, function;
CREATE OR REPLACE VIEW top_children AS
	WITH once AS (SELECT DISTINCT e.stack AS stack, f.function AS function, f.module AS module
		FROM (SELECT id AS stack, arrayJoin(frames) AS frame FROM stack) AS e JOIN frame AS f ON f.id = e.frame)
	SELECT b.event AS event, o.function AS function, o.module AS module, sum(b.value) AS value, sum(b.count) AS count
	FROM by_stack AS b JOIN once AS o ON o.stack = b.stack
	GROUP BY b.event, o.function, o.module ORDER BY value DESC, function;
CREATE OR REPLACE VIEW folded AS
	SELECT p.event AS event, trim(BOTH ';' FROM concat(JSONExtractString(s.labels, 'comm'), ';', k.names)) AS stack,
		sum(s.value) AS value
	FROM sample AS s JOIN profile AS p ON p.id = s.profile JOIN stack AS k ON k.id = s.stack
	GROUP BY p.event, stack ORDER BY event, stack;
CREATE OR REPLACE VIEW by_hour AS
	SELECT formatDateTime(fromUnixTimestamp64Nano(p.time, 'UTC'), '%Y-%m-%dT%H') AS hour, p.event AS event, p.machine AS machine,
		sum(s.value) AS value, sum(s.count) AS count
	FROM sample AS s JOIN profile AS p ON p.id = s.profile GROUP BY hour, p.event, p.machine ORDER BY hour, event, machine;

-- The questions: SELECT * FROM hosts(name = 'main')
CREATE OR REPLACE VIEW hosts AS
	WITH hit AS (SELECT id FROM stack WHERE has(splitByChar(';', names), {name:String}))
	SELECT p.machine AS machine, round(100.0 * sumIf(s.value, s.stack IN hit) / sum(s.value), 2) AS share
	FROM sample AS s JOIN profile AS p ON p.id = s.profile GROUP BY p.machine ORDER BY share DESC, machine;
CREATE OR REPLACE VIEW hours AS
	WITH hit AS (SELECT id FROM stack WHERE has(splitByChar(';', names), {name:String}))
	SELECT formatDateTime(fromUnixTimestamp64Nano(p.time, 'UTC'), '%Y-%m-%dT%H') AS hour,
		round(100.0 * sumIf(s.value, s.stack IN hit) / sum(s.value), 2) AS share
	FROM sample AS s JOIN profile AS p ON p.id = s.profile GROUP BY hour ORDER BY hour;
CREATE OR REPLACE VIEW new_since AS
	SELECT f.function AS function, f.module AS module, sum(s.value) AS value
	FROM sample AS s JOIN profile AS p ON p.id = s.profile JOIN stack AS k ON k.id = s.stack JOIN frame AS f ON f.id = k.frames[-1]
	GROUP BY f.function, f.module HAVING min(p.time) >= {since:Int64} ORDER BY value DESC, function;
CREATE OR REPLACE VIEW service AS
	SELECT f.function AS function, f.module AS module, sum(s.value) AS value
	FROM sample AS s JOIN profile AS p ON p.id = s.profile JOIN stack AS k ON k.id = s.stack JOIN frame AS f ON f.id = k.frames[-1]
	WHERE JSONExtractString(s.labels, 'comm') = {name:String}
		AND formatDateTime(fromUnixTimestamp64Nano(p.time, 'UTC'), '%Y-%m-%d') = {day:String}
	GROUP BY f.function, f.module ORDER BY value DESC, function;
CREATE OR REPLACE VIEW builds AS
	WITH one AS (SELECT JSONExtractString(p.labels, 'build') AS build, f.function AS function, sum(s.value) AS value
		FROM sample AS s JOIN profile AS p ON p.id = s.profile JOIN stack AS k ON k.id = s.stack
			JOIN frame AS f ON f.id = k.frames[-1]
		WHERE build IN ({old:String}, {new:String}) GROUP BY build, f.function),
	share AS (SELECT build, function, 100.0 * value / sum(value) OVER (PARTITION BY build) AS part FROM one)
	SELECT function, round(sumIf(part, build = {old:String}), 2) AS old, round(sumIf(part, build = {new:String}), 2) AS new
	FROM share GROUP BY function
	ORDER BY abs(sumIf(part, build = {new:String}) - sumIf(part, build = {old:String})) DESC, function;
CREATE OR REPLACE VIEW grafana AS
	WITH one AS (SELECT splitByChar(';', k.names) AS part, sum(s.value) AS value
		FROM sample AS s JOIN profile AS p ON p.id = s.profile JOIN stack AS k ON k.id = s.stack
		WHERE p.event = {name:String} GROUP BY part)
	SELECT length(path) AS level, if(level = 0, 'total', path[-1]) AS label, sum(total) AS value, sum(own) AS self
	FROM (SELECT arrayJoin(range(0, length(part) + 1)) AS n, arraySlice(part, 1, n) AS path, value AS total,
		if(n = length(part), value, 0) AS own FROM one)
	GROUP BY path ORDER BY path;
