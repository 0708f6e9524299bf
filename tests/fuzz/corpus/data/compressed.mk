event a sample=ip|time|identifier
feature compressed u32:1,1,1,3,528384
comm tid=1 comm="a"
compressed
repeat 5
sample ip=$i time=$i
end
end
compressed2
repeat 5
sample ip=$i+5 time=$i+5
end
end
finished_round
