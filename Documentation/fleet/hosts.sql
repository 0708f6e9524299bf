-- Machines by the share of a function and what it called, in percent.
SELECT p.machine, round(100.0 * sum(CASE WHEN instr(';' || k.names || ';', ';' || :function || ';') THEN s.value
	ELSE 0 END) / sum(s.value), 2) AS share
FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
GROUP BY p.machine ORDER BY share DESC, p.machine;
