# tracepoints that only the formats name
event x type=tracepoint config=5 sample=ip|tid|time|raw flags=sample_id_all ids=1
event y type=tracepoint config=6 sample=ip|tid|time|raw flags=sample_id_all ids=2
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:1 u64:1 text:"x"
feature tracing_data u32:1 text:"sys" u8:0 u32:2 u64:14 text:"name: e\nID: 5\n" u64:14 text:"name: f\nID: 7\n"
sample tid=1 ip=1 time=1
