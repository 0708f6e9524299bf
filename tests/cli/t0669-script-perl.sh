#!/bin/sh
# perf script --script: functions of scripts in Perl, called for samples
. "$(dirname "$0")/../cli/lib.sh"
need PERL

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 leaf\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
mkdata x.data <<'EOF2'
event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2|context_switch
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
sample tid=100 ip=0x1010 time=100 cpu=1 chain=-512,0x1010
sample tid=100 ip=0x1110 time=200 cpu=2 chain=-512,0x1110,0x1010
switch tid=100 time=250 misc=0x2000
sample tid=200 ip=0x1010 time=3000000400
EOF2
# tracepoint FILE SYSTEM NAME: a recording of one sample
tracepoint() {
	{
		printf 'name: %s\nID: 5\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n' "$3"
		printf '\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n'
		printf '\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n'
		printf '\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int from;\toffset:8;\tsize:4;\tsigned:1;\n'
		printf '\tfield:char comm[4];\toffset:12;\tsize:4;\tsigned:1;\n\tfield:unsigned long state;\toffset:16;\tsize:8;\tsigned:0;\n'
		printf '\nprint fmt: "%%d %%s %%s %%s", REC->from, REC->comm, '
		printf '__print_flags(REC->state, "|", { 0x20, "Z" }, { 0x80, "I" }), __print_symbolic(REC->from, { 7, "seven" })\n'
	} > format
	mkdata "$1" <<-END
	event "$2:$3" type=tracepoint config=5 sample=identifier|ip|tid|time|cpu|raw|period ids=1 flags=sample_id_all|comm
	comm tid=9 comm="a\x1b[31m" time=1
	feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
	feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
	feature tracing_data u32:1 text:"$2" u8:0 u32:1 u64:$(wc -c < format) file:format u32:0 u32:0 u64:0
	feature event_desc
	sample id=1 tid=9 cpu=3 time=2000000007 raw="\x05\0\x01\x02\x09\0\0\0\xff\xff\xff\xffxy\0\0\xa1\0\0\0\0\0\0\0"
	${4-}
	END
}
tracepoint t.data sched sched_switch

check 'trace_begin, process_event, trace_end, and the arguments' '
	cat > all.pl <<-\EOF
	sub trace_begin { print "begin $0 @ARGV\n" }
	sub trace_end { print "end\n" }
	sub process_event {
	    my ($record, $attr, $e, $raw) = @_;
	    my $s = $e->{sample};
	    printf("%s %s %d %d %d %x %s %s", $e->{ev_name}, $e->{comm}, $s->{tid}, $s->{cpu}, $s->{time}, $s->{ip}, $e->{symbol} // "-", $e->{symoff} // "-");
	    print " ", unpack("L", $record), " ", unpack("L", $attr), " ", length($raw), "\n";
	}
	EOF
	$PERF script -i x.data -s all.pl one -x > out
	same - out <<-EOF
	begin all.pl one -x
	cycles app 100 1 100 1010 main 16 9 0 0
	cycles app 100 2 200 1110 work 16 9 0 0
	cycles :200 200 0 3000000400 1010 - - 9 0 0
	end
	EOF
'
check 'call chains, innermost first' '
	cat > chain.pl <<-\EOF
	sub process_event {
	    print(join(" ", map { sprintf("%x", $_->{ip}) . "=" . ($_->{sym} ? $_->{sym}{name} : "?") . "@" . ($_->{dso} // "?") } @{$_[2]{callchain}}), "\n");
	}
	EOF
	$PERF script -i x.data -s Perl:chain.pl > out
	test "$(sed -n 2p out)" = "1110=work@/tmp/perf-100.map 1010=main@/tmp/perf-100.map"
'
check 'entries are made when they are read; those that the script keeps stay, and those it writes, too' '
	cat > kept.pl <<-\EOF
	use Data::Dumper;
	my (@kept, @entry, %copy, $more);
	sub process_event {
	    my $e = $_[2];
	    push @kept, $e if !@kept;
	    push @entry, \$e->{comm}, \$e->{callchain}, \$e->{sample}{datasrc};
	    $e->{comm} = "mine" if @entry > 3;
	    %copy = %$e;
	    $more .= join(",", sort grep { $_ ne "attr" } keys %$e) . "\n" if !$more;
	    $more .= "$e->{sample}{period} $e->{sample}->{period} " . (exists $e->{callchain}) . (defined delete $e->{callchain}) . (exists $e->{callchain}) . "\n";
	    die unless Dumper($e->{sample}) =~ /period/ && "$e->{comm}" eq $e->{comm};
	}
	sub trace_end {
	    print $more, join(" ", map { ref $$_ || $$_ } @entry), "\n";
	    printf("%s %d %s %x\n", $kept[0]{comm}, $kept[0]{sample}{time}, $kept[0]{symbol}, ${$entry[4]}->[0]{ip});
	    print "$copy{comm} $copy{sample}{tid} ", scalar(@{$copy{callchain}}), "\n";
	}
	EOF
	$PERF script -i x.data -s kept.pl > out
	same - out <<-\EOF
	brstack,brstacksym,callchain,comm,dso,dso_bid,dso_map_end,dso_map_start,ev_name,map_pgoff,raw_buf,sample,symbol,symoff
	1 1 11
	1 1 11
	1 1 11
	app ARRAY 128933429281 mine ARRAY 128933429281 mine ARRAY 128933429281
	app 100 main 1110
	mine 200 0
	EOF
'
check 'functions of tracepoints: common values, fields, words; then process_event' '
	cat > trace.pl <<-\EOF
	use lib "$ENV{PERF_EXEC_PATH}/scripts/perl/Perf-Trace-Util/lib";
	use strict; use warnings;
	use Perf::Trace::Core; use Perf::Trace::Context; use Perf::Trace::Util qw(nsecs_str nsecs);
	sub sched::sched_switch {
	    my ($name, $context, $cpu, $secs, $nsecs, $pid, $comm, $callchain, $from, $text, $state) = @_;
	    print "$name $cpu $secs $nsecs $pid $comm ", scalar(@$callchain), " $from $text $state ", scalar(@_), "\n";
	    print join(" ", common_flags($context), common_pc($context), common_lock_depth($context), trace_flag_str(common_flags($context))), "\n";
	    print join(" ", flag_str($name, "state", $state), symbol_str($name, "from", 7), symbol_str($name, "from", 8)), "\n";
	    print flag_str($name, "comm", 1), "|", flag_str("no::such", "x", -1), "|", nsecs_str(nsecs($secs, $nsecs)), "\n";
	}
	sub trace_unhandled { die }
	sub process_event { print length($_[3]), "\n" }
	EOF
	$PERF script -i t.data -s trace.pl > out
	same - out <<-\EOF
	sched::sched_switch 3 2 7 9 a\x1b[31m 0 -1 xy 161 11
	1 2 0 IRQS_OFF
	Z|I|0x1 seven 0x8
	||    2.000000007
	28
	EOF
'
# three more: other texts and numbers, the same ones again, and a number that no integer of Perl holds
next='tid=9 cpu=3 time=2000000007 raw="\x05\0\x01\x02\x09\0\0\0'
tracepoint many.data sched sched_switch "sample id=1 $next\x07\0\0\0long\x01\0\0\0\0\0\0\0\"
	sample id=1 $next\x07\0\0\0long\x01\0\0\0\0\0\0\0\"
	sample id=1 $next\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\""
check 'each call has its own arguments, whatever the script did with those of the call before' '
	cat > keep.pl <<-\EOF
	my @kept;
	sub show { join(" ", @_[2..6], scalar(@{$_[7]}), @_[8..10]) }
	sub sched::sched_switch {
	    print show(@_), "\n";
	    push @kept, $n < 2 ? \@_ : \$_[9] if $n != 1;
	    push @{$_[7]}, 5 if $n == 1;
	    if ($n++ == 1) { $_[2] = "text"; $_[3] = [1]; $_[5] .= ""; utf8::upgrade($_[9] .= "\xe9"); $_[10] = 1.5; undef $_[8]; bless \$_[6], "X" }
	    if ($n == 3) { $_[$_] = {} for 0..8, 10 }
	}
	sub trace_end { print show(@{$kept[0]}), "\n", ${$kept[1]}, "|", ${$kept[2]}, "\n" }
	EOF
	$PERF script -i many.data -s keep.pl > out
	same - out <<-\EOF
	3 2 7 9 a\x1b[31m 0 -1 xy 161
	3 2 7 9 a\x1b[31m 0 7 long 1
	3 2 7 9 a\x1b[31m 0 7 long 1
	3 2 7 9 a\x1b[31m 0 0  18446744073709551615
	3 2 7 9 a\x1b[31m 0 -1 xy 161
	long|
	EOF
'
check 'trace_unhandled gets the same arguments' '
	echo "sub trace_unhandled { print join(q( ), @_[0,2..6,8..10]), qq(\n) }" > un.pl
	$PERF script -i t.data -s un.pl > out
	echo "sched::sched_switch 3 2 7 9 a\\x1b[31m -1 xy 161" | same - out
'
check 'Perf::Trace::Util' '
	cat > util.pl <<-\EOF
	use Perf::Trace::Core; use Perf::Trace::Util;
	print join(" ", avg(6, 4), nsecs(1, 2), nsecs_secs(3500000000), nsecs_nsecs(3000000004), trace_flag_str(0), trace_flag_str(24)), "\n";
	print defined(&nsecs_str) ? 1 : 0, eval { avg(1, 0) } // $@;
	EOF
	$PERF script -i x.data -s util.pl > out
	printf "1.5 1000000002 3.5 4 NONE HARDIRQ | SOFTIRQ\n0Illegal division by zero at util.pl line 3.\n" | same - out
'
check 'modules in shared objects' '
	printf "use POSIX;\nuse List::Util qw(sum);\nsub trace_end { print sum(2, 3), POSIX::floor(1.5), qq(\n) }\n" > lib.pl
	$PERF script -i x.data -s lib.pl > out
	test "$(cat out)" = 51
'
check 'names in recordings lead to no function of a module, of Perl, or of the script' '
	printf "use POSIX;\nuse Carp;\nsub helper { print qq(helper\n) }\nsub sched::no { print qq(no\n) }\nsub trace_unhandled { print qq(\$_[0]\n) }\n" > names.pl
	for name in POSIX:_exit Carp:croak main:helper CORE:exit utf8:encode UNIVERSAL:can; do
		tracepoint n.data "${name%:*}" "${name#*:}"
		$PERF script -i n.data -s names.pl > out
		test "$(cat out)" = "${name%:*}::${name#*:}"
	done
'
check '-g writes a script that runs, and nothing over another one' '
	mkdir new
	(cd new && $PERF script -i ../t.data -g perl > out && $PERF script -i ../t.data -s perf-script.pl > text)
	says "generated Perl script: perf-script.pl" new/out
	grep -q "^sched::sched_switch .* 3 .* 2.000000007 .* from=0xffffffffffffffff comm=xy state=Z|I|0x1" new/text
	fails_with 1 $PERF script -i t.data -g new/perf-script.pl 2> err
	says "cannot write new/perf-script.pl: File exists" err
	ln -s nowhere new/link.pl
	: > new/empty
	ln -s empty new/linked.pl
	mkfifo new/fifo.pl
	for name in link linked fifo; do
		fails_with 1 $PERF script -i t.data -g new/$name.pl 2> err
		says "cannot write new/$name.pl: " err
	done
	: > new/own.pl
	$PERF script -i x.data -g new/own.pl > out
	$PERF script -i x.data -s new/own.pl > new/text
	grep -q "^cycles .* 100 .* app .* 1110 work" new/text
	grep -q "1110 work (/tmp/perf-100.map)" new/text
'
check 'exit() ends perf with its status, die with 1' '
	printf "sub process_event { print 1; exit 3 }\nsub trace_end { print 2 }\nEND { print qq(E\n) }\n" > exit.pl
	fails_with 3 $PERF script -i x.data -s exit.pl > out
	test "$(cat out)" = 1E
	printf "exit 0; sub process_event { print 1 }\n" > exit0.pl
	$PERF script -i x.data -s exit0.pl > out
	test ! -s out
	printf "sub process_event { print qq(x\n); die qq(oops\n) }\n" > bad.pl
	fails_with 1 $PERF script -i x.data -s bad.pl > out 2> err
	test "$(cat out)" = x
	says "oops" err
	says "Error: bad.pl failed, as Perl says above" err
	printf "sub x {\n" > syntax.pl
	fails_with 1 $PERF script -i x.data -s syntax.pl 2> err
	says "syntax error" err
	if [ -w /dev/full ]; then
		fails_with 1 $PERF script -i x.data -s all.pl 2> err > /dev/full
		says "No space left on device" err
	fi
'
check 'says what to install where the plug-in is missing' '
	mkdir alone
	cp "$PERF" alone/perf
	if ! alone/perf script -i x.data -s all.pl > out 2> err; then
		says "scripts in Perl need a library: install libperl-dev" err
	else
		skip "a plug-in is installed"
	fi
'
