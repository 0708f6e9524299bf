order big
# a sample with every field there is, and one with the other form of the weight
event all sample=0x1ffbfff read=enabled|running|id|group|lost branch=0xa0001 regs_user=0xff regs_intr=0x3 stack_user=64 flags=sample_id_all size=136
event weights sample=ip|weight_struct|identifier ids=9
sample tid=1 ip=1 time=2 addr=3 read=5:1:0,6:2:1 enabled=9 running=8 chain=-128,1,2,-512,3 raw="hello" branch=1:2:1,3:4:18 counters=7,8 regs_user=2,1,2,3,4,5,6,7,8 stack="0123456789abcdef" dyn_size=8 weight=4 data_src=0x68100142 transaction=1 regs_intr=2,5,6 phys_addr=7 cgroup=8 data_page_size=4096 code_page_size=4096 aux="auxdata!"
sample ev=weights ip=1 weight=1 weight2=2 weight3=3
