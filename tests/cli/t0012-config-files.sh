#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
unset PERF_CONFIG
export PERF_CONFIG_NOSYSTEM=1

check 'sets, gets and lists' '
	$PERF config report.children=false alias.hot="report -g caller # x"
	test "$($PERF config report.children)" = "report.children=false"
	$PERF config report.children=true
	printf "%s\n" "report.children=true" "alias.hot=report -g caller # x" > want
	$PERF config -l | same want -
	$PERF config | same want -
	printf "[report]\n\tchildren = true\n[alias]\n\thot = \"report -g caller # x\"\n" | same "$HOME/.perfconfig" -
'
check 'what is not set prints nothing' '
	test -z "$($PERF config no.such)"
	fails_with 1 $PERF config nodot 2> err
	says "needs a section" err
	fails_with 1 $PERF config nodot=1 2> err
	says "needs a section" err
'
check 'a name that nothing reads is kept, with a hint' '
	$PERF config report.chldren=true > out 2> err
	test ! -s out
	says "no perf command reads '"'report.chldren'"' (did you mean report.children?)" err
	test "$($PERF config report.chldren 2> /dev/null)" = "report.chldren=true"
	$PERF config ui.show-headers=on 2> err
	says "this perf does not read ui.show-headers: titles of columns are always shown" err
	$PERF config no.such 2> err
	says "no perf command reads" err
	$PERF config pager.report=false alias.x=version report.group=true 2> err
	test ! -s err
'
check 'PERF_CONFIG replaces the other files' '
	printf "[a]\n\tb\n" > c
	test "$(PERF_CONFIG=$PWD/c $PERF config -l)" = "a.b=true"
	PERF_CONFIG=$PWD/c $PERF config a.b=2
	printf "[a]\n\tb = 2\n" | same c -
	test -z "$(PERF_CONFIG=/dev/null $PERF config -l)"
	$PERF config --user -l > list
	says "report.children=true" list
'
check 'a bad line is named and passed over' '
	printf "[a\n[b]\nc = 1\n" > bad
	test "$(PERF_CONFIG=$PWD/bad $PERF config -l 2> err)" = "b.c=1"
	says "bad:1: not understood" err
'
check_if ROOT 'a file of somebody else decides nothing' '
	printf "[x]\n\ty = 1\n" > "$HOME/.perfconfig"
	chown 12345 "$HOME/.perfconfig"
	test -z "$($PERF config x.y 2> err)"
	says "not owned by you" err
	chown 0 "$HOME/.perfconfig"
'
check 'usage errors' '
	fails_with 129 $PERF config --user --system -l 2> err
	says "exclude each other" err
	fails_with 129 $PERF config -l x.y 2> /dev/null
'
check 'options take their defaults from it, and say which key is bad' '
	printf "[report]\n\tchildren = maybe\n" > c
	PERF_CONFIG=$PWD/c fails_with 129 $PERF report 2> err
	says "Error: $PWD/c:2: configuration key report.children: '"'maybe'"' is not true or false" err
	printf "[call-graph]\n\n\torder = upward\n" > c
	PERF_CONFIG=$PWD/c fails_with 1 $PERF report -g -i /dev/null 2> err
	says "$PWD/c:3: configuration key call-graph.order" err
	printf "[call-graph]\n\trecord-mode = sideways\n" > c
	PERF_CONFIG=$PWD/c fails_with 1 $PERF record -g -o /dev/null true 2> err
	says "$PWD/c:2: configuration key call-graph.record-mode" err
'
check 'a value that the key cannot have is not written' '
	rm -f c; export PERF_CONFIG=$PWD/c
	fails_with 1 $PERF config report.children=maybe 2> err
	says "configuration key report.children: '"'maybe'"' is not true or false" err
	for bad in color.ui=often call-graph.order=up call-graph.threshold=x call-graph.dump-size=big call-graph.record-mode=x,dwarf \
		record.build-id=keep hist.percentage=; do
		fails_with 1 $PERF config $bad 2> err
		says "configuration key ${bad%%=*}: " err
	done
	test ! -e c
	for good in color.ui=always color.ui=off report.children=On call-graph.threshold=0.5 call-graph.dump-size=8K \
		call-graph.record-mode=dwarf,4096 record.build-id=skip report.percent-limit=2% pager.report=less my.own=maybe; do
		$PERF config $good 2> /dev/null
	done
	test "$($PERF config color.ui)" = color.ui=off
'
