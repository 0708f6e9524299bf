-- A flame graph: each prefix of a stack is a row, after the row that contains it.
WITH RECURSIVE one AS (SELECT k.names, sum(s.value) AS value
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
	WHERE p.event = :event GROUP BY k.names),
part (prefix, rest, level, label, value) AS (
	SELECT '', names || ';', 0, 'total', value FROM one
	UNION ALL
	SELECT prefix || substr(rest, 1, instr(rest, ';')), substr(rest, instr(rest, ';') + 1), level + 1,
		substr(rest, 1, instr(rest, ';') - 1), value FROM part WHERE rest <> '')
SELECT level, label, sum(value) AS value, sum(CASE rest WHEN '' THEN value ELSE 0 END) AS self
FROM part GROUP BY prefix ORDER BY prefix;
