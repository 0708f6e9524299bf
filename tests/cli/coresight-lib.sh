# shellcheck shell=sh
# A program of arm64 with branches of each kind, for tests of CoreSight traces. Sourced after lib.sh.

z4='\000\000\000\000'
# a program of one section, mapped at 0x400000; its code begins at 0x80
program() {
	printf "\177ELF\002\001\001\000$z4$z4\002\000\267\000\001\000\000\000\200\000\100\000$z4"
	printf "\100\000\000\000$z4\300\000\000\000$z4$z4\100\000\070\000\001\000\100\000\002\000\000\000"
	printf "\001\000\000\000\005\000\000\000$z4$z4\000\000\100\000$z4\000\000\100\000$z4"
	printf "\300\000\000\000$z4\300\000\000\000$z4$z4$z4$z4$z4"
	printf '\000\000\200\322'	# 80 mov  x0, #0
	printf '\007\000\000\224'	# 84 bl   a0
	printf '\300\377\377\265'	# 88 cbnz x0, 80
	printf '\040\000\077\326'	# 8c blr  x1
	printf '\337\077\003\325'	# 90 isb
	printf '\001\000\000\324'	# 94 svc  #0
	printf '\372\377\377\027'	# 98 b    80
	printf '\177\040\003\325'	# 9c wfi
	printf '\037\040\003\325'	# a0 nop
	printf '\100\000\000\066'	# a4 tbz  w0, #0, ac
	printf '\037\040\003\325'	# a8 nop
	printf '\300\003\137\326'	# ac ret
	printf '\100\000\037\326'	# b0 br   x2
	printf '\340\003\237\326'	# b4 eret
	printf '\000\000\000\024'	# b8 b    b8
	printf "$z4"			# bc udf
	printf "$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4"
	printf "$z4\001\000\000\000\006\000\000\000$z4\200\000\100\000$z4\200\000\000\000$z4\100\000\000\000$z4$z4$z4$z4$z4$z4$z4"
}
