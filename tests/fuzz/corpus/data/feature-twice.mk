# a pipe that brings features twice, the second time with other counts
format pipe
event cpu-clock config=cpu-clock sample=ip|tid|time
header_feature feat_id=7 u32:2,2
header_feature feat_id=13 u32:1 str:"0-1" u32:0 u32:0,0,1,0
header_feature feat_id=7 u32:60000,2
header_feature feat_id=16 u32:3 u32:4 str:"cpu" u32:1 str:"software" u32:2 str:"tracepoint"
header_feature feat_id=16 u32:1 u32:4 str:"cpu"
header_feature feat_id=20 u32:1,1 u32:1,64,64,8 str:"Data" str:"32K" str:"0"
header_feature feat_id=20 u32:1,1 u32:1,64,64,8 str:"Data" str:"32K" str:"0"
sample tid=1 ip=1 time=1
