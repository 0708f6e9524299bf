#!/bin/sh
# the copy of the kernel's list of symbols: when it is used, and when not
. "$(dirname "$0")/lib.sh"

have_KERNEL_NAMES() {
	[ -r /proc/sys/kernel/random/boot_id ] && grep -m 1 -q "^[0-9a-f]*[1-9a-f][0-9a-f]* [tT] schedule$" /proc/kallsyms ||
		{ echo "needs addresses in /proc/kallsyms, and boot_id"; return 1; }
}
need KERNEL_NAMES

text=$(awk '$3 == "_text" { print $1; exit }' /proc/kallsyms)
addr=$(awk '$3 == "schedule" { print $1; exit }' /proc/kallsyms)
mkdata x.data <<END
event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2
feature hostname str:"$(uname -n)"
feature osrelease str:"$(uname -r)"
feature arch str:"$(uname -m)"
mmap tid=-1 pid=-1 misc=kernel addr=0x$text len=0x4000000 pgoff=0x$text filename="[kernel.kallsyms]_text"
sample tid=1 ip=0x$addr misc=kernel time=5
END
name() {
	"$PERF" script -i x.data -F ip,sym "$@" | sed 's/^ *[^ ]* //'
}
copy=$HOME/.cache/perf/kernel-symbols

# in the copy, names end with a NUL
rename() {
	sed -z -i "s/^schedule\$/OF__COPY/" "$copy"
}

check 'it is made for its user alone, used, and not read where another boot or set of modules made it' '
	test "$(name)" = schedule
	test "$(stat -c %a "$copy" "$(dirname "$copy")" | tr "\n" " ")" = "600 700 "
	head -n 1 "$copy" | finds " $(cat /proc/sys/kernel/random/boot_id) "
	tr "\\0" "\n" < "$copy" > names
	not grep -qax "bpf" names
	grep -qax schedule names
	rename
	test "$(name)" = OF__COPY
	sed -i "1s/ [0-9a-f]\\{16\\} / 123456789abcdef0 /" "$copy"
	test "$(name)" = schedule
	rename
	sed -i "1s/ 2 ........-/ 2 00000000-/" "$copy"
	test "$(name)" = schedule'

check 'one that others could have written is not read' '
	rename
	chmod 644 "$copy"
	test "$(name)" = schedule
	rename
	chmod 777 "$(dirname "$copy")"
	test "$(name)" = schedule
	chmod 700 "$(dirname "$copy")"
	test "$(name)" = OF__COPY
	mv "$copy" elsewhere
	ln -s "$PWD/elsewhere" "$copy"
	test "$(name)" = schedule
	test ! -L "$copy"
	grep -q OF__COPY elsewhere'

check 'damage, no folder, and a name of its own for the folder' '
	head -c 3000 "$copy" > cut
	cat cut > "$copy"
	test "$(name)" = schedule
	test "$(stat -c %s "$copy")" -gt 3000
	rm -r "$HOME/.cache"
	test "$(HOME=/nonexistent name)" = schedule
	test "$(XDG_CACHE_HOME=relative name)" = schedule
	mkdir own
	test "$(XDG_CACHE_HOME=$PWD/own name)" = schedule
	test -s own/perf/kernel-symbols
	test ! -e relative'
