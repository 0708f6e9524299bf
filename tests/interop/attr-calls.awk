# strace -ff of perf_event_open, ioctl and read, one file a process -> one line for each kind of event that
# was used: attribute fields that are not 0, sorted, without what only strace adds; then task, CPU, group.
# With -v tried=1 events that were refused are shown, too. Probes for features are not used (nobody reads
# them, asks for their ids, or groups with what is), so they do not appear.

function attr_of(line,    n, part, i, out, field, nr, list, k, tmp) {
	sub(/^perf_event_open\(\{/, "", line)
	sub(/\}, -?[0-9]+, -?[0-9]+, -?[0-9]+, .*$/, "", line)
	gsub(/\/\*[^*]*\*\//, "", line)
	gsub(/[{} ]/, "", line)
	n = split(line, part, ",")
	nr = 0
	for (i = 1; i <= n; i++) {
		field = part[i]
		if (field ~ /^(size|sig_data)=/ || field ~ /=(0|0x0)$/ && field !~ /^(type|config)=/ || field !~ /=/)
			continue
		list[++nr] = field
	}
	# the order of fields is strace's: sorted, so that versions of it do not matter
	for (i = 2; i <= nr; i++)
		for (k = i; k > 1 && list[k] < list[k - 1]; k--) {
			tmp = list[k]; list[k] = list[k - 1]; list[k - 1] = tmp
		}
	out = ""
	for (i = 1; i <= nr; i++)
		out = out " " list[i]
	return out
}
# "task"; a PID is told as such, because it is another one each time
function where_of(line,    m, a) {
	match(line, /\}, -?[0-9]+, -?[0-9]+, -?[0-9]+, /)
	m = substr(line, RSTART + 3, RLENGTH - 5)
	split(m, a, ", ")
	return " | " (a[1] > 0 ? "task" : a[1] == 0 ? "self" : "all") " cpu " a[2] (a[3] >= 0 ? " member" : "")
}
function call_fd(name,    rest) {
	rest = $0
	sub("^" name "\\(", "", rest)
	return rest + 0
}
FNR == 1 {
	for (fd in cur)
		delete cur[fd]
}
/^perf_event_open\(/ && / = [0-9]+$/ {
	where = where_of($0)
	match($0, /\}, -?[0-9]+, -?[0-9]+, -?[0-9]+, /)
	split(substr($0, RSTART + 3, RLENGTH - 5), arg, ", ")
	cur[$NF] = ++nr
	desc[nr] = attr_of($0) where
	leader[nr] = arg[3] >= 0 ? cur[arg[3]] : 0
}
/^perf_event_open\(/ && / = -1 / && tried {
	what = attr_of($0)
	# what would have been sampled or counted, not probed
	if (what ~ /sample_type=/ && what !~ /type=PERF_TYPE_SOFTWARE/) {
		desc[++nr] = what where_of($0) " refused"
		used[nr] = 1
	}
}
/^ioctl\([0-9]+, (PERF_EVENT_IOC_ID|0x80082407)/ { used[cur[call_fd("ioctl")]] = 1 }
/^read\([0-9]+,/ { used[cur[call_fd("read")]] = 1 }
/^close\([0-9]+\)/ { delete cur[call_fd("close")] }
END {
	for (i = 1; i <= nr; i++)
		if ((used[i] || (leader[i] && used[leader[i]])) && !seen[desc[i]]++)
			print desc[i]
}
