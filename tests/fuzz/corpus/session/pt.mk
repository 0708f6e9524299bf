event intel_pt// type=8 config=0x2602 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0
comm tid=100 comm="a" time=10
mmap2 tid=100 addr=0x400000 len=0x100000 prot=5 flags=2 filename="/proc/self/exe" time=11
switch_cpu_wide tid=100 time=20 cpu=0
auxtrace offset=0 reference=0 idx=0 tid=100 cpu=-1 pt-psb:0 pt-tsc:1000 pt-tma:62:3 pt-cbr:20 pt-mode:1 pt-mode:0x20 pt-pip:8 pt-psbend:0 pt-pge:0x440000 pt-cyc:40 pt-tnt:TNTNTT pt-tnt8:TNTTTNNTTNT pt-mtc:63 pt-tip:0x440800 pt-fup:0x440801 pt-tip:0xffffffff81000000,6 pt-tip:0x440000
auxtrace offset=128 reference=9 idx=0 tid=100 cpu=-1 pt-tnt:T pt-ptw-ip:5 pt-fup:0x440001 pt-mode:0x21 pt-fup:0x440002 pt-mwait:1:2 pt-pwre:3 pt-exstop-ip:0 pt-pwrx:4 pt-ovf:0 pt-fup:0x441000 pt-tnt:TTT pt-bbp:1 hex:040102030405060708 pt-bep:0 pt-psb:0 pt-tsc:2000 pt-mode:1 pt-fup:0x442000 pt-psbend:0 pt-tnt:TTTTNN pt-cfe:0x81:3 pt-fup:0x442001 pt-pgd:0,0 pt-tracestop:0 hex:02ff
auxtrace offset=0 reference=9 idx=1 tid=-1 cpu=0 pt-psb:0 pt-tsc:3000 pt-mode:2 pt-fup:0x443000 pt-psbend:0 pt-tnt:TNTNTT pt-vmcs:5 pt-mnt:6
