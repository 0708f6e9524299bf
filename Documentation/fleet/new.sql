-- Functions that are new since a time.
SELECT f.function, f.module, sum(s.value) AS value
FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
	JOIN frame f ON f.id = json_extract(k.frames, '$[#-1]')
GROUP BY f.function, f.module HAVING min(p.time) >= CAST(:since AS INTEGER) ORDER BY value DESC, f.function;
