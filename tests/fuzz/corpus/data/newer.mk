# an attribute of a future kernel
event a size=256 tail=0xff sample=ip|tid ids=7
sample ip=0x10 tid=3
