-- Shares of functions in two builds, in percent, by how much they changed.
WITH one AS (SELECT json_extract(p.labels, '$.build') AS build, f.function, sum(s.value) AS value
	FROM sample s JOIN profile p ON p.id = s.profile JOIN stack k ON k.id = s.stack
		JOIN frame f ON f.id = json_extract(k.frames, '$[#-1]')
	WHERE build IN (:old, :new) GROUP BY build, f.function),
share AS (SELECT build, function, 100.0 * value / sum(value) OVER (PARTITION BY build) AS share FROM one)
SELECT function, round(sum(CASE build WHEN :old THEN share ELSE 0 END), 2) AS old,
	round(sum(CASE build WHEN :new THEN share ELSE 0 END), 2) AS new
FROM share GROUP BY function
ORDER BY abs(sum(CASE build WHEN :new THEN share ELSE -share END)) DESC, function;
