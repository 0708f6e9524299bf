#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

# What a build-id table says of the kernel and its modules, and what that is good for.
K=1102030405060708090a0b0c0d0e0f1011121314
N=2202030405060708090a0b0c0d0e0f1011121314
E=3302030405060708090a0b0c0d0e0f1011121314
IMAGE=/usr/lib/debug/boot/vmlinux-6.5.0-test
EXT4=/lib/modules/6.5.0-test/kernel/fs/ext4/ext4.ko.xz

# samples MAPS...: text of a file with the kernel, three modules and a sample in each
samples() {
	cat <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2
	feature arch str:"x86_64"
	feature nrcpus u32:1,1
	mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0
	mmap pid=-1 tid=0 addr=0xffffffffc0000000 len=0x10000 filename="[nvidia]" misc=kernel time=0
	mmap pid=-1 tid=0 addr=0xffffffffc0100000 len=0x10000 filename="[ext4]" misc=kernel time=0
	mmap pid=-1 tid=0 addr=0xffffffffc0200000 len=0x10000 filename="/lib/modules/6.5.0-test/kernel/fs/b-tree.ko" misc=kernel time=0
	comm tid=7 comm="x" time=1
	sample tid=7 ip=0xffffffff81000123 misc=kernel time=5
	sample tid=7 ip=0xffffffffc0000123 misc=kernel time=6
	sample tid=7 ip=0xffffffffc0100456 misc=kernel time=7
	sample tid=7 ip=0xffffffffc0100123 misc=kernel time=8
	sample tid=7 ip=0xffffffffc0200123 misc=kernel time=9
	END
}
table() {
	cat <<-END
	buildid id=$K name="$IMAGE" misc=kernel
	buildid id=$N name="[nvidia]" misc=user
	buildid id=$E name="$EXT4" misc=kernel
	END
}
PERF_BUILDID_DIR=$PWD/cache
export PERF_BUILDID_DIR
{ samples; table; } > t.mk
$MKDATA -o t.data t.mk

check 'entries of an image, of a module in brackets and of a module by its path belong to the maps' '
	{ printf "%40s /lib/modules/6.5.0-test/kernel/fs/b-tree.ko\n" ""
	  echo "$E $EXT4"; echo "$K $IMAGE"; echo "$N [nvidia]"; } > want
	$PERF buildid-list -H -i t.data | same want -
'
check 'script names what the table lists by its path' '
	$PERF script -i t.data -F ip,dso > out
	same - out <<-END
	 ffffffff81000123 ($IMAGE)
	 ffffffffc0000123 ([nvidia])
	 ffffffffc0100456 ($EXT4)
	 ffffffffc0100123 ($EXT4)
	 ffffffffc0200123 ([b_tree])
	END
'
check 'an address in a module is that in the module' '
	$PERF report --stdio -i t.data -s dso,sym 2> err | sed -n "s/^ *[0-9.]*%  *//p" > out
	same - out <<-END
	[b_tree]          [k] 0x0000000000000123
	[ext4]            [k] 0x0000000000000123
	[ext4]            [k] 0x0000000000000456
	[kernel.vmlinux]  [k] 0xffffffff81000123
	[nvidia]          [k] 0x0000000000000123
	END
	$PERF script -i t.data -F ip,sym,srcline,dso,dsoff | sed -n "5,8p" > out
	same - out <<-END
	 ffffffffc0100456 [unknown] ($EXT4+0x456)
	  [ext4][456]
	 ffffffffc0100123 [unknown] ($EXT4+0x123)
	  [ext4][123]
	END
'
check 'the same from a pipe, whose entries may come last' '
	{ echo "format pipe"; samples; table |
	  sed "s/^buildid \(.*\) name=\(.*\) misc=kernel/build_id \1 filename=\2 misc=0x8001 pid=-1 id_size=20/
	       s/^buildid \(.*\) name=\(.*\) misc=user/build_id \1 filename=\2 misc=0x8002 pid=-1 id_size=20/"; } > p.mk
	$MKDATA -o p.data p.mk
	$PERF buildid-list -H -i t.data > want
	test -s want
	$PERF buildid-list -H -i p.data | same want -
'
check 'the image'"'"'s build-id finds the list of symbols in the build-id cache' '
	mkdir -p cache/.build-id/11/${K#11}
	printf "%s\n" "ffffffff81000000 T _text" "ffffffff81000100 t do_one" \
		"ffffffffc0000100 t nv_open	[nvidia]" > cache/.build-id/11/${K#11}/kallsyms
	$PERF script -i t.data -F ip,sym,symoff | head -n 2 > out
	rm -r cache
	same - out <<-END
	 ffffffff81000123 do_one+0x23
	 ffffffffc0000123 nv_open+0x23
	END
'
check 'an entry of the kernel by its map'"'"'s name counts before one of an image; entries of user files are not the kernel' '
	{ samples; table; echo "buildid id=$N name=\"[kernel.kallsyms]\" misc=kernel"; } | $MKDATA -o k.data
	$PERF buildid-list -H -i k.data | finds "^$N \[kernel.kallsyms\]$"
	{ samples; echo "buildid id=$K name=\"$IMAGE\" misc=user"; echo "buildid id=$E name=\"/other/ext4.ko\" misc=user"; } | $MKDATA -o u.data
	$PERF buildid-list -H -i u.data > out
	not grep -q "^[0-9a-f]" out
'
check 'a module that was loaded again elsewhere: its addresses are those at run time' '
	{ samples; echo "mmap pid=-1 tid=0 addr=0xffffffffbf000000 len=0x10000 filename=\"[ext4]\" misc=kernel time=20"
	  echo "sample tid=7 ip=0xffffffffbf000123 misc=kernel time=21"; } | $MKDATA -o m.data
	$PERF report --stdio -i m.data -s dso,sym -d "[ext4]" 2> err | sed -n "s/^ *[0-9.]*%  *//p" | sort > out
	same - out <<-END
	[k] 0xffffffffbf000123
	[k] 0xffffffffc0100123
	[k] 0xffffffffc0100456
	END
'
