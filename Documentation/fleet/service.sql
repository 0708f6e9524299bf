-- Functions of one command on one day.
SELECT f.function, f.module, sum(s.value) AS value
FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
	JOIN frame f ON f.id = json_extract(k.frames, '$[#-1]')
WHERE json_extract(s.labels, '$.comm') = :comm AND date(p.time / 1000000000, 'unixepoch') = :day
GROUP BY f.function, f.module ORDER BY value DESC, f.function;
