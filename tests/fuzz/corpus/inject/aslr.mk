feature arch str:"x86_64"
feature event_desc
event cpu-clock type=software config=cpu-clock sample=identifier|ip|tid|time|addr|cpu|period|read|callchain|raw|branch_stack|regs_user|stack_user|weight|data_src|regs_intr|phys_addr|data_page_size read=group|id regs_user=0x1c0 regs_intr=0x100 stack_user=16 branch=0x20001 flags=sample_id_all|comm|mmap2|exclude_callchain_user
comm tid=7 comm="prog" time=1
mmap tid=-1 misc=kernel addr=0xffffffff94200000 len=0x1000000 pgoff=0xffffffff94200000 filename="[kernel.kallsyms]_text" time=1
ksymbol addr=0xffffffffc0345110 len=0x80 ksym_type=1 name="bpf_prog_first" time=1
ksymbol addr=0xffffffffc0345190 len=0x80 ksym_type=1 name="bpf_prog_second" time=1
mmap2 tid=7 addr=0x55d1c3a41000 len=0x3000 pgoff=0x1000 prot=5 flags=2 filename="/nowhere/prog" time=2
mmap2 tid=7 addr=0x55d1c3a43000 len=0x2000 pgoff=0x9000 prot=5 flags=2 filename="/nowhere/over" time=3
mmap2 tid=7 addr=0x7f13b2c55000 len=0x1000 pgoff=0x7f13b2c55000 prot=7 flags=2 filename="//anon" time=3
fork pid=8 tid=8 ppid=7 ptid=7 time=4
default period=3 misc=user regs_user=2,0x7ffd31e7a010,0x7ffd31e7a010,0x55d1c3a41123 regs_intr=2,0x55d1c3a41123 stack="01020304a1a2a3a4" raw="abcd" phys_addr=0x3b2a1000 weight=9 data_src=0x5080021 data_page_size=4096
sample tid=7 ip=0x55d1c3a41123 addr=0x7ffd31e7a2f0 time=10 read=5:1 chain=-128,0xffffffff94234567,0xffffffffc0345120,-512,0x55d1c3a41123,0x55d1c3a43456,0x44a32b2000000000 branch=0x55d1c3a41123:0x55d1c3a41456:2,0xffffffff94234567:0x7f13b2c55678:1 hw_idx=3
sample tid=8 ip=0x55d1c3a43456 addr=0x7ffd31e7a2f8 time=11 read=9:1 chain=-512,0x55d1c3a43456,0x123 branch=0x55d1c3a43456:0xffffffffff600010:1
sample tid=7 misc=kernel ip=0xffffffffc03451a0 addr=0xffff9a8d12345678 time=12 read=14:1 chain=-128,0xffffffffc03451a0,0xffffffffff600010
text_poke addr=0xffffffff94234567 old_len=1 new_len=1 bytes=9090 time=13
callchain_deferred cookie=7 chain=-512,0x55d1c3a41123 tid=7 time=14
cgroup id=3 path="/a/b" time=15
namespaces tid=7 ns=1:2 time=16
