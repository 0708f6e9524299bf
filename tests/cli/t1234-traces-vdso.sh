#!/bin/sh
# Traces through the vdso: its code is that of the build-id cache, or of this kernel if that was recorded.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"
need GCC

base=0x7ffff7fc0000
cat > vdso.s <<'END'
	.globl __vdso_walk
	.type __vdso_walk, @function
__vdso_walk:
	nop
	je 1f
	nop
1:	ret
	.size __vdso_walk, . - __vdso_walk
END
case $(uname -m) in
x86_64) gcc -shared -nostdlib -Wl,--build-id,-Ttext=0x1000 -o vdso vdso.s ;;
*) skip_all "needs a compiler for x86-64" ;;
esac
id=$($PERF buildid-list -i vdso)
# before ID: the vdso of that build is mapped
before() {
	pt_before
	echo "mmap2 ev=dummy:u pid=100 tid=100 addr=$base len=0x2000 prot=5 flags=2 filename=\"[vdso]\" time=11 s_id=11"
	echo "build_id misc=0x8002 pid=-1 id_size=20 id=$1 filename=\"[vdso]\""
}
into_cache() {
	mkdir -p "$HOME/.debug/[vdso]/$1" "$HOME/.debug/.build-id/$(echo $1 | cut -c 1-2)"
	cp vdso "$HOME/.debug/[vdso]/$1/vdso"
	ln -sfn "../../[vdso]/$1" "$HOME/.debug/.build-id/$(echo $1 | cut -c 1-2)/$(echo $1 | cut -c 3-)"
}

{ before $id; pt_trace $pt_start pt-pge:0x400089 pt-tip:0x7ffff7fc1000 pt-tnt:T pt-tip:0x400080 pt-fup:0x400082 pt-pgd:0,0; } | mkdata x.data
check 'Intel PT: instructions, branches, names' '
	into_cache $id
	$PERF script --itrace=i1i -F ip,sym,dso -i x.data 2> err | sed "s,[^ (]*/,,; s/  */ /g; s/^ //" > insns
	cat > want <<-END
	400089 [unknown] (prog)
	7ffff7fc1000 __vdso_walk ([vdso])
	7ffff7fc1001 __vdso_walk ([vdso])
	7ffff7fc1004 __vdso_walk ([vdso])
	400080 [unknown] (prog)
	END
	same want insns
	$PERF script --itrace=b -F ip,sym,symoff,dso,addr -i x.data > branches
	says "__vdso_walk+0x1 ([vdso])" branches
	says "400080 [unknown]" branches
	silent_about "left out" err
	$PERF script --insn-trace -F ip,insn -i x.data > bytes
	says "7ffff7fc1004 insn: c3" bytes
'
check 'Intel BTS: what kind of branch it was' '
	{ before $id | sed "s/^auxtrace_info.*/auxtrace_info auxtrace_type=2 priv=8,0,1,0,1,0/"
	echo "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 bts:0x7ffff7fc1001:0x7ffff7fc1004:0 bts:0x7ffff7fc1004:0x400080:0"; } | mkdata bts.data
	$PERF script --itrace=be -F ip,sym,dso,flags -i bts.data 2> err | tr -s " " > out
	says "jcc 7ffff7fc1001 __vdso_walk ([vdso])" out
	says "return 7ffff7fc1004 __vdso_walk ([vdso])" out
	silent_about "instruction trace error" out
'
check 'without the recorded one nothing is invented, and the reason is said' '
	rm -rf "$HOME/.debug"
	$PERF script --itrace=i1i -F ip -i x.data > out 2> err
	test "$(grep -c 7fff out)" = 0
	says "[vdso]" err
'
