# shellcheck shell=sh
# Functions that access data in many ways, for tests of types of data: prog, and files with samples in it.

. "$SRC/tests/cli/x86-code-lib.sh"
need X86_CODE

cat > prog.c <<'EOF'
#define NI __attribute__((noinline, noclone, noipa))
struct pos { int x, y; };
struct node { struct node *next; long key; int val; struct pos p; union { int a; float b; }; char name[16]; };
struct list { struct node *head; long count; };
struct base { int kind, z; };
struct derived { struct base b; long extra[4]; };
struct open { long n; struct pos tail[]; };
typedef struct { long q, r; } anon_t;
struct two { struct node *n; struct list *l; void *other; };
struct list global;
struct pos table[8];
long counter;
anon_t anon;

NI long walk(struct list *l)
{
	long s = 0;
	for (struct node *n = l->head; n; n = n->next)
		if (n->p.y == 3)
			s += n->key + n->name[n->key & 15];
	l->count++;
	counter++;
	return s;
}
NI struct node *first(struct list *l) { __asm__(""); return l->head; }
NI long returned(struct list *l) { return first(l)->next->val; }
NI long statics(long i) { anon.r++; return table[i & 7].y + global.count; }
NI long casted(struct base *b) { struct derived *d = (void *)b; long r = b->kind; return r ? d->extra[2] : b->z; }
NI long opened(struct open *o, long i) { return o->tail[i].y; }
NI long on_stack(int k)
{
	struct pos loc[8];
	__builtin_memset(loc, k, sizeof(loc));
	__asm__ volatile("" :: "r"(loc) : "memory");
	return loc[k & 7].y;
}
/* a store over more than the variable */
NI void wide(void) { char c; __asm__ volatile("movups %%xmm0, %0" : "=m"(*(char (*)[16])&c)); }
/* either struct: nobody may say which */
NI long merged(struct two *t, long c)
{
	void *p = t->n;
	if (c) { __asm__ volatile(""); p = t->l; }
	return *(long *)((char *)p + 8);
}
NI long untyped(struct two *t) { return *(long *)((char *)t->other + 8); }
/* the pointer does not survive the call */
NI long clobbered(struct two *t)
{
	long k = t->n->key, v;
	first(t->l);
	__asm__ volatile("mov (%%rdi), %0" : "=r"(v) :: "rdi");
	return k + v;
}
extern struct two elsewhere;
NI long declared(void) { return elsewhere.l->count; }
NI long summed(int *v, long n) { long s = 0; for (long i = 0; i < n; i++) s += v[i]; return s; }
/* t->l is loaded before the jump through a table: no variable holds it */
NI long switched(struct two *t, long k)
{
	switch (k) {
	case 0: return t->l->count;
	case 1: return (long)t->l->head;
	case 2: return t->l->count ^ 77;
	case 3: return (long)t->l->head - 5;
	case 4: return t->l->count << 4;
	case 5: return (long)t->l->head / 7;
	case 6: return t->l->count & 99;
	default: return (long)t->l->head | 1;
	}
}
/* the same pointer with two types where the jumps of labels meet */
NI long labels(struct two *t, long k)
{
	static void *const go[] = { &&a, &&b, &&c };
	long r = 0;
	void *p = t->n;
	goto *go[k];
a:	p = t->l;
	r = 1;
b:	r += *(long *)((char *)p + 8);
c:	return r + t->l->count;
}
__attribute__((cold)) NI void rare(void) { __asm__ volatile(""); }
NI long splits(struct two *t)
{
	long k = t->l->count;
	if (__builtin_expect(k == 77, 0)) {
		k += (long)t->l->head;
		rare();
	}
	return k + t->n->val;
}
/* l is on the stack while no register is free */
NI long kept(struct two *t)
{
	void *l = t->l;
	__asm__ volatile("" ::: "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
			 "r13", "r14", "r15");
	return *(long *)((char *)l + 8);
}
/* what another function may have changed is not known */
NI void change(void *p) { __asm__ volatile("" :: "r"(p) : "memory"); }
NI long changed(struct two *t)
{
	void *l = t->l;
	change(&l);
	return *(long *)((char *)l + 8);
}
void _start(void) { for (;;) ; }
EOF
cat > other.c <<'EOF'
struct two { void *n, *l, *other; };
long before[4] = { 1 };
struct two elsewhere = { before };
long after[4] = { 1 };
EOF
cflags="-O2 -g -fno-stack-protector -fcf-protection=none -fno-tree-vectorize"
gcc $cflags -ffreestanding -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o prog prog.c other.c 2> gcc.log ||
	skip_all "gcc cannot link: $(head -1 gcc.log)"

# a sample at every byte of a function
everywhere() {
	off=$(readelf -lW prog | awk '/LOAD.* R E / { print $2, $3; exit }')
	cat <<-EOF
	event cpu-clock config=cpu-clock period=100 ids=1 sample=identifier|ip|tid|time|period flags=sample_id_all|mmap2
	mmap2 tid=100 addr=${off#* } len=0x10000 pgoff=${off% *} prot=5 flags=2 filename="$PWD/prog" time=1
	EOF
	readelf -sW prog | awk -v want="$1" '$4 == "FUNC" && (want == "" || $8 == want) { print $2, $3 }' |
		while read -r start size; do
			seq 0 "$((size - 1))" | while read -r i; do
				printf 'sample ip=%#x tid=100 time=10 period=100 id=1\n' "$((0x$start + i))"
			done
		done
}
