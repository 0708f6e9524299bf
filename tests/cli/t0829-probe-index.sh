#!/bin/sh
# perf probe with a kept index of functions: the same answers as without, whatever happened to the index
. "$(dirname "$0")/lib.sh"
need GCC

cat > one.c <<-EOF
	int value;
	static inline int twice(int n) { return n * 2 + value; }
	static __attribute__((noipa)) int same(int by3) { return by3 * 3; }
	int one(int first) { return same(twice(first)); }
EOF
cat > two.c <<-EOF
	int one(int first);
	static __attribute__((noipa)) int same(int by5) { return by5 * 5; }
	int main(int argc, char **argv) { return one(argc) + same(argc); }
EOF
gcc -g -O1 -o prog one.c two.c
cache=$HOME/.cache/perf

ask() {
	for what in '-D one' '-D same' '-D twice' '-D nosuch' '-D main:0' '-D one@one.c' '-V one' '-V main' '-L one' '-L same' '-F'; do
		echo "== $what"
		$PERF probe "$@" ${what%% *} "${what#* }" 2>&1 || echo "status $?"
	done
	$PERF probe "$@" -D 'one first' -D same -D 'same b=value' -D twice -D main 2>&1
	$PERF probe "$@" -D 'one first' -D 'nosuch' 2>&1 || echo "status $?"
}
kept() {
	ls "$cache" 2> /dev/null | grep -q '^probe-names-[0-9a-f]*$'
}
# makes the index of a program, which happens in the background
index() {
	rm -f "$cache"/probe-names-*	# kept is the new one
	$PERF probe --index 1 -x ./"$1" -D main > out
	until_true kept
}
# the background process has ended, or there was none
settled() {
	[ -z "$(ls "$cache" 2> /dev/null | grep '^probe-names-.*[.]')" ]
}

check 'answers are the same with and without it' '
	ask -x ./prog --index 0 > want
	grep -q "^p:probe_prog/twice " want
	not kept
	index prog
	test "$(stat -c %a "$cache"/probe-names-* "$cache" | tr "\n" " ")" = "600 700 "
	ask -x ./prog --index 1 | same want -
	$PERF probe -v --index 1 -x ./prog -D one 2> err
	grep -q "^kept index of the names of functions: probe-names-" err'

check 'C++: names with scopes, operators and templates' '
	cat > cxx.cc <<-END
		namespace ns {
			struct t { int put(int m); template <class T> T get(T a); bool operator<(const t &o) const; };
			template <class T> __attribute__((noipa)) T t::get(T a) { return a + 1; }
			bool t::operator<(const t &o) const { return &o < this; }
			int t::put(int m) { return get(m) + get(2L); }
		}
		int put(int a) { return a; }
		int main(int n, char **) { ns::t a, b; return a.put(n) + put(n) + (a < b); }
	END
	g++ -g -O1 -o cxx cxx.cc
	for index in 0 1; do
		rm -rf "$cache"
		[ $index = 0 ] || index cxx
		for f in put ns::t::put t::put get ns::t::get "get<int>" "ns::t::operator<" _ZN2ns1t3putEi "put(int)" "ns::nosuch" "put*"; do
			echo "== $f"
			$PERF probe -x ./cxx --index $index -D "$f" 2>&1 || echo "status $?"
		done > out$index
	done
	grep -q "^p:probe_cxx/get" out1
	same out0 out1'

check 'a damaged one is not used, and made again' '
	rm -rf "$cache"
	$PERF probe --index 0 -x ./prog -D same > want
	index prog
	file=$(echo "$cache"/probe-names-*)
	cp "$file" good
	size=$(stat -c %s good)
	i=0
	while [ $i -lt "$size" ]; do
		cp good bad
		printf "\\245" | dd of=bad bs=1 seek=$i conv=notrunc status=none
		cmp -s good bad && printf "\\132" | dd of=bad bs=1 seek=$i conv=notrunc status=none
		cat bad > "$file"
		$PERF probe -v --index 1 -x ./prog -D same > out 2> err
		same want out
		says "missing index" err
		until_true cmp -s good "$file"
		i=$((i + 13))
	done
	for cut in 0 1 87 88 $((size - 1)); do
		head -c $cut good > "$file"
		$PERF probe --index 1 -x ./prog -D same | same want -
		until_true cmp -s good "$file"
	done'

check 'that of an earlier state of the file is not used, and replaced' '
	list=$(echo "$cache"/probe-names-*)
	cp "$list" old
	# in place: only the build-id tells
	cp -p prog kept
	sed -i s/same/emas/ one.c two.c
	gcc -g -O1 -o new one.c two.c
	test "$(stat -c %s new)" = "$(stat -c %s prog)"
	cat new > prog
	touch -r kept prog
	$PERF probe --index 1 -x ./prog -D emas > out
	grep -q "^p:probe_prog/emas " out
	until_true not cmp -s old "$list"
	test "$(ls "$cache" | grep -c probe-names)" = 1
	# without a build-id its time does
	gcc -g -O1 -Wl,--build-id=none -o prog one.c two.c
	index prog
	until_true settled
	sed -i s/emas/sema/ one.c two.c
	gcc -g -O1 -Wl,--build-id=none -o new one.c two.c
	cat new > prog
	list=$(echo "$cache"/probe-names-*)
	cp "$list" old
	$PERF probe --index 1 -x ./prog -D sema > out
	grep -q "^p:probe_prog/sema " out
	until_true not cmp -s old "$list"'

# lists of functions, with and without one that was kept
check 'a list of functions is the same when it was kept, and filters choose from it' '
	rm -rf "$cache"
	gcc -g -O1 -o prog one.c two.c
	for filter in "!_*" "*" "s* | main" "nosuch" "_*"; do
		$PERF probe --index 0 -x ./prog -F "$filter"
	done > want
	test ! -e "$cache"/probe-functions-*
	for i in 1 2; do
		for filter in "!_*" "*" "s* | main" "nosuch" "_*"; do
			$PERF probe -v --index 1 -x ./prog -F "$filter" 2>> err
		done > out
		same want out
	done
	test "$(grep -c "^missing list of functions: probe-functions-" err)" = 1
	test "$(grep -c "^kept list of functions: probe-functions-" err)" = 9
	test "$(stat -c %a "$cache"/probe-functions-*)" = 600
	$PERF probe --index 0 -x ./prog -F --no-demangle "*" > want
	$PERF probe --index 1 -x ./prog -F --no-demangle "*" | same want -
	printf "int f(void) { return 1; }\n" > small.c
	gcc -shared -fPIC -o small.so small.c
	$PERF probe -x ./small.so -F > out
	test "$(ls "$cache" | grep -c probe-functions)" = 1'

check 'a list of functions that is damaged, or of an earlier state of the file, is made again' '
	file=$(echo "$cache"/probe-functions-*)
	$PERF probe --index 0 -x ./prog -F "*" > want
	cp "$file" good
	size=$(stat -c %s good)
	for i in 0 8 40 72 79 80 81 $((size - 1)); do
		cp good bad
		printf "\\245" | dd of=bad bs=1 seek=$i conv=notrunc status=none
		cat bad > "$file"
		$PERF probe --index 1 -x ./prog -F "*" | same want -
		cmp good "$file"
	done
	for cut in 0 1 79 80 $((size - 1)); do
		head -c $cut good > "$file"
		$PERF probe --index 1 -x ./prog -F "*" | same want -
		cmp good "$file"
	done
	sed -i s/twice/thrice/ one.c
	gcc -g -O1 -fno-inline -o new one.c two.c
	cat new > prog
	$PERF probe --index 1 -x ./prog -F > out
	grep -qx thrice out
	not cmp -s good "$file"'

check 'none is kept of small files, by default, or where others can write' '
	rm -rf "$cache"
	$PERF probe -x ./prog -D main > out
	$PERF probe --index 1G -x ./prog -D main > out
	PERF_CONFIG=$PWD/config
	export PERF_CONFIG
	printf "[probe]\n\tindex = 1\n" > config
	env -u HOME -u XDG_CACHE_HOME "$PERF" probe -x ./prog -D main > out
	env -u HOME XDG_CACHE_HOME=relative "$PERF" probe -x ./prog -D main > out
	mkdir -p "$cache"
	chmod 777 "$cache"
	$PERF probe -x ./prog -D main > out
	grep -q "^p:probe_prog/main" out
	sleep 0.3
	test -z "$(ls "$cache")"
	chmod 700 "$cache"
	$PERF probe -x ./prog -D main > out
	until_true kept
	fails_with 129 $PERF probe --index x -x ./prog -D main 2> err
	says "is not a size" err'

check 'there are at most 32 of them; those that were used last stay' '
	rm -f "$cache"/probe-names-*
	for i in $(seq -w 40); do
		echo x > "$cache/probe-names-00000000000000$i"
		touch -d "2020-01-01 00:00:$i" "$cache/probe-names-00000000000000$i"
	done
	echo x > "$cache/other"
	$PERF probe --index 1 -x ./prog -D main > out
	count() { [ "$(ls "$cache" | grep -c probe-names)" = 32 ]; }
	until_true count
	until_true settled
	test -e "$cache/other"
	test -e "$cache/probe-names-0000000000000040"
	test ! -e "$cache/probe-names-0000000000000009"'

check_if NONROOT 'none is written into a folder of another user' '
	mkdir -p foreign/perf
	chmod 755 foreign foreign/perf
	XDG_CACHE_HOME=$PWD/foreign as_nobody $PERF probe --index 1 -x ./prog -D main > out
	grep -q "^p:probe_prog/main" out
	sleep 0.3
	test -z "$(ls foreign/perf)"'
