event cpu-clock config=cpu-clock period=1000000 sample=ip|tid flags=comm|mmap2
comm tid=1 comm="init"
mmap tid=1 addr=0x1000 len=0x3000 filename="/bin/x"
sample tid=1 ip=0x1008
fork pid=2 tid=2 ppid=1 ptid=1
sample tid=2 ip=0x1008
