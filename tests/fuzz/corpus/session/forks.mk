# processes, threads, overlays, reused ids, kernel maps that come and go, two rounds
event cpu-clock config=cpu-clock period=1000000 sample=ip|tid|time|callchain|period flags=sample_id_all|comm|mmap2
mmap2 tid=0xffffffff misc=kernel addr=0xffffffff81000000 len=0x1200000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text"
mmap2 tid=0xffffffff misc=kernel addr=0xffffffffc0000000 len=0x10000 filename="[ext4]"
comm tid=100 comm="main"
mmap2 tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 ino=7 filename="/bin/main"
mmap2 tid=100 addr=0x600000 len=0x10000 prot=7 flags=2 filename="//anon"
mmap2-buildid tid=100 addr=0x700000 len=0x10000 id=00112233445566778899aabbccddeeff00112233 prot=5 flags=2 filename="/lib/l.so"
fork pid=200 tid=200 ppid=100 ptid=100 time=1000
fork pid=100 tid=101 ppid=100 ptid=100 time=1010
sample tid=200 ip=0x400010 time=1020 chain=-512,0x400010,0x400020
comm tid=200 comm="child" misc=0x2000 time=1030
mmap2 tid=200 addr=0x404000 len=0x1000 prot=5 flags=2 ino=8 filename="/bin/child" time=1040
mmap2 tid=200 addr=0x402000 len=0x8000 prot=5 flags=2 ino=9 filename="/bin/more" time=1050
sample tid=200 ip=0x404010 time=1060 chain=-128,0xffffffff81000010,-512,0x404010,-1
namespaces tid=200 ns=3:1,3:2,3:3,3:4,3:5,3:6,3:7 time=1065
cgroup id=5 path="/a" time=1066
ksymbol addr=0xffffffffc0100000 len=256 ksym_type=1 name="bpf_prog_1_f" time=1070
sample tid=200 misc=kernel ip=0xffffffffc0100010 time=1080 chain=-128,0xffffffffc0100010
finished_round
ksymbol addr=0xffffffffc0100000 len=256 ksym_type=1 flags=1 name="bpf_prog_1_f" time=1090
exit pid=200 tid=200 ppid=100 ptid=100 time=1100
sample tid=200 ip=0x404010 time=1110
fork pid=200 tid=200 ppid=101 ptid=101 time=1120
sample tid=200 ip=0x404010 time=1130
lost lost=7 time=1140
lost_samples lost=3 time=1150
finished_round
sample tid=101 ip=0x600010 time=1125
sample tid=0 ip=0 time=0
