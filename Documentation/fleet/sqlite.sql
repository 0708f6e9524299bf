-- Tables and views for profiles in sqlite: see README. Nothing that exists is changed.
CREATE TABLE IF NOT EXISTS profile (id INTEGER PRIMARY KEY ON CONFLICT IGNORE, time INTEGER, machine TEXT, kernel TEXT,
	duration INTEGER, event TEXT, unit TEXT, frequency INTEGER, labels TEXT, boot TEXT);
CREATE TABLE IF NOT EXISTS frame (id INTEGER PRIMARY KEY ON CONFLICT IGNORE, function TEXT, module TEXT, buildid TEXT,
	file TEXT, line INTEGER, offset INTEGER, inlined INTEGER);
CREATE TABLE IF NOT EXISTS stack (id INTEGER PRIMARY KEY ON CONFLICT IGNORE, frames TEXT, names TEXT, ending TEXT);
CREATE TABLE IF NOT EXISTS sample (profile INTEGER, stack INTEGER, labels TEXT, count INTEGER, value INTEGER);
CREATE TABLE IF NOT EXISTS sample_at (profile INTEGER, stack INTEGER, labels TEXT, time INTEGER, cpu INTEGER, value INTEGER);

CREATE VIEW IF NOT EXISTS top_self AS
	WITH by_stack AS (SELECT p.event, s.stack, sum(s.value) AS value, sum(s.count) AS count
		FROM sample s JOIN profile p ON p.id = s.profile GROUP BY p.event, s.stack)
	SELECT b.event, f.function, f.module, sum(b.value) AS value, sum(b.count) AS count
	FROM by_stack b JOIN stack k ON k.id = b.stack JOIN frame f ON f.id = json_extract(k.frames, '$[#-1]')
	GROUP BY b.event, f.function, f.module ORDER BY value DESC, f.function;

CREATE VIEW IF NOT EXISTS top_children AS
	WITH by_stack AS (SELECT p.event, s.stack, sum(s.value) AS value, sum(s.count) AS count
		FROM sample s JOIN profile p ON p.id = s.profile GROUP BY p.event, s.stack),
	once AS (SELECT DISTINCT k.id AS stack, f.function, f.module
		FROM stack k, json_each(k.frames) e JOIN frame f ON f.id = e.value)
	SELECT b.event, o.function, o.module, sum(b.value) AS value, sum(b.count) AS count
	FROM by_stack b JOIN once o ON o.stack = b.stack
	GROUP BY b.event, o.function, o.module ORDER BY value DESC, o.function;

CREATE VIEW IF NOT EXISTS folded AS
	SELECT p.event, trim(coalesce(json_extract(s.labels, '$.comm'), '') || ';' || k.names, ';') AS stack,
		sum(s.value) AS value
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
	GROUP BY p.event, 2 ORDER BY p.event, 2;

CREATE VIEW IF NOT EXISTS by_hour AS
	SELECT strftime('%Y-%m-%dT%H', p.time / 1000000000, 'unixepoch') AS hour, p.event, p.machine,
		sum(s.value) AS value, sum(s.count) AS count
	FROM sample s JOIN profile p ON p.id = s.profile GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- Indexes are last: those of rows that exist are made faster than those that grow with each row.
CREATE INDEX IF NOT EXISTS sample_profile ON sample (profile);
