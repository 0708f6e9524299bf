# names that change, ids that are used again, kernel stacks, modules, build-ids, control groups, BPF, moved text
order big
event cpu-clock config=cpu-clock sample=identifier|ip|tid|time|cpu|period|cgroup flags=sample_id_all|comm|mmap|mmap2|task ids=1
buildid id=0102030405060708090a0b0c0d0e0f1011121314 name="[kernel.kallsyms]" pid=-1 misc=kernel
buildid id=1102030405060708090a0b0c0d0e0f1011121314 name="[ext4]" pid=-1 misc=kernel
buildid id=2102030405060708090a0b0c0d0e0f1011121314 name="/bin/a" pid=-1 misc=user
buildid id=3102030405060708090a0b0c0d0e0f1011121314 name="/bin/a" pid=7 misc=user
buildid id=4102030405060708090a0b0c0d0e0f1011121314 name="/lib/modules/6.1/kernel/fs/ext4.ko.xz" pid=-1 misc=kernel
mmap tid=-1 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel
mmap tid=-1 addr=0xffffffffc0000000 len=0x10000 filename="[ext4]" misc=kernel
mmap tid=-1 addr=0xffffffffc0010000 len=0x10000 filename="/lib/modules/6.1/kernel/fs/xfs.ko.zst" misc=kernel
mmap tid=0 addr=0xffffffff81000000 len=0x1000000 filename="[guest.kernel.kallsyms]" misc=guest_kernel
ksymbol addr=0xffffffffc0020000 len=64 ksym_type=1 name="bpf_prog_1" s_id=1
bpf_event bpf_type=1 id=3 tag=0102030405060708 s_id=1
ksymbol addr=0xffffffffc0020000 len=64 ksym_type=1 flags=1 name="bpf_prog_1" s_id=1 time=4500
cgroup id=9 path="/a.slice" s_id=1 time=10
comm tid=7 comm="one" s_id=1 time=100
comm tid=7 comm="two" s_id=1 time=300
fork pid=8 tid=8 ppid=7 ptid=7 s_id=1 time=350
comm tid=8 comm="child" s_id=1 time=400 misc=0x2000
namespaces tid=8 ns=1:1,1:2,1:3 s_id=1 time=410
mmap2 tid=7 addr=0x400000 len=0x4000 prot=5 flags=2 ino=7 filename="/bin/a" s_id=1 time=110
mmap2 tid=7 addr=0x400000 len=0x2000 prot=5 flags=0x22 filename="//anon" s_id=1 time=500
mmap2 tid=7 addr=0x402000 len=0x1000 prot=7 flags=0x22 filename="/memfd:x (deleted)" s_id=1 time=600
mmap2 tid=7 addr=0x403000 len=0x8000 prot=3 flags=2 filename="[heap]" s_id=1 time=700
mmap2 tid=7 addr=0x700000 len=0x1000 prot=5 flags=2 filename="[vdso]" s_id=1 time=700
sample id=1 tid=7 ip=0x401000 time=50 cgroup=9
sample id=1 tid=7 ip=0x401000 time=200 cgroup=9
sample id=1 tid=7 ip=0x401000 time=550 cgroup=8
sample id=1 pid=7 tid=70 ip=0x402010 time=650
sample id=1 tid=8 ip=0x700010 time=700
exit pid=8 tid=8 ppid=7 ptid=7 s_id=1 time=800
fork pid=7 tid=8 ppid=7 ptid=7 s_id=1 time=900
sample id=1 pid=7 tid=8 ip=0xffffffff81000010 misc=kernel time=1000
sample id=1 tid=7 ip=0xffffffffc0010010 misc=kernel time=4000
sample id=1 tid=7 ip=0xffffffffc0020010 misc=kernel time=4100
sample id=1 tid=7 ip=0xffffffff81000010 misc=guest_kernel time=4200
text_poke addr=0xffffffff81000010 old_len=1 new_len=1 bytes=90cc s_id=1 time=4300
lost id=1 lost=5 s_id=1 time=4400
lost_samples lost=6 s_id=1 time=4450
finished_round
sample id=1 tid=7 ip=0x401000 time=5000
