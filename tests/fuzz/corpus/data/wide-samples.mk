# samples with everything that they can have
event cycles type=hardware config=0 sample=ip|tid|time|addr|id|stream_id|cpu|period|read|callchain|raw|branch_stack|regs_user|stack_user|weight|data_src|identifier|transaction|regs_intr|phys_addr|cgroup|data_page_size|code_page_size|aux read=enabled|running|id|group|lost branch=0x20000 regs_user=0xff stack_user=64 regs_intr=0x7 flags=sample_id_all ids=1
event instructions type=hardware config=1 sample=ip|tid|time|addr|id|stream_id|cpu|period|read|callchain|raw|branch_stack|regs_user|stack_user|weight|data_src|identifier|transaction|regs_intr|phys_addr|cgroup|data_page_size|code_page_size|aux read=enabled|running|id|group|lost branch=0x20000 regs_user=0xff stack_user=64 regs_intr=0x7 flags=sample_id_all ids=2
feature arch str:"x86_64"
comm tid=7 comm="a"
mmap2 tid=7 addr=0x400000 len=0x4000 prot=5 flags=2 ino=7 filename="/bin/a"
sample tid=7 ip=0x400010 id=1 cpu=1 period=10 addr=0x400020 read=1:1:0,2:2:1 enabled=5 running=4 chain=-128,0xffffffff81000000,-512,0x400010,0x400020 raw=0102030405 branch=0x400010:0x400020:1,0x400030:0x400040:50,0x400050:0x400060:12 hw_idx=3 regs_user=2,1,2,3,4,5,6,7,8 regs_intr=2,1,2,3 stack="0123456789abcdef" dyn_size=8 weight=3 data_src=0x68100142 transaction=0x300000001 phys_addr=0x1000 cgroup=9 data_page_size=4096 code_page_size=4096 aux="abc"
sample tid=7 ip=0x400010 id=2 read=5:1 regs_user=0 regs_intr=1,1,2,3 stack="" chain=
sample tid=7 ip=0x400010 id=1 read=1:1:0 chain=-512,0x400010,-4095,0x7 branch=
read tid=7 values=5,6,7,1 id=1
throttle time=5 id=1 stream_id=1
switch_cpu_wide next_prev_pid=3 next_prev_tid=4 misc=0x2000
aux_output_hw_id hw_id=5
