# processes, maps, samples
event cpu-clock config=cpu-clock period=1000000 sample=ip|tid|time|cpu|period|callchain|identifier flags=sample_id_all|mmap|mmap2|comm|task ids=11,12
feature hostname str:"box"
feature nrcpus u32:4,4
feature cmdline u32:3 str:"perf" str:"record" str:"ls"
feature event_desc
buildid pid=-1 misc=kernel id=0102030405060708090a0b0c0d0e0f1011121314 name="[kernel.kallsyms]"
default cpu=1
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel
comm tid=100 comm="bash" time=1000
mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/bin/nothing" time=1001
fork pid=101 tid=101 ppid=100 time=1002
comm tid=101 comm="ls" misc=comm_exec time=1003
mmap2-buildid tid=101 addr=0x500000 len=0x2000 id=aabbccdd prot=5 flags=2 filename="/lib/x.so" time=1004
repeat 4
sample tid=101 ip=0x400100+$i*16 time=2000+$i*1000 period=1000000 chain=-512,0x400100+$i*16,0x400200
end
lost lost=3 time=20001
exit tid=101 ppid=100 time=20002
finished_round
