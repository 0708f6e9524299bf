#!/bin/sh
# Types of data in a kernel: variables of a CPU, the current task, pointers, and code that changes itself.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/x86-code-lib.sh"
need X86_CODE

cat > kernel.c <<'EOF'
#define NI __attribute__((noinline, noclone, noipa))
struct task { long state; struct task *parent; int pid; };
struct node { long a, key; };
struct list { long b, count; };
struct two { struct node *n; struct list *l; };
NI void _stext(void) { for (;;) ; }
extern char __start___jump_table[], __stop___jump_table[], __start___ex_table[], __stop___ex_table[];
char *tables[] = { __start___jump_table, __stop___jump_table, __start___ex_table, __stop___ex_table };
__attribute__((section("percpu"))) long first_of_cpu;
__attribute__((section("percpu"))) struct task *current_task;
__attribute__((section("percpu"))) struct list of_cpu;

NI long current_pid(void)
{
	void *t;
	__asm__("movq %%gs:%P1, %0" : "=r"(t) : "p"(&current_task));
	return ((struct task *)t)->parent->pid;
}
NI void counts(void) { __asm__ volatile("incq %%gs:%P0" :: "p"(&of_cpu.count)); }
NI long followed(struct two *t) { void *p = t->l; return *(long *)((char *)p + 8); }
/* either type: the no-operation may become a jump */
NI long keyed(struct two *t)
{
	void *p = t->n;
	__asm__ volatile("" : "+r"(p));
	__asm__ goto("1: .byte 0x0f, 0x1f, 0x44, 0, 0\n.pushsection __jump_table, \"aw\"\n.balign 8\n"
		     ".long 1b - ., %l[yes] - .\n.quad 0\n.popsection" :::: yes);
	p = t->l;
yes:
	return *(long *)((char *)p + 8);
}
/* the same with code elsewhere that jumps back */
NI long tested(struct two *t)
{
	void *p = t->n;
	__asm__ volatile("" : "+r"(p));
	__asm__ goto("jmp 6f\n.pushsection .altinstr_aux, \"ax\"\n6: testb $1, %%gs:0\n"
		     "jnz %l[yes]\njmp %l[no]\n.popsection" :::: yes, no);
no:
	p = t->l;
yes:
	return *(long *)((char *)p + 8);
}
/* what replaces a no-operation may write to the register */
NI long replaced(struct two *t)
{
	void *p = t->l;
	__asm__ volatile(".byte 0x0f, 0x1f, 0x00" : "+r"(p));
	return *(long *)((char *)p + 8);
}
/* a jump after a fault */
NI long faults(struct two *t)
{
	void *p = t->n;
	__asm__ volatile("" : "+r"(p));
	__asm__ goto("1: movq (%0), %%rcx\n.pushsection __ex_table, \"a\"\n.balign 4\n"
		     ".long 1b - ., %l[bad] - ., 3\n.popsection" :: "r"(t) : "rcx" : bad);
	p = t->l;
bad:
	return *(long *)((char *)p + 8);
}
EOF
flags="-O2 -g -fno-toplevel-reorder -fno-stack-protector -fcf-protection=none -falign-loops=1 -mcmodel=kernel -fno-pic -no-pie"
gcc $flags -ffreestanding -nostdlib -static -Wl,-e,_stext -Wl,-Ttext=0xffffffff81000000 \
	-Wl,--section-start=percpu=0 -Wl,--build-id=none -o vmlinux kernel.c 2> gcc.log ||
	skip_all "gcc cannot link: $(head -1 gcc.log)"

# accesses FUNC: what each byte of it accesses
accesses() {
	{ echo "event cpu-clock config=cpu-clock period=100 ids=1 sample=identifier|ip|tid|time|period flags=sample_id_all|mmap2"
	  echo "mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename=\"[kernel.kallsyms]_stext\" misc=kernel time=0"
	  readelf -sW vmlinux | awk -v want="$1" '$4 == "FUNC" && $8 == want { print $2, $3 }' |
		while read -r start size; do
			seq 0 "$((size - 1))" | while read -r i; do
				# shells have no unsigned numbers of 64 bits
				printf "sample ip=0xffffffff%08x tid=100 time=10 period=100 id=1 misc=kernel\n" $((0x${start#ffffffff} + i))
			done
		done; } | mkdata x.data
	$PERF report -k vmlinux -i x.data -s typeoff 2> err | sed -n 's/^ *[0-9.]*% *//p' | sed 's/ *$//' | grep -v '^(' | LC_ALL=C sort
}

check 'variables of a CPU, and the current task' '
	accesses current_pid > got
	same - got <<-EOF
	struct task +0x10 (pid)
	struct task +0x8 (parent)
	struct task* +0 (no field)
	EOF
	accesses counts > got
	echo "struct list +0x8 (count)" | same - got
'
check 'pointers are followed, but not over what the kernel changes' '
	accesses followed > got
	same - got <<-EOF
	struct list +0x8 (count)
	struct two +0x8 (l)
	EOF
	for f in keyed tested replaced faults; do
		accesses $f > got
		says "struct two +0x8 (l)" got
		silent_about "struct list" got
	done
'
check 'without the tables of what is changed nothing is followed' '
	objcopy -N __start___jump_table vmlinux other
	mv other vmlinux
	accesses followed > got
	echo "struct two +0x8 (l)" | same - got
	accesses current_pid > got
	echo "struct task* +0 (no field)" | same - got
'
check 'source lines of a kernel come from its vmlinux' '
	accesses followed > got
	$PERF annotate -k vmlinux -i x.data -s followed > out
	says "NI long followed(struct two" out
	$PERF report -k vmlinux -i x.data -s srcline > out
	says "kernel.c:" out
'
