#!/bin/sh
# perf kvm record, report, top, diff and buildid-list: the files and samples of guests and of their host.
. "$(dirname "$0")/lib.sh"

mkdata perf.data.guest <<END || exit 1
event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
comm tid=100 comm="qemu" time=1
default period=10
sample tid=100 ip=0x1210 time=100 misc=guest_kernel
sample tid=100 ip=0x1220 time=101 misc=guest_user
sample tid=100 ip=0x1230 time=102 misc=user
sample tid=100 ip=0xffffffff81000010 time=103 misc=kernel
END
# modes ARGS...: where the samples of the report were taken
modes() {
	$PERF "$@" --stdio -F sym > modes.out && sed -n "s/^ *\\(\\[.\\]\\) 0x.*/\\1/p" modes.out | sort | tr -d "\\n"
}

check 'report shows guests; with --host the host, too; with --no-guest the host alone' '
	test "$(modes kvm report)" = "[g][u]"
	test "$(modes kvm --guest report)" = "[g][u]"
	test "$(modes kvm report -i perf.data.guest)" = "[g][u]"
	cp perf.data.guest perf.data.kvm
	cp perf.data.guest perf.data.host
	test "$(modes kvm --host report)" = "[.][g][k][u]"
	test "$(modes kvm --host --no-guest report)" = "[.][k]"
	test "$(modes kvm -i perf.data.guest --host --no-guest report)" = "[.][k]"
	rm perf.data.kvm perf.data.host
'
check 'report --guest and --host' '
	test "$(modes report -i perf.data.guest)" = "[.][g][k][u]"
	test "$(modes report -i perf.data.guest --guest)" = "[g][u]"
	test "$(modes report -i perf.data.guest --host)" = "[.][k]"
	test "$(modes report -i perf.data.guest --host --guest)" = "[.][g][k][u]"
'
check 'a report of guests without a row says why' '
	mkdata host.data <<-END
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	comm tid=100 comm="qemu" time=1
	sample tid=100 ip=0x1230 time=102 misc=user
	sample tid=100 ip=0xffffffff81000010 time=103 misc=kernel
	END
	$PERF kvm -i host.data --guest report --stdio > out 2> err
	says "none of the 2 samples was taken in a guest" err
	says "perf kvm --host report" err
	$PERF kvm -i host.data --guest report --stdio --comms qemu > out 2> err
	says "passes all of --guest, --comms '"'qemu'"'" err
	$PERF kvm -i host.data --host report --stdio > out 2> err
	silent_about guest err
	grep -v "^sample" > empty <<-END
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	END
	mkdata empty.data < empty
	$PERF kvm -i empty.data report --stdio > out 2> err
	says "nothing ran in a guest" err
'
# sides ARGS...: what the cpu-clock of a recording leaves out; and its file
sides() {
	rm -f perf.data.guest perf.data.kvm perf.data.host other.data
	$PERF "$@" -q -e cpu-clock,task-clock:H,page-faults:G true
	$PERF evlist -v -i "$(ls perf.data.* other.data 2> /dev/null)" > attrs
	for e in cpu-clock task-clock page-faults; do
		grep "^$e" attrs | grep -o "exclude_guest\\|exclude_host" | cut -c 9 | tr -d "\\n"
		printf ,
	done
	ls perf.data.* other.data 2> /dev/null
}
check_if EVENTS 'record counts where it is asked to, but for events that say so themselves' '
	test "$(sides kvm record)" = "h,g,h,perf.data.guest"
	test "$(sides kvm --host record)" = ",g,h,perf.data.kvm"
	test "$(sides kvm --host --no-guest record)" = "g,g,h,perf.data.host"
	test "$(sides kvm -o other.data record)" = "h,g,h,other.data"
	test "$(sides record -o other.data --host)" = "g,g,h,other.data"
'
check_if EVENTS 'diff and buildid-list know the files' '
	$PERF record -q -o perf.data.guest -e cpu-clock $PERF test -w noploop 0.1
	cp perf.data.guest perf.data.guest.old
	$PERF kvm diff > out
	says "Baseline" out
	$PERF kvm buildid-list > ids
	$PERF buildid-list -i perf.data.guest | same - ids
	test -s ids
'
check_if EVENTS 'top' '
	timeout -s INT 60 $PERF kvm --host top --stdio -e cpu-clock -d 100ms $PERF test -w noploop 0.5 > out 2>&1 || true
	says "noploop" out
'
check 'what has no meaning' '
	for wrong in "--no-guest report" "-o x report" "-i x record" "-k time report" "--json report" "-i x top"; do
		fails_with 129 $PERF kvm $wrong 2> err
	done
	fails_with 129 $PERF kvm --no-guest record 2> err
	says "nothing would be left" err
'
