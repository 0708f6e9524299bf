#!/bin/sh
# Code in memory that no file holds: text that a program moved, and what a JIT compiler wrote.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

# a file of process 7 with the lines of standard input; symbols of generated code are in root/tmp/perf-7.map
made() {
	mkdir -p root/tmp
	echo "7f0000000100 40 made at run time" > root/tmp/perf-7.map
	{ echo "event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2"
	  cat; } | mkdata x.data
}
# names: ADDRESS NAME of each sample
names() {
	PERF_FS_ROOT=$PWD/root $PERF script -F ip,sym -i x.data 2> err | awk '{ $1 = $1; print }'
}
# a program with main at $main, whose text is at $off in the file
program() {
	echo "int main(void) { return 0; }" > prog.c
	gcc -Wl,-Ttext=0x401000 -nostartfiles -static -Wl,-emain -o prog prog.c
	off=$(readelf -SW prog | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	file="prot=5 flags=2 filename=\"$PWD/prog\""
	anon='prot=5 flags=2 filename="//anon"'
	memfd='prot=5 flags=1 filename="/memfd:text (deleted)"'
}

check_if GCC 'memory in place of the program'\''s text has its names' '
	program
	for with in "$anon" "$memfd"; do
		made <<-END
		comm tid=7 comm="x" time=1 misc=0x2000
		mmap2 tid=7 addr=0x401000 len=0x200000 pgoff=$off $file time=2
		mmap2 tid=7 addr=0x401000 len=0x1000 $with time=3
		sample tid=7 ip=0x401000 time=5
		END
		echo "401000 main" > want
		names | same want -
	done'
check_if GCC 'memory elsewhere has none, and a new program forgets the old text' '
	program
	made <<-END
	comm tid=7 comm="x" time=1
	mmap2 tid=7 addr=0x401000 len=0x2000 pgoff=$off $file time=2
	mmap2 tid=7 addr=0x402000 len=0x2000 $anon time=3
	sample tid=7 ip=0x402000 time=4
	comm tid=7 comm="y" time=5 misc=0x2000
	mmap2 tid=7 addr=0x401000 len=0x1000 $anon time=6
	sample tid=7 ip=0x401000 time=7
	END
	printf "%s [unknown]\n" 402000 401000 > want
	names | same want -'
check_if GCC 'a hole in a file that memory fills' '
	program
	made <<-END
	comm tid=7 comm="x" time=1
	mmap2 tid=7 addr=0x10000 len=0x1000 prot=5 flags=2 filename="/no/other" time=1
	mmap2 tid=7 addr=0x400000 len=0x1000 pgoff=$((off - 0x1000)) prot=1 flags=2 filename="$PWD/prog" time=1
	mmap2 tid=7 addr=0x401000 len=0x1000 $anon time=1
	mmap2 tid=7 addr=0x402000 len=0x1000 pgoff=$((off + 0x1000)) $file time=1
	sample tid=7 ip=0x401000 time=5
	END
	echo "401000 main" > want
	names | same want -
	# all of the text: what is around it is not executable
	made <<-END
	comm tid=7 comm="x" time=1
	mmap2 tid=7 addr=0x400000 len=0x1000 pgoff=$((off - 0x1000)) prot=1 flags=2 filename="$PWD/prog" misc=0x2002
	mmap2 tid=7 addr=0x401000 len=0x1000 $memfd
	mmap2 tid=7 addr=0x402000 len=0x1000 pgoff=$((off + 0x1000)) prot=1 flags=2 filename="$PWD/prog" misc=0x2002
	sample tid=7 ip=0x401000 time=5
	END
	names | same want -
	# it does not go on below
	made <<-END
	comm tid=7 comm="x" time=1
	mmap2 tid=7 addr=0x10000 len=0x1000 prot=5 flags=2 filename="/no/other" time=1
	mmap2 tid=7 addr=0x400000 len=0x1000 pgoff=$((off - 0x1000)) prot=1 flags=2 filename="$PWD/prog" time=1
	mmap2 tid=7 addr=0x401000 len=0x1000 $anon time=1
	mmap2 tid=7 addr=0x402000 len=0x1000 pgoff=$((off + 0x3000)) $file time=1
	sample tid=7 ip=0x401000 time=5
	END
	echo "401000 [unknown]" > want
	names | same want -'
check 'shared memory without a file has the symbols of the perf map' '
	for map in "flags=1 filename=\"/memfd:doublemapper (deleted)\"" "flags=1 filename=\"/dev/shm/jit (deleted)\"" \
			"flags=2 filename=\"[anon:dalvik-jit-code-cache]\"" "flags=1 filename=\"[anon_shmem:jit]\""; do
		made <<-END
		comm tid=7 comm="x" time=1
		mmap2 tid=7 addr=0x7f0000000000 len=0x1000 prot=5 $map time=2
		sample tid=7 ip=0x7f0000000110 time=5
		END
		echo "7f0000000110 made at run time" > want
		names | same want -
	done'
check 'a jitdump file that is in no directory: a memfd, one that was deleted, and one that was deleted later' '
	mkdir -p root/proc/7/map_files
	{ jit_header 7
	jit_load 7 10 0x20000000 1 compiled "aaaaaaaa"; } > root/proc/7/map_files/10000000-10001000
	for name in "/memfd:jit-7.dump (deleted)" "/tmp/jit-7.dump (deleted)" /tmp/jit-7.dump; do
		echo "10000000-10001000 r-xp 00000000 00:01 5      ${name% (deleted)} (deleted)" > root/proc/7/maps
		for flags in 1 2; do
			made <<-END
			feature hostname str:"$(uname -n)"
			feature osrelease str:"$(uname -r)"
			feature arch str:"$(uname -m)"
			comm tid=7 comm="x" time=1
			mmap2 tid=7 addr=0x10000000 len=0x1000 prot=5 flags=$flags filename="$name" time=2
			sample tid=7 ip=0x20000004 time=5
			END
			echo "20000004 compiled" > want
			names | same want -
		done
	done
	# of another machine: its process 7 is not this one
	sed "s/^feature hostname.*/feature hostname str:\"elsewhere\"/" > other <<-END
	feature hostname str:"x"
	comm tid=7 comm="x" time=1
	mmap2 tid=7 addr=0x10000000 len=0x1000 prot=5 flags=1 filename="$name" time=2
	sample tid=7 ip=0x20000004 time=5
	END
	made < other
	echo "20000004 [unknown]" > want
	names | same want -
'
check 'generated code in memory that was mapped before the recording began, without a clock' '
	{ jit_header 7
	jit_load 7 10 0x20000000 1 compiled "aaaaaaaa"; } > jit-7.dump
	made <<-END
	comm tid=7 comm="x" time=0
	mmap2 tid=7 addr=0x10000000 len=0x1000 prot=5 flags=2 filename="$PWD/jit-7.dump" time=0
	mmap2 tid=7 addr=0x18000000 len=0x1000 prot=5 flags=2 filename="/no/library" time=0
	mmap2 tid=7 addr=0x20000000 len=0x1000 prot=7 flags=2 filename="//anon" time=0
	mmap2 tid=8 addr=0x20000000 len=0x1000 prot=7 flags=2 filename="//anon" time=0
	sample tid=7 ip=0x20000004 time=5
	sample tid=7 ip=0x20000104 time=5
	sample tid=8 ip=0x20000004 time=5
	END
	printf "%s\n" "20000004 compiled" "20000104 [unknown]" "20000004 [unknown]" > want
	names | same want -
'
check 'a private memfd is code of a JIT compiler if it is writable: loaders map programs without that' '
	for prot in 7 5; do
		made <<-END
		comm tid=7 comm="x" time=1
		mmap2 tid=7 addr=0x7f0000000000 len=0x1000 prot=$prot flags=2 filename="/memfd:code (deleted)" time=2
		sample tid=7 ip=0x7f0000000104 time=5
		END
		names > $prot
	done
	echo "7f0000000104 made at run time" | same - 7
	echo "7f0000000104 [unknown]" | same - 5
'
