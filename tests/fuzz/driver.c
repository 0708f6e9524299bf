/*
 * Driver of a fuzz target without a fuzzer: driver [-m N] FILE... runs the target on each file; with -m also
 * on N damaged copies of each: half of them cut, half with changed bytes, the same ones in every run. Each
 * run has a time limit; the last line is "N passed, N failed, N skipped" over files (a crash ends the
 * process: run-corpus sees the missing line).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* an exact-size copy, so that a sanitizer sees one byte too many */
static void run_copy(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		exit(1);
	memcpy(copy, data, size);
	alarm(20);
	LLVMFuzzerTestOneInput(copy, size);
	alarm(0);
	free(copy);
}

static void run_damaged(const uint8_t *data, size_t size, unsigned int nr)
{
	static const uint8_t hard[] = { 0, 1, 7, 8, 0x7f, 0x80, 0xff };
	uint8_t *bad = malloc(size);

	if (!bad)
		exit(1);
	random_state = 88172645463325252ull ^ size;
	for (unsigned int i = 0; i < nr && size; i++) {
		if (i % 2) {
			run_copy(data, random_next() % size);
			continue;
		}
		memcpy(bad, data, size);
		for (unsigned int k = 1 + random_next() % 4; k; k--) {
			uint64_t r = random_next();

			bad[r % size] = r >> 32 & 1 ? hard[(r >> 40) % sizeof(hard)] : r >> 48;
		}
		run_copy(bad, size);
	}
	free(bad);
}

static int run_file(const char *path, unsigned int nr_damaged)
{
	FILE *f = fopen(path, "r");
	uint8_t *data;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || size > 64 << 20) {
		fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	rewind(f);
	data = malloc(size + 1);
	if (!data || fread(data, 1, size, f) != (size_t)size)
		exit(1);
	fclose(f);
	run_copy(data, size);
	run_damaged(data, size, nr_damaged);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int nr_damaged = 0, nr_bad = 0;
	int i = 1;

	if (argc > 2 && !strcmp(argv[1], "-m")) {
		nr_damaged = atoi(argv[2]);
		i = 3;
	}
	for (; i < argc; i++)
		nr_bad += run_file(argv[i], nr_damaged);
	printf("%d passed, %u failed, 0 skipped\n", argc - (nr_damaged ? 3 : 1) - (int)nr_bad, nr_bad);
	return nr_bad != 0;
}
