#!/bin/sh
# "make demo" and "make deps": how much they print, in a copy of config/ beside a make, a package manager and
# a compiler that are made here.
. "$(dirname "$0")/lib.sh"

cp -r "$SRC/config" config
ln -s "$PERF" perf
mkdir tools
# talks STATUS: a package manager that prints 400 lines
talks() {
	printf '#!/bin/sh\ni=0\nwhile [ $((i += 1)) -le 400 ]; do echo "apt says $i of $*"; done\nexit %s\n' "$1" > tools/apt-get
	chmod +x tools/apt-get
}
printf '#!/bin/sh\necho 0\n' > tools/id
cat > tools/make <<'EOF'
#!/bin/sh
i=0
while [ $((i += 1)) -le 200 ]; do
	case " $* " in
	*" -n "*) echo "printf '  %-7s %s' CC file$i.c" ;;
	*) echo "  CC      file$i.c" ;;
	esac
done
echo "  LINK    perf"
EOF
# a compiler for which every library is missing, until there is a file
printf '#!/bin/sh\n! [ -e missing ]\n' > tools/cc
chmod +x tools/*

check_if EVENTS 'a demo prints 40 lines at most, however much is installed and compiled' '
	: > missing
	talks 0
	PATH=$PWD/tools:$PATH CC=$PWD/tools/cc config/demo.sh > out 2>&1
	test "$(wc -l < out)" -le 40
	says "perf: installing libbpf-dev" out
	silent_about "apt says" out
	says "compiling 200 of 200" out
	grep "^# Overhead" out
	says burn out
	says "Try next:" out
'
check 'packages that a machine does not have are not asked for there' '
	: > missing
	talks 0
	for machine in x86_64 s390x; do
		printf "#!/bin/sh\necho $machine\n" > tools/uname
		chmod +x tools/uname
		PATH=$PWD/tools:$PATH CC=$PWD/tools/cc config/deps.sh --name libelf libipt > $machine
	done
	rm tools/uname
	grep " libelf-dev libipt-dev$" x86_64
	grep " libelf-dev$" s390x
'
check 'what the package manager printed is shown when something is missing at the end' '
	: > missing
	talks 100
	fails_with 100 env PATH="$PWD/tools:$PATH" CC="$PWD/tools/cc" config/deps.sh > out 2> err
	says "perf: installing" out
	test "$(grep -c "^apt says" err)" = 400
	says "apt says 400 of update" err
'
check 'nothing of it is shown if all is there although a package is not' '
	: > missing
	printf "#!/bin/sh\nrm -f missing\necho apt says no\ntest \"\$1\" = update\n" > tools/apt-get
	PATH=$PWD/tools:$PATH CC=$PWD/tools/cc config/deps.sh > err 2>&1
	says "perf: cannot install libelf-dev" err
	silent_about "apt says" err
'
