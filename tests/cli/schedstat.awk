# A /proc/schedstat of version v with two CPUs of one domain; all counters of CPU c are m * (c + 1) times
# their number.
BEGIN {
	printf "version %d\ntimestamp %d\n", v, 1000 * m
	for (c = 0; c < 2; c++) {
		printf "cpu%d", c
		for (i = 1; i <= 9; i++)
			printf " %d", i * m * (c + 1)
		printf "\ndomain0%s 00000003", v == 17 ? " MC" : ""
		for (i = 1; i <= (v == 17 ? 45 : 36); i++)
			printf " %d", i * m * (c + 1)
		print ""
	}
}
