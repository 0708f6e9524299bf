# a recorder that was killed: sizes never written, half a record at the end
event a sample=ip|tid|time
header data_size=0
comm tid=5 comm="x"
sample ip=1 tid=5
label last
sample ip=2 tid=5
truncate @last+12
