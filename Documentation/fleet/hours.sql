-- The share of a function and what it called by hour, in percent.
SELECT strftime('%Y-%m-%dT%H', p.time / 1000000000, 'unixepoch') AS hour,
	round(100.0 * sum(CASE WHEN instr(';' || k.names || ';', ';' || :function || ';') THEN s.value
	ELSE 0 END) / sum(s.value), 2) AS share
FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
GROUP BY hour ORDER BY hour;
