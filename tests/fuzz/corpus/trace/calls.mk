# calls of two threads: paired, unfinished, without beginning, unknown, of a child, and page faults
event raw_syscalls:sys_enter type=tracepoint config=11 sample=identifier|tid|time|cpu|raw ids=1
event raw_syscalls:sys_exit type=tracepoint config=12 sample=identifier|tid|time|cpu|raw ids=2
event minor-faults type=software config=5 sample=identifier|ip|tid|time|addr|cpu ids=3
feature arch str:"x86_64"
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"raw_syscalls" u8:0 u32:2
feature tracing_data u64:266 text:"name: sys_enter\nID: 11\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"x\"\n"
feature tracing_data u64:251 text:"name: sys_exit\nID: 12\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"x\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
comm pid=5 tid=5 comm="five"
comm pid=6 tid=6 comm="si\ex"
sample id=2 pid=5 tid=5 cpu=0 time=1000 u16:12 u8:0,0 u32:5 u64:59,0
sample id=1 pid=5 tid=5 cpu=0 time=2000 u16:11 u8:0,0 u32:5 u64:0,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=2100 u16:11 u8:0,0 u32:6 u64:0,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=2200 u16:12 u8:0,0 u32:5 u64:0,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=2250
sample id=2 pid=6 tid=6 cpu=0 time=2300 u16:12 u8:0,0 u32:6 u64:0,-514
sample id=1 pid=5 tid=5 cpu=0 time=3000 u16:11 u8:0,0 u32:5 u64:1,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=3100 u16:11 u8:0,0 u32:6 u64:1,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=3200 u16:12 u8:0,0 u32:5 u64:1,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=3250
sample id=2 pid=6 tid=6 cpu=0 time=3300 u16:12 u8:0,0 u32:6 u64:1,5
sample id=1 pid=5 tid=5 cpu=0 time=4000 u16:11 u8:0,0 u32:5 u64:2,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=4100 u16:11 u8:0,0 u32:6 u64:2,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=4200 u16:12 u8:0,0 u32:5 u64:2,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=4250
sample id=2 pid=6 tid=6 cpu=0 time=4300 u16:12 u8:0,0 u32:6 u64:2,-514
sample id=1 pid=5 tid=5 cpu=0 time=5000 u16:11 u8:0,0 u32:5 u64:3,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=5100 u16:11 u8:0,0 u32:6 u64:3,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=5200 u16:12 u8:0,0 u32:5 u64:3,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=5250
sample id=2 pid=6 tid=6 cpu=0 time=5300 u16:12 u8:0,0 u32:6 u64:3,5
sample id=1 pid=5 tid=5 cpu=0 time=6000 u16:11 u8:0,0 u32:5 u64:9,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=6100 u16:11 u8:0,0 u32:6 u64:9,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=6200 u16:12 u8:0,0 u32:5 u64:9,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=6250
sample id=2 pid=6 tid=6 cpu=0 time=6300 u16:12 u8:0,0 u32:6 u64:9,5
sample id=1 pid=5 tid=5 cpu=0 time=7000 u16:11 u8:0,0 u32:5 u64:13,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=7100 u16:11 u8:0,0 u32:6 u64:13,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=7200 u16:12 u8:0,0 u32:5 u64:13,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=7250
sample id=2 pid=6 tid=6 cpu=0 time=7300 u16:12 u8:0,0 u32:6 u64:13,5
sample id=1 pid=5 tid=5 cpu=0 time=8000 u16:11 u8:0,0 u32:5 u64:16,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=8100 u16:11 u8:0,0 u32:6 u64:16,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=8200 u16:12 u8:0,0 u32:5 u64:16,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=8250
sample id=2 pid=6 tid=6 cpu=0 time=8300 u16:12 u8:0,0 u32:6 u64:16,-514
sample id=1 pid=5 tid=5 cpu=0 time=9000 u16:11 u8:0,0 u32:5 u64:41,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=9100 u16:11 u8:0,0 u32:6 u64:41,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=9200 u16:12 u8:0,0 u32:5 u64:41,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=9250
sample id=2 pid=6 tid=6 cpu=0 time=9300 u16:12 u8:0,0 u32:6 u64:41,5
sample id=1 pid=5 tid=5 cpu=0 time=10000 u16:11 u8:0,0 u32:5 u64:42,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=10100 u16:11 u8:0,0 u32:6 u64:42,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=10200 u16:12 u8:0,0 u32:5 u64:42,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=10250
sample id=2 pid=6 tid=6 cpu=0 time=10300 u16:12 u8:0,0 u32:6 u64:42,-514
sample id=1 pid=5 tid=5 cpu=0 time=11000 u16:11 u8:0,0 u32:5 u64:56,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=11100 u16:11 u8:0,0 u32:6 u64:56,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=11200 u16:12 u8:0,0 u32:5 u64:56,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=11250
sample id=2 pid=6 tid=6 cpu=0 time=11300 u16:12 u8:0,0 u32:6 u64:56,-514
sample id=1 pid=5 tid=5 cpu=0 time=12000 u16:11 u8:0,0 u32:5 u64:59,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=12100 u16:11 u8:0,0 u32:6 u64:59,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=12200 u16:12 u8:0,0 u32:5 u64:59,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=12250
sample id=2 pid=6 tid=6 cpu=0 time=12300 u16:12 u8:0,0 u32:6 u64:59,5
sample id=1 pid=5 tid=5 cpu=0 time=13000 u16:11 u8:0,0 u32:5 u64:61,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=13100 u16:11 u8:0,0 u32:6 u64:61,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=13200 u16:12 u8:0,0 u32:5 u64:61,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=13250
sample id=2 pid=6 tid=6 cpu=0 time=13300 u16:12 u8:0,0 u32:6 u64:61,5
sample id=1 pid=5 tid=5 cpu=0 time=14000 u16:11 u8:0,0 u32:5 u64:101,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=14100 u16:11 u8:0,0 u32:6 u64:101,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=14200 u16:12 u8:0,0 u32:5 u64:101,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=14250
sample id=2 pid=6 tid=6 cpu=0 time=14300 u16:12 u8:0,0 u32:6 u64:101,5
sample id=1 pid=5 tid=5 cpu=0 time=15000 u16:11 u8:0,0 u32:5 u64:157,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=15100 u16:11 u8:0,0 u32:6 u64:157,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=15200 u16:12 u8:0,0 u32:5 u64:157,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=15250
sample id=2 pid=6 tid=6 cpu=0 time=15300 u16:12 u8:0,0 u32:6 u64:157,5
sample id=1 pid=5 tid=5 cpu=0 time=16000 u16:11 u8:0,0 u32:5 u64:202,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=16100 u16:11 u8:0,0 u32:6 u64:202,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=16200 u16:12 u8:0,0 u32:5 u64:202,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=16250
sample id=2 pid=6 tid=6 cpu=0 time=16300 u16:12 u8:0,0 u32:6 u64:202,-514
sample id=1 pid=5 tid=5 cpu=0 time=17000 u16:11 u8:0,0 u32:5 u64:257,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=17100 u16:11 u8:0,0 u32:6 u64:257,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=17200 u16:12 u8:0,0 u32:5 u64:257,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=17250
sample id=2 pid=6 tid=6 cpu=0 time=17300 u16:12 u8:0,0 u32:6 u64:257,5
sample id=1 pid=5 tid=5 cpu=0 time=18000 u16:11 u8:0,0 u32:5 u64:271,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=18100 u16:11 u8:0,0 u32:6 u64:271,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=18200 u16:12 u8:0,0 u32:5 u64:271,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=18250
sample id=2 pid=6 tid=6 cpu=0 time=18300 u16:12 u8:0,0 u32:6 u64:271,5
sample id=1 pid=5 tid=5 cpu=0 time=19000 u16:11 u8:0,0 u32:5 u64:298,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=19100 u16:11 u8:0,0 u32:6 u64:298,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=19200 u16:12 u8:0,0 u32:5 u64:298,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=19250
sample id=2 pid=6 tid=6 cpu=0 time=19300 u16:12 u8:0,0 u32:6 u64:298,-514
sample id=1 pid=5 tid=5 cpu=0 time=20000 u16:11 u8:0,0 u32:5 u64:321,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=20100 u16:11 u8:0,0 u32:6 u64:321,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=20200 u16:12 u8:0,0 u32:5 u64:321,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=20250
sample id=2 pid=6 tid=6 cpu=0 time=20300 u16:12 u8:0,0 u32:6 u64:321,5
sample id=1 pid=5 tid=5 cpu=0 time=21000 u16:11 u8:0,0 u32:5 u64:334,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=21100 u16:11 u8:0,0 u32:6 u64:334,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=21200 u16:12 u8:0,0 u32:5 u64:334,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=21250
sample id=2 pid=6 tid=6 cpu=0 time=21300 u16:12 u8:0,0 u32:6 u64:334,-514
sample id=1 pid=5 tid=5 cpu=0 time=22000 u16:11 u8:0,0 u32:5 u64:425,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=22100 u16:11 u8:0,0 u32:6 u64:425,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=22200 u16:12 u8:0,0 u32:5 u64:425,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=22250
sample id=2 pid=6 tid=6 cpu=0 time=22300 u16:12 u8:0,0 u32:6 u64:425,5
sample id=1 pid=5 tid=5 cpu=0 time=23000 u16:11 u8:0,0 u32:5 u64:435,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=23100 u16:11 u8:0,0 u32:6 u64:435,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=23200 u16:12 u8:0,0 u32:5 u64:435,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=23250
sample id=2 pid=6 tid=6 cpu=0 time=23300 u16:12 u8:0,0 u32:6 u64:435,5
sample id=1 pid=5 tid=5 cpu=0 time=24000 u16:11 u8:0,0 u32:5 u64:9999,3,28672,100,18446744073709551615,1,2
sample id=1 pid=6 tid=6 cpu=0 time=24100 u16:11 u8:0,0 u32:6 u64:9999,4294967196,32768,524288,0,0,0
sample id=2 pid=5 tid=5 cpu=0 time=24200 u16:12 u8:0,0 u32:5 u64:9999,-9
sample ev=minor-faults pid=6 tid=6 ip=0x400000 addr=0x1234 cpu=1 time=24250
sample id=2 pid=6 tid=6 cpu=0 time=24300 u16:12 u8:0,0 u32:6 u64:9999,5
sample id=1 pid=5 tid=5 cpu=0 time=25000 u16:11 u8:0,0 u32:5 u64:231,1,0,0,0,0,0
