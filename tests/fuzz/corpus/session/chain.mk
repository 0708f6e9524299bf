# each process is forked by the one before and maps something
event cpu-clock config=cpu-clock period=1000000 sample=ip|tid|time flags=sample_id_all|comm|mmap2
comm tid=1 comm="init"
repeat 60
fork pid=2+$i tid=2+$i ppid=1+$i ptid=1+$i time=1000+$i*10
mmap2 tid=2+$i addr=0x1000*$i len=0x3000 prot=5 flags=2 filename="/bin/x" time=1001+$i*10
sample tid=2+$i ip=0x1000*$i+8 time=1002+$i*10
end
