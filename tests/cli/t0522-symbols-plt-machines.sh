#!/bin/sh
# Names of calls into other files, in programs that cross compilers make for other machines.
. "$(dirname "$0")/lib.sh"

cat > lib.c << 'EOT'
int puts(const char *s) { return *s; }
int printf(const char *s, ...) { return *s; }
void free(void *p) { (void)p; }
EOT
cat > prog.c << 'EOT'
int puts(const char *);
int printf(const char *, ...);
void free(void *);
int work(int x) { puts("a"); printf("%d", x); free((void *)0); return x; }
int main(void) { return work(1); }
EOT

# make_program TARGET OPTION...: a stripped program "prog" that calls three functions of another file
make_program() {
	target=$1
	shift
	"$target-gcc" -O1 -fno-builtin -fPIC -shared -nostdlib -Wl,-soname,lib.so -o lib.so lib.c
	"$target-gcc" -O1 -fno-builtin -nostdlib -Wl,-e,main "$@" -o prog prog.c lib.so
	"$target-strip" prog
}
# calls: the names of all instructions of prog's executable segment that end in @plt, and how many each has
calls() {
	set -- $(readelf -lW prog | sed -n "s/^  LOAD  *\(0x[0-9a-f]*\) \(0x[0-9a-f]*\) 0x[0-9a-f]* \(0x[0-9a-f]*\) .* R E .*/\1 \2 \3/p")
	test $# = 3
	mkdata calls.data <<-EOT
		event a sample=ip|tid|time
		mmap2 tid=1 addr=$2 len=0x10000 pgoff=$1 prot=5 flags=2 filename="$PWD/prog" time=1
		repeat $(($3 / 4))
		sample tid=1 ip=$2+\$i*4 time=2
		end
	EOT
	$PERF script -F ip,sym -i calls.data > out
		sed -n "s/^ *[0-9a-f]* \(.*@plt\) *$/\1/p" out | sort | uniq -c | sed "s/^ *//"
}
check_calls() {
	calls > got
	printf "%s free@plt\n%s printf@plt\n%s puts@plt\n" "$1" "$1" "$1" | same - got
}
have_MIPS64() {
	command -v mips64el-linux-gnuabi64-gcc > /dev/null || { echo "needs mips64el-linux-gnuabi64-gcc"; return 1; }
}
have_PPC32() {
	command -v powerpc-linux-gnu-gcc > /dev/null || { echo "needs powerpc-linux-gnu-gcc"; return 1; }
}
have_PPC64() {
	command -v powerpc64-linux-gnu-gcc > /dev/null || { echo "needs powerpc64-linux-gnu-gcc"; return 1; }
}
have_PPC64LE() {
	command -v powerpc64le-linux-gnu-gcc > /dev/null || { echo "needs powerpc64le-linux-gnu-gcc"; return 1; }
}

check_if MIPS64 'MIPS, 64-bit: stubs of position-independent code' '
	make_program mips64el-linux-gnuabi64 -fPIE -pie
	check_calls 4
'
check_if MIPS64 'MIPS, 64-bit: entries of .plt' '
	make_program mips64el-linux-gnuabi64 -fno-pie -no-pie -msym32 -mplt -mno-shared -Wl,-Ttext-segment=0x10000000
	check_calls 4
'
check_if PPC32 'PowerPC, 32-bit: relative to r30, and absolute' '
	make_program powerpc-linux-gnu -fPIE -pie
	check_calls 3
	make_program powerpc-linux-gnu -fno-pie -no-pie
	check_calls 4
'
check_if PPC64 'PowerPC, 64-bit, ELF version 1' '
	for how in "-fPIE -pie" "-fno-pie -no-pie"; do
		make_program powerpc64-linux-gnu $how
		check_calls 5
	done
'
check_if PPC64LE 'PowerPC, 64-bit, ELF version 2: relative to r2, and to the address' '
	for how in "-fPIE -pie" "-fno-pie -no-pie" "-fPIE -pie -mcpu=power10"; do
		make_program powerpc64le-linux-gnu $how
		check_calls 4
	done
'
