# each packet of Intel PT; bytes that are not a packet, and packets without their end
event intel_pt// type=9 config=0x2602 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0,11,0x6d207265746c6966,0x6e6961,1
comm ev=dummy:u tid=100 comm="a" time=10 s_id=11
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 pt-psb:0 pt-tsc:0xff665544332211 pt-tma:0x2211:0x133 pt-mode:0x01 pt-mode:0x02 pt-mode:0x04 pt-mode:0x20 pt-mode:0x21  pt-mode:0x22 pt-pip:0x3fd43401 pt-vmcs:0x504030201 pt-cbr:0xa14 pt-fup:0x401000 pt-psbend:0 pt-pad:0  pt-pge:0x401000 pt-tnt:T pt-tnt:TTNTNT pt-tnt8:TN pt-tnt:TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTN  pt-tip:0x1234,1 pt-tip:0x12345678,2 pt-tip:0xffff81000000 pt-tip:0xffff81000000,4 pt-tip:0xffffffff81000000,6  pt-tip:0,0 pt-pgd:0,0 pt-pge:0,0 pt-fup:0,0 pt-mtc:0x11 pt-cyc:31 pt-cyc:32 pt-cyc:0x407fffffffffff pt-ovf:0  pt-tracestop:0 pt-mnt:0x123456789abcdef pt-ptw4:10 pt-ptw:11 pt-ptw4-ip:0x4030201 pt-ptw-ip:0x807060504030201  pt-exstop:0 pt-exstop-ip:0 pt-mwait:0xf0:1 pt-pwre:0x2380 pt-pwre:0xf103 pt-pwrx:0x2f31  pt-bbp:1 hex:040102030405060708 hex:fc01000000000000ff pt-bep:0 pt-bbp:0x9f hex:04efbeadde pt-bep-ip:0 pt-tnt:N  pt-cfe:0x87:3 pt-cfe:3 pt-evd0:0x8877665544332211
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:02 hex:a9 hex:02fe hex:9903 hex:99ff hex:ad11 hex:ffffffffffffffffffffff01 hex:02a3000000000000 hex:02c389
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:0203
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:024301
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:02a3ffff
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:02c38801
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:0282028202
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:2d12
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:cd11
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:19112233
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:59
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:99
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:07
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:ff
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:02630104
