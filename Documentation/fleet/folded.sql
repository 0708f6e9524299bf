-- Stacks as perf report -i - reads them.
SELECT stack || ' ' || value FROM folded WHERE event = :event;
