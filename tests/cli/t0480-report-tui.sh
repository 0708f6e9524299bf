#!/bin/sh
# report in the terminal: keys are pressed, and the screen is looked at
. "$(dirname "$0")/lib.sh"

cat > x.mk <<'END'
event cycles type=hardware config=0 period=10 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
default period=10
sample tid=100 ip=0x1210 chain=-512,0x1210,0x1310,0x1410 time=1000
sample tid=100 ip=0x1210 chain=-512,0x1210,0x1310,0x1410 time=2000
sample tid=100 ip=0x1220 chain=-512,0x1220,0x1310,0x1410 time=3000
sample tid=100 ip=0x1230 chain=-512,0x1230,0x1410 time=1000001000
END
mkdata x.data < x.mk
cat > perf-100.map <<'END'
1200 10 unused
1210 10 hot_leaf
1220 10 cold_leaf
1230 10 third
1310 10 middle
1410 10 outer
END
mkdir -p fs/tmp
cp perf-100.map fs/tmp/

report() {
	PERF_FS_ROOT=$PWD/fs tui "$PERF" report -i "${DATA-x.data}" "$@"
}

check_if TUI 'the first screen has the summary, titles and rows; the size can change to 20 columns and back' '
	cat > steps <<-END
	size 16 80
	wait hot_leaf
	screen
	size 6 20
	gone Symbol
	wait Children
	size 1 1
	size 16 80
	wait hot_leaf
	key q
	ends 0
	clean
	END
	report < steps > out
	expect first out
'
check_if TUI 'the first screen of a file without samples says so' '
	grep -v ^sample x.mk | mkdata none.data
	printf "size 12 90\nwait No event occurred\nkey q\nends 0\nclean\n" | DATA=none.data report
'
check_if TUI 'the command line stands apart from the numbers before it' '
	{ echo "feature cmdline u32:2 str:\"/bin/perf\" str:\"record\""; cat x.mk; } | mkdata command.data
	printf "size 12 90\nwait end early; command: perf record\nkey q\nends 0\n" | DATA=command.data report
	rm command.data
'
check_if TUI 'the first screen names the program whose functions are missed most, and none of next to nothing' '
	cat > missing.mk <<-END
	event cpu-clock type=software config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=100 comm="app" time=1
	END
	for tid in 100 300 400; do
		echo "mmap2 tid=$tid addr=0x1000 len=0x1000 prot=5 flags=2 filename=\"//anon\" time=2"
	done >> missing.mk
	cat >> missing.mk <<-END
	sample tid=300 ip=0x1210 chain=-512,0x1210,0x1310,0x1410,0x1510 time=1000 period=1
	sample tid=100 ip=0x1210 chain=-512,0x1210,0x1310,0x1410 time=1000 period=1000
	END
	mkdata few.data < missing.mk
	echo "sample tid=400 ip=0x1210 chain=-512,0x1210,0x1310,0x1410,0x1510 time=1000 period=100" >> missing.mk
	mkdata missing.data < missing.mk
	printf "size 16 60\nwait h: keys\nwait app\nscreen\nkey q\nends 0\n" > steps
	DATA=few.data report < steps > out
	not grep map out
	DATA=missing.data report < steps > out
	says "/tmp/perf-400.map was not found" out
	not grep perf-300 out
	# two rows of advice
	grep -A 1 "^/tmp/perf-400.map" out > lines
	says "(java: -XX" lines
'
check_if TUI 'call graphs open level by level, and all at once' '
	cat > steps <<-END
	size 20 70
	wait hot_leaf
	key DOWN DOWN
	selected hot_leaf
	key +
	wait - 
	key E
	wait 25.00% third
	screen
	key C
	gone 25.00% third
	key q
	ends 0
	END
	report -G < steps > out
	expect graph out
'
check_if TUI 'c opens and closes all below a line; L hides rows below a share' '
	cat > steps <<-END
	size 24 70
	wait hot_leaf
	key +
	wait 100.00% outer
	key DOWN c
	wait 75.00% middle
	wait 50.00% hot_leaf
	key c
	gone 75.00% middle
	key UP -
	key L
	wait Hide rows below percent: 0_
	key BACKSPACE
	type 60
	key ENTER
	gone cold_leaf
	wait middle
	key L
	wait percent: 60_
	type x
	key ENTER
	wait is not a number of percent
	key L
	key BACKSPACE BACKSPACE
	type 0
	key ENTER
	wait cold_leaf
	key q
	ends 0
	END
	report -G < steps
'
check_if TUI 'a filter matches while it is typed; ESC shows all rows again' '
	cat > steps <<-END
	wait hot_leaf
	key /
	wait Show names with: _
	type LEAF
	gone third
	wait cold_leaf
	wait contains
	key ENTER
	wait 1 of 2
	key F
	wait shares refer to the rows
	key ESC
	wait third
	key q
	ends 0
	END
	report --no-children < steps
'
check_if TUI 'zooms keep rows of a thread or program, and F refers shares to them' '
	cat > two.mk <<-END
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm
	comm tid=100 comm="first" time=1
	comm tid=200 comm="second" time=1
	default period=10
	sample tid=100 ip=0x1210 time=1000
	sample tid=100 ip=0x1210 time=1000
	sample tid=100 ip=0x1210 time=1000
	sample tid=200 ip=0x5210 time=2000
	END
	mkdata two.data < two.mk
	cat > steps <<-END
	wait second
	key DOWN
	selected second
	key t
	gone first
	wait Command is
	wait 25.00%
	key F
	wait 100.00%
	key ESC
	wait first
	key q
	ends 0
	END
	DATA=two.data report < steps
'
check_if TUI 'help shows the keys of each screen, a menu the actions of a row' '
	cat > steps <<-END
	size 40 80
	wait hot_leaf
	key h
	wait Keys of tables
	screen
	key q
	gone Keys of tables
	key m
	wait Actions
	wait a  show the code
	key ?
	wait Keys of menus
	key ESC
	gone Keys of menus
	key ESC
	gone Actions
	key q
	ends 0
	END
	report < steps > out
	expect help out
'
check_if TUI 'keys with Alt or Ctrl that have no meaning do not leave' '
	cat > steps <<-END
	wait hot_leaf
	key ALT-a
	key h
	wait Keys of tables
	key ALT-a
	key q
	gone Keys of tables
	key q
	ends 0
	END
	report < steps'
check_if TUI 'single samples of a row are listed, and the samples around a time' '
	cat > steps <<-END
	size 24 120
	wait hot_leaf
	key HOME x
	wait Samples of hot_leaf
	wait 0.000001000
	gone 0.000002000
	gone cold_leaf
	key h
	wait ENTER            show the context of an individual sample
	key q
	gone Keys of
	key ENTER
	wait Samples around 0.000001000
	wait cold_leaf
	selected 0.000001000:
	key DOWN DOWN ENTER
	wait Samples around 0.000003000
	selected 0.000003000:
	key q
	wait Samples around 0.000001000
	key q
	gone Samples around
	key q
	gone Samples of
	key ENTER
	wait show individual samples of this function
	wait show the context of an individual sample
	key ESC
	gone - Actions -
	key X
	wait Time of the sample in seconds
	type 0.000003
	key ENTER
	wait Samples around 0.000003
	wait 0.000001000
	wait cold_leaf
	gone third
	key q
	gone Samples around
	key X
	wait Time of the sample
	type 7.5
	key ENTER
	wait no sample is within 10 ms of this time
	key X
	wait Time of the sample
	type soon
	key ENTER
	wait is not a time in seconds
	key q
	ends 0
	END
	report --no-children --samples 1 < steps
'
check_if TUI 'texts are searched with /, n and N, in upper and lower case' '
	cat > steps <<-END
	size 20 80
	wait hot_leaf
	key i
	wait What the file says
	key n
	wait nothing was searched yet
	key h
	wait Keys of texts
	key /
	wait Search: _
	type THE LINE
	key ENTER
	selected select the line above
	key n
	selected select the line below
	key n
	selected select the line above
	key N
	selected select the line below
	key /
	type no such text
	key ENTER
	wait no line has
	selected select the line below
	key q
	gone Keys of texts
	key q q
	ends 0
	END
	report < steps
'
check_if TUI 'several events have a menu, and TAB goes on' '
	cat > events.mk <<-END
	event cpu-clock type=software config=cpu-clock ids=1 period=10 sample=identifier|ip|tid|time|period flags=sample_id_all|comm
	event task-clock type=software config=task-clock ids=2 period=10 sample=identifier|ip|tid|time|period flags=sample_id_all
	comm tid=100 comm="one" time=1
	comm tid=200 comm="other" time=1
	sample tid=100 ip=0x1210 time=1000 id=1 period=10
	sample tid=200 ip=0x1210 time=1000 id=2 period=10
	END
	mkdata events.data < events.mk
	cat > steps <<-END
	wait - Events -
	key DOWN ENTER
	wait other
	wait 2 of 2
	key TAB
	wait one
	key UNTAB
	wait other
	key l
	wait - Events -
	key ESC
	gone - Events -
	key q
	ends 0
	END
	DATA=events.data report < steps
'
check_if TUI 'digits sort by an event of a group; other files do not have them' '
	cat > steps <<-END
	size 40 80
	wait 66.67%   0.00%
	selected one
	key 1
	wait 33.33% 100.00%
	selected other
	key 2
	wait this group has events 0 to 1
	key 0
	selected one
	key h
	wait 0-9
	key q q
	ends 0
	END
	sed "s/cpu-clock type=software config=cpu-clock/cycles type=hardware config=0/
		s/task-clock type=software config=task-clock/instructions type=hardware config=1/" events.mk > group.mk
	for i in 1 2; do echo "sample tid=100 ip=0x1210 time=3000 id=1 period=10"; done >> group.mk
	echo "sample tid=200 ip=0x1210 time=3000 id=1 period=15" >> group.mk
	mkdata group.data < group.mk
	DATA=group.data report --group -s comm < steps
	printf "wait hot_leaf\nkey 1\nwait no such key here\nkey q\nends 0\n" | report
'
check_if TUI 'sort keys, other files and facts can be asked for; errors are sentences' '
	mkdata y.data < two.mk
	cat > steps <<-END
	size 24 120
	wait hot_leaf
	key S
	wait Sort keys
	type no_such_key
	key ENTER
	wait no_such_key
	key S
	wait Sort keys
	type comm
	key ENTER
	gone hot_leaf
	wait app
	key s
	wait Recordings
	wait x.data
	key ENTER
	wait of event
	key i
	wait lost-samples
	key q
	gone lost-samples
	key P
	wait perf.hist.0
	key ENTER
	wait written to perf.hist.0
	key q
	ends 0
	END
	report < steps
	says "# Overhead" perf.hist.0
'
check_if TUI 'Ctrl-C leaves; the terminal is as it was after it, after a stop, and after deadly signals' '
	printf "wait hot_leaf\nkey CTRL-C\nends 0\nclean\n" | report
	printf "wait hot_leaf\napart\nsignal 20\nclean\nsignal 18\napart\nwait hot_leaf\nkey DOWN q\nends 0\nclean\n" | report
	printf "wait hot_leaf\nsignal 15\nends 143\nclean\n" | report
	printf "wait hot_leaf\nkey /\nwait Show\nkey CTRL-C\nends 0\nclean\n" | report
'
check_if TUI,PLAIN 'a crash leaves the terminal as it was' '
	printf "wait hot_leaf\nsignal 11\nends 139\nclean\n" | report
'
check_if TUI 'names cannot drive the terminal' '
	cat > bad.mk <<-END
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm
	comm tid=100 comm="a\e]0;x\x07b\x9bc" time=1
	sample tid=100 ip=0x1210 time=1000 period=10
	END
	mkdata bad.data < bad.mk
	printf "wait 100.00%%\nkey h q m\nwait Actions\nkey ESC\ngone Actions\nwait 100.00%%\nkey q\nends 0\n" > steps
	DATA=bad.data report < steps
	LOCALE=C DATA=bad.data report < steps
'
check_if TUI 'without a place for it there is text: pipes, TERM, --stdio, configuration' '
	PERF_FS_ROOT=$PWD/fs $PERF report -i x.data > text 2> err
	says "# Children" text
	PERF_FS_ROOT=$PWD/fs $PERF report --tui -i x.data > text 2> err
	says "standard output is not a terminal: printing plain text" err
	printf "wait # (Tip\nends 0\n" | TERMINAL=dumb report
	printf "size 60 80\nwait no_such_type\nwait # (Tip\nends 0\n" | TERMINAL=no_such_type report
	printf "size 60 80\nwait # (Tip\nends 0\n" > steps
	report --stdio < steps
	printf "[tui]\n\treport = off\n" > off.config
	PERF_CONFIG=$PWD/off.config report < steps
	cat x.data | PERF_FS_ROOT=$PWD/fs $PERF report -i - > text
	says "# Children" text
'
check_if TUI 'random keys end nothing' '
	printf "wait hot_leaf\nfuzz ${FUZZ_KEYS-3000} 1\n" | report
	printf "wait app\nfuzz ${FUZZ_KEYS-1000} 2\n" | report -H -s comm,symbol
	printf "wait hot_leaf\nfuzz ${FUZZ_KEYS-1000} 3\n" | TERMINAL=vt100 LOCALE=C report --no-children
'
check_if TUI 'why there is no code is told in whole sentences, in several rows' '
	cat > kernel.mk <<-END
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm
	mmap tid=-1 pid=-1 misc=kernel addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_stext"
	comm tid=100 comm="app" time=1
	sample tid=100 misc=kernel ip=0xffffffff81000110 time=1000 period=10
	END
	mkdata kernel.data < kernel.mk
	printf "ffffffff81000000 T _stext\nffffffff81000100 T kernel_work\nffffffff81000200 T next\n" > kallsyms
	printf "size 12 60\nwait kernel_work\nkey a\nwait 1 of 1 sample of\nwait h: keys\nscreen\nkey s\nwait no source lines are known of this function\nkey q q\nends 0\n" > steps
	DATA=kernel.data report --kallsyms kallsyms -s symbol < steps > out
	sed -n 3,6p out > lines
	cat <<-END | same - lines
	there is no code of the kernel that was recorded
	Hint: --vmlinux names the kernel with its symbols; record
	--kcore, or buildid-cache --kcore before the next boot,
	keeps the code
	END
'
check_if TUI 'what is cut has a mark: no digit of a number is missing without one' '
	cat > cut.mk <<-END
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm
	comm tid=100 comm="app" time=1
	sample tid=100 ip=0x123456789 time=1000 period=10
	END
	mkdata cut.data < cut.mk
	cat > steps <<-END
	size 16 60
	wait [.] 0x0000000123456789
	size 16 32
	wait [.] 0x0000000123456>
	key RIGHT RIGHT RIGHT
	wait <123456789
	size 16 80
	screen
	key q
	ends 0
	END
	DATA=cut.data report --no-children -s sym,dso < steps > out
	grep "<123456789 " out
'
check_if TUI 'menus and help scroll where the screen is narrow or short' '
	cat > steps <<-END
	size 9 30
	wait app
	key ENTER
	wait Actions
	wait 1 of
	gone add lines
	screen
	key RIGHT RIGHT RIGHT
	wait | <
	screen
	key LEFT LEFT LEFT
	gone | <
	key END
	wait - 11 of 11 -
	key ESC
	gone Actions
	key h
	wait 1 of
	key RIGHT RIGHT
	wait <
	key LEFT LEFT
	gone <
	key END
	wait Ctrl-L
	key q q
	ends 0
	END
	report < steps > out
'
check_if TUI 'events without samples are not shown before others, and TAB skips them' '
	cat > idle.mk <<-END
	event page-faults type=software config=page-faults ids=1 period=10 sample=identifier|ip|tid|time|period flags=sample_id_all|comm
	event cpu-clock type=software config=cpu-clock ids=2 period=10 sample=identifier|ip|tid|time|period flags=sample_id_all
	event minor-faults type=software config=5 ids=3 period=10 sample=identifier|ip|tid|time|period flags=sample_id_all
	event task-clock type=software config=task-clock ids=4 period=10 sample=identifier|ip|tid|time|period flags=sample_id_all
	comm tid=100 comm="one" time=1
	comm tid=200 comm="other" time=1
	sample tid=100 ip=0x1210 time=1000 id=2 period=10
	sample tid=200 ip=0x1210 time=1000 id=4 period=10
	END
	mkdata idle.data < idle.mk
	cat > steps <<-END
	size 20 80
	wait - Events -
	selected cpu-clock
	key ESC
	gone - Events -
	wait 2 of 4
	key TAB
	wait 4 of 4
	key TAB
	wait 2 of 4
	key UNTAB
	wait 4 of 4
	key q
	ends 0
	END
	DATA=idle.data report < steps
'
