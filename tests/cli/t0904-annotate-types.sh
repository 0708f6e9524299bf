#!/bin/sh
# Types of data that instructions access: perf report -s type,typeoff,typecln and perf annotate --data-type,
# on functions that have a sample at each byte.
. "$(dirname "$0")/lib.sh"

. "$SRC/tests/cli/annotate-types-lib.sh"

# what the function FUNC accesses: one a line, sorted
accesses() {
	everywhere "$1" | mkdata one.data
	$PERF report -i one.data -s typeoff 2> err | sed -n 's/^ *[0-9.]*% *//p' | sed 's/ *$//' | grep -v '^(' | LC_ALL=C sort
}

check 'members of structs, through variables and through pointers that are loaded' '
	accesses walk > got
	same - got <<-EOF
	long int +0 (no field)
	struct list +0 (head)
	struct list +0x8 (count)
	struct node +0 (next)
	struct node +0x18 (p.y)
	struct node +0x20 (name)
	struct node +0x8 (key)
	EOF
	accesses returned > got
	same - got <<-EOF
	struct node +0 (next)
	struct node +0x10 (val)
	EOF
'
check 'static variables, elements of arrays, a struct that only a typedef names' '
	accesses statics > got
	same - got <<-EOF
	anon_t +0x8 (r)
	struct list +0x8 (count)
	struct pos +0x4 (y)
	EOF
	accesses declared > got
	same - got <<-EOF
	struct list +0x8 (count)
	struct two +0x8 (l)
	EOF
'
check 'of two types for one pointer the smaller that has the member; arrays without a size' '
	accesses casted > got
	same - got <<-EOF
	struct base +0 (kind)
	struct base +0x4 (z)
	struct derived +0x18 (extra)
	EOF
	accesses opened > got
	echo "struct open +0xc (tail)" | same - got
'
check 'variables on the stack; pointers to numbers' '
	accesses on_stack > got
	says "struct pos +0x4 (y)" got
	accesses summed > got
	echo "int +0 (no field)" | same - got
'
check 'what is not certain is unknown: pointers that meet, void pointers, registers after a call' '
	accesses merged > got
	same - got <<-EOF
	struct two +0 (n)
	struct two +0x8 (l)
	EOF
	accesses untyped > got
	echo "struct two +0x10 (other)" | same - got
	accesses wide > got
	test ! -s got
	accesses clobbered > got
	same - got <<-EOF
	struct node +0x8 (key)
	struct two +0 (n)
	struct two +0x8 (l)
	EOF
'
check 'pointers are followed through jump tables, and into parts of the function elsewhere' '
	accesses switched > got
	same - got <<-EOF
	struct list +0 (head)
	struct list +0x8 (count)
	struct two +0x8 (l)
	EOF
	# two types meet where the labels are jumped to: only the other load of the count has one
	everywhere labels | mkdata labels.data
	$PERF annotate -i labels.data --code-with-type --no-source > out
	test "$(grep -c "struct list +0x8 (count)" out)" = 1
	accesses splits > got
	same - got <<-EOF
	struct list +0x8 (count)
	struct node +0x10 (val)
	struct two +0 (n)
	struct two +0x8 (l)
	EOF
	accesses splits.cold > got
	says "struct list +0 (head)" got
'
check 'pointers are followed while they are on the stack, unless their address is taken' '
	accesses kept > got
	says "struct list +0x8 (count)" got
	accesses changed > got
	says "struct two +0x8 (l)" got
	silent_about "struct list" got
'
check 'without optimisation variables are in memory, and types are the same' '
	mkdir -p O0
	cp prog prog.O2
	gcc $(echo $cflags | sed s/-O2/-O0/) -ffreestanding -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o prog prog.c other.c
	accesses walk > got
	cp prog.O2 prog
	says "struct node +0x18 (p.y)" got
	says "struct list +0x8 (count)" got
	says "struct node* +0 (no field)" got
'
check 'the columns: type, member, cache line; the same with any number of threads' '
	everywhere > all
	mkdata x.data < all
	$PERF report -i x.data -s type,typeoff,typecln -j 1 > one
	$PERF report -i x.data -s type,typeoff,typecln -j 8 > eight
	same one eight
	says "struct node: cache-line 0" one
	says "(stack operation)" one
	says "(unknown)" one
'
check 'members of a type with their shares, samples or periods; one type by its name' '
	everywhere walk | mkdata walk.data
	$PERF annotate -i walk.data --data-type=node | sed "s/^ *[0-9.]*[1-9][0-9.]* / some /; s| in .*/prog ([0-9]* | in prog (N |" > out
	expect node out
	$PERF annotate -i walk.data --data-type="struct node" -n > nr
	grep -q "^ *[1-9][0-9]*          0        0x8      struct node\*	next;" nr
	$PERF annotate -i walk.data --data-type --show-total-period > all
	says "Annotate type: '\''struct list'\'' in $PWD/prog" all
	grep -q "^ *[1-9][0-9]*00          0        0x8      struct node\*	next;" all
	$PERF annotate -i walk.data --data-type=nothing 2> err
	says "no sample is at an access to a type" err
	says "perf report -s type lists" err
	fails_with 129 $PERF annotate -i walk.data --data-type --stdio2 2> err
'
check 'which instructions have types, and why others have none' '
	$PERF annotate -i x.data --type-stat --insn-stat > out
	says "Annotate data type stats:" out
	says " : no_mem_ops" out
	says "Annotate Instruction stats" out
	grep -q "^  movsbq              : *[1-9][0-9]*     0$" out
'
check 'code with the types beside instructions' '
	$PERF annotate -i x.data --code-with-type -s walk --no-source > out
	says "cmpl   \$3,0x18(%rax)		# data-type: struct node +0x18 (p.y)" out
	$PERF annotate -i x.data --code-with-type -s summed --no-source --stdio2 > out
	says "# data-type: int +0" out
	silent_about "no field" out
'
check_if TUI 'code with the types in the terminal, where T hides them' '
	printf "%s\n" "size 40 130" "wait # data-type: struct node +0x18 (p.y)" "key T" "gone # data-type" "key T" \
		"wait # data-type" "key CTRL-C" "ends 0" > steps
	tui $PERF annotate -i x.data --code-with-type -s walk < steps
	printf "%s\n" "size 40 130" "wait walk" "key T" "wait no types of data: perf annotate" "key CTRL-C" "ends 0" > steps
	tui $PERF annotate -i x.data -s walk < steps'
check 'JSON has the members of types, and the types of instructions' '
	$PERF annotate -i x.data --data-type=list --json > out
	python3 -c "
import json
d = json.load(open(\"out\"))
t = d[\"types\"]
assert d[\"format\"] == \"perf-annotate\" and len(t) == 1 and t[0][\"type\"] == \"struct list\", t
m = t[0][\"members\"]
assert [(x[\"name\"], x[\"type\"], x[\"offset\"], x[\"size\"], x[\"depth\"]) for x in m] == [
	(\"head\", \"struct node*\", 0, 8, 1), (\"count\", \"long int\", 8, 8, 1)], m
assert sum(x[\"samples\"] for x in m) == t[0][\"samples\"] > 0
assert d[\"instructions\"][\"known\"] > 10
"
	$PERF annotate -i x.data --code-with-type -s walk --json > code
	says "\"data-type\": \"struct node +0x18 (p.y)\"" code
'
have_ARM64_CLANG() {
	clang -target aarch64-linux-gnu -O2 -g -w -ffreestanding -nostdlib -static -fuse-ld=lld \
		-Wl,--image-base=0x400000 -o arm.prog -x c - <<-EOF 2> arm.log ||
	$(sed -n "/^struct pos {/,/^struct list {/p" prog.c)
	struct list global;
	struct pos table[8];
	#define NI __attribute__((noinline))
	$(sed -n "/^NI long walk/,/^}/p" prog.c | grep -v counter)
	NI struct node *first(struct list *l) { __asm__ volatile(""); return l->head; }
	NI long returned(struct list *l) { return first(l)->next->val; }
	NI long statics(long i) { return table[i & 7].y + global.count; }
	void _start(void) { for (;;) walk(&global), statics(3), returned(&global); }
	EOF
		{ echo "needs clang and lld for arm64"; return 1; }
}
check_if ARM64_CLANG 'the same for arm64' '
	mv prog prog.x86
	mv arm.prog prog
	accesses walk > walk
	accesses returned > returned
	accesses statics > statics
	mv prog.x86 prog
	says "struct node +0x18 (p.y)" walk
	says "struct node +0x8 (key)" walk
	says "struct list +0x8 (count)" walk
	same - returned <<-EOF
	struct node +0 (next)
	struct node +0x10 (val)
	EOF
	same - statics <<-EOF
	struct list +0x8 (count)
	struct pos +0x4 (y)
	EOF
'
check 'thread-local variables of the program itself' '
	cat > thread.c <<-END
	struct pos { int x, y; };
	__thread struct pos here = { 1, 2 };
	__thread long calls __attribute__((aligned(64)));
	__attribute__((noinline)) long thread_local(void) { calls++; return here.y; }
	void _start(void) { thread_local(); }
	END
	mv prog prog.whole
	for v in 4 5; do
		gcc $cflags -gdwarf-$v -ffreestanding -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o prog thread.c
		accesses thread_local > got.$v
	done
	mv prog.whole prog
	for v in 4 5; do
		same - got.$v <<-EOF
		long int +0 (no field)
		struct pos +0x4 (y)
		EOF
	done
'
split() {
	accesses walk > walk
	accesses statics > statics
	cp prog prog.whole
	gcc $cflags -gdwarf-4 -gsplit-dwarf -ffreestanding -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o prog prog.c other.c
	accesses walk > walk.split
	accesses statics > statics.split
	if [ "${1:-}" ]; then
		dwp -e prog -o prog.dwp
		rm ./*.dwo
		accesses walk > walk.split
		accesses statics > statics.split
	fi
	rm -f prog.dwp ./*.dwo
	cp prog.whole prog
	says "struct node +0x18 (p.y)" walk
	same walk walk.split
	same statics statics.split
}
check 'split debug information has the same types' '
	split'
have_DWP() { command -v dwp > found || { echo 'no dwp'; return 1; }; }
check_if DWP 'so has a package of it' '
	split package'
check 'a program without debug information has no types' '
	cp prog prog.full
	strip -g prog
	accesses walk > got
	mv prog.full prog
	test ! -s got
'
