#!/bin/sh
# perf script --script: which library of Python runs a script, and what is said where there is none.
. "$(dirname "$0")/lib.sh"
need PYTHON

mkdata x.data <<'END'
event cycles type=hardware config=0 period=10 sample=ip|tid|time|period
sample tid=100 ip=0x1010 time=100
END
cat > version.py <<'END'
import sys, json, struct
def process_event(e): print("%d.%d" % sys.version_info[:2], sys.argv, e["sample"]["tid"], "\u00e4")
END
# python3.N of the machine, in PATH or where a version manager has them, that have a library
for p in $(echo "$PATH" | tr : '\n' | sed 's,$,/python3,') /usr/bin/python3.[0-9]* "${PYENV_ROOT:-/nonexistent}"/versions/*/bin/python3; do
	[ -x "$p" ] && PERF_PYTHON=$p $PERF check -q feature libpython 2> /dev/null && echo "$p"
done > pythons
have_TWO() {
	while read -r p; do "$p" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; done < pythons | sort -u > versions
	[ "$(wc -l < versions)" -gt 1 ] || { echo "needs two versions of Python with shared libraries"; return 1; }
}

check 'version names the library, which the plug-in is not linked with' '
	$PERF version --build-options > out
	grep -Eq "libpython: \[ on  \]  # HAVE_LIBPYTHON_SUPPORT \( /.*libpython3\.[0-9]*\.so.*, version 3\.[0-9]+" out
	$PERF version -v > out
	grep -q "libpython3\.[0-9]*\.so.*, version 3\." out
	fails_with 1 grep -a "libpython3\.[0-9]*\.so" "$O/lib/perf/libpython.so"
'
check 'a script runs, with its arguments, and text in the locale C' '
	$PERF script -i x.data -s version.py a b > out
	grep -q "^3\.[0-9]* \[.version.py., .a., .b.\] 100 $(printf "\303\244")" out
	LC_ALL=POSIX $PERF script -i x.data -s version.py a b | same out -
	env -u LC_ALL $PERF script -i x.data -s version.py a b | same out -
'
check_if TWO 'each version runs the same script: chosen by PERF_PYTHON, or the first one in PATH' '
	while read -r p; do
		want="$("$p" -c "import sys; print(\"%d.%d\" % sys.version_info[:2])") ['\''version.py'\''] 100 $(printf "\303\244")"
		PERF_PYTHON=$p $PERF script -i x.data -s version.py > out
		echo "$want" | same - out
		mkdir -p one && ln -sf "$p" one/python3
		PATH=$PWD/one:$PATH $PERF script -i x.data -s version.py > out
		echo "$want" | same - out
		PERF_PYTHON=$p $PERF version -v > out
		lib=$(sed -n "s/.*libpython: .*( \(.*\), version.*/\1/p" out)
		PATH=/nonexistent PERF_PYTHON=$lib $PERF script -i x.data -s version.py > out
		echo "$want" | same - out
	done < pythons
'
# the library of the newest upstream's Python needs the C library beside it
have_NEWEST_LIBRARY() {
	have_NEWEST || return 1
	case $NEWEST in *newest-perf) ;; *) echo "no Python of the newest upstream here"; return 1 ;; esac
	root=$("$NEWEST" --where)/root
	lib=$root/usr/lib/$(uname -m)-linux-gnu
	for other in "$lib"/libpython3.*.so.1.0; do :; done
	[ -e "$other" ] || { echo "no library of Python beside the newest upstream"; return 1; }
	newest_libc "$PERF" version > /dev/null 2>&1 || { echo "this perf does not start with that C library"; return 1; }
}
newest_libc() {
	"$lib"/ld-linux*.so.* --library-path "$lib:$root/lib/$(uname -m)-linux-gnu" "$@"
}
check_if NEWEST_LIBRARY 'the same script runs with the Python of another distribution' '
	version=${other##*/libpython}
	PYTHONHOME=$root/usr PERF_PYTHON=$other newest_libc "$PERF" script -i x.data -s version.py > out
	echo "${version%.so.1.0} ['\''version.py'\''] 100 $(printf "\303\244")" | same - out
'
check 'scripts that start a Python are passed over, and not run' '
	mkdir shim
	printf "#!/bin/sh\ntouch ran\n" > shim/python3
	chmod 755 shim/python3
	PATH=$PWD/shim:$PATH $PERF script -i x.data -s version.py > out
	test -s out
	fails_with 1 env PERF_PYTHON="$PWD/shim/python3" $PERF script -i x.data -s version.py 2> err
	says "is not a program of Python" err
	test ! -e ran
'
check 'a Python without its library gets the name of the package, and check feature the truth' '
	mkdir -p alone/bin
	cp "$PERF" alone/bin/python3.39
	export PERF_PYTHON=$PWD/alone/bin/python3.39
	fails_with 1 $PERF script -i x.data -s version.py 2> err
	says "need the shared library of $PERF_PYTHON, libpython3.39.so.1.0, which is not installed" err
	says "install libpython3.39" err
	fails_with 1 $PERF check -q feature libpython
	$PERF version --build-options > out
	says "libpython: [ OFF ]" out
	says "libpython3.39.so.1.0, which is not installed" out
	PERF_PYTHON=no-such-python fails_with 1 $PERF script -i x.data -s version.py 2> err
	says "PERF_PYTHON: '\''no-such-python'\'' is not a program in PATH" err
'
check_if GCC 'libraries that are too old, of another kind, or no Python are refused' '
	mkdir -p old/bin old/lib
	cp "$PERF" old/bin/python3.39
	for version in "3.7.16 (default)" "3.39.0 free-threading build (x)"; do
		echo "const char *Py_GetVersion(void) { return \"$version\"; }" > old.c
		gcc -shared -fPIC -o old/lib/libpython3.39.so.1.0 old.c
		fails_with 1 env PERF_PYTHON="$PWD/old/bin/python3.39" $PERF script -i x.data -s version.py 2> err
		says "is Python ${version%% *}" err
	done
	echo "int x;" > old.c
	gcc -shared -fPIC -o old/lib/libpython3.39.so.1.0 old.c
	fails_with 1 env PERF_PYTHON="$PWD/old/bin/python3.39" $PERF script -i x.data -s version.py 2> err
	says "is not a library of Python" err
'
