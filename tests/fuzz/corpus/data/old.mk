# the oldest magic and the smallest attribute
magic PERFFILE
event a size=64 sample=ip|tid ids=none
sample ip=0x10 tid=3
