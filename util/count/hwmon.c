/*
 * Sensors of /sys/class/hwmon. Config: number of the sensor | type << 16 | item << 24; item 0 is the input.
 */
#include "hwmon.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/fs.h"

#define HWMON_DIR "/sys/class/hwmon"
#define SENSORS_MAX 10000	/* far more than a machine has */
#define NUMBER_MAX 0xffff

static const struct hwmon_type {
	u8 number;
	const char *prefix, *unit;
	double scale;
	const char *what;
} types[] = {
#define HWMON(number, prefix, unit, scale, what) { number, prefix, unit, scale, what },
#include "hwmon.def"
#undef HWMON
};

/* values of a sensor other than its input; the position is part of the config */
static const char *const items[] = {
	"input", "average", "min", "max", "crit", "lcrit", "emergency", "target", "cap", "lowest", "highest",
	"rated_min", "rated_max", "cap_min", "cap_max", "average_min", "average_max", "input_lowest",
	"input_highest",
};

static const struct hwmon_type *type_by_number(u8 number)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].number == number)
			return &types[i];
	return NULL;
}

/* "temp12_rest": the type, the number, and the rest */
static const struct hwmon_type *split_name(const char *s, u32 *ret_number, const char **ret_rest)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		size_t len = strlen(types[i].prefix);
		char *end;
		unsigned long n;

		if (strncmp(s, types[i].prefix, len) || !isdigit((unsigned char)s[len]))
			continue;
		n = strtoul(s + len, &end, 10);
		if (n > NUMBER_MAX)
			return NULL;
		*ret_number = n;
		*ret_rest = end;
		return &types[i];
	}
	return NULL;
}

/* "Package id 0" of temp -> "temp_package_id_0" */
static const char *name_from_label(struct arena *a, const char *prefix, const char *label)
{
	size_t len = strlen(prefix), n = len + 1 + strlen(label) + 1;
	char *s = arena_alloc(a, n);

	snprintf(s, n, "%s_%s", prefix, label);
	for (char *p = s + len; *p; p++)
		*p = isalnum((unsigned char)*p) ? tolower((unsigned char)*p) : '_';
	return s;
}

static void describe_items(struct arena *a, const struct hwmon_type *type, u32 number, u32 hwmon,
			   const char **ret)
{
	struct strbuf sb = STRBUF_INIT;
	char path[128];

	for (size_t i = 1; i < ARRAY_SIZE(items); i++) {
		s64 v;

		snprintf(path, sizeof(path), HWMON_DIR "/hwmon%u/%s%u_%s", hwmon, type->prefix, number,
			 items[i]);
		if (!fs_read_s64(path, &v))
			strbuf_addf(&sb, "%s%s=%g%s", sb.len ? " " : "", items[i], v * type->scale,
				    type->unit);
	}
	*ret = arena_strdup(a, strbuf_str(&sb));
	strbuf_release(&sb);
}

static void add_sensor(struct hwmon_list *l, u32 hwmon, const char *chip, const char *file)
{
	struct hwmon_sensor s = { .hwmon = hwmon, .chip = chip };
	const struct hwmon_type *type;
	struct strbuf line = STRBUF_INIT;
	char path[128];
	const char *rest;
	u32 number;

	type = split_name(file, &number, &rest);
	if (!type || strcmp(rest, "_input"))
		return;
	s.config = number | (u64)type->number << 16;
	s.what = type->what;
	s.unit = type->unit;
	s.scale = type->scale;
	s.file_name = s.name = arena_strndup(&l->arena, file, rest - file);
	snprintf(path, sizeof(path), HWMON_DIR "/hwmon%u/%s_label", hwmon, s.file_name);
	if (!fs_read_line(path, &line) && line.len) {
		s.label = arena_strdup(&l->arena, line.buf);
		s.name = name_from_label(&l->arena, type->prefix, s.label);
	}
	describe_items(&l->arena, type, number, hwmon, &s.items);
	vec_push(l, s);
	strbuf_release(&line);
}

static void scan_chip(struct hwmon_list *l, u32 hwmon)
{
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT;
	const char *chip;
	struct dirent *de;
	char file[64];
	DIR *dir;

	snprintf(file, sizeof(file), HWMON_DIR "/hwmon%u/name", hwmon);
	if (!fs_read_line(file, &line) && line.len) {
		chip = arena_strdup(&l->arena, line.buf);
		dir = opendir(fs_path(&path, HWMON_DIR "/hwmon%u", hwmon));
		while (dir && (de = readdir(dir)) && l->nr < SENSORS_MAX)
			add_sensor(l, hwmon, chip, de->d_name);
		if (dir)
			closedir(dir);
	}
	strbuf_release(&path);
	strbuf_release(&line);
}

static int compare_sensors(const void *pa, const void *pb)
{
	const struct hwmon_sensor *a = pa, *b = pb;

	return a->hwmon != b->hwmon ? (a->hwmon < b->hwmon ? -1 : 1) : strcmp(a->name, b->name);
}

void hwmon_scan(struct hwmon_list *ret)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	DIR *dir;

	memset(ret, 0, sizeof(*ret));
	dir = opendir(fs_path(&path, HWMON_DIR));
	while (dir && (de = readdir(dir)) && ret->nr < SENSORS_MAX) {
		unsigned int n;
		int len = 0;

		if (sscanf(de->d_name, "hwmon%5u%n", &n, &len) == 1 && !de->d_name[len])
			scan_chip(ret, n);
	}
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), compare_sensors);
}

void hwmon_list_release(struct hwmon_list *l)
{
	vec_release(l);
	arena_release(&l->arena);
}

/*
 * the number of bytes of s that are a sensor's name or file name, followed by "_item" or nothing; 0: another
 * sensor
 */
static size_t name_length(const char *name, const char *s, size_t len)
{
	size_t n = strlen(name);

	return n <= len && !strncasecmp(name, s, n) && (n == len || s[n] == '_') ? n : 0;
}

static int find_item(const struct hwmon_sensor *s, const char *item, size_t len, u64 *ret_config)
{
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(items); i++) {
		if (strlen(items[i]) != len || memcmp(items[i], item, len))
			continue;
		snprintf(path, sizeof(path), HWMON_DIR "/hwmon%u/%s_%s", s->hwmon, s->file_name, items[i]);
		if (!fs_exists(path))
			return -ENOENT;
		*ret_config = s->config | (u64)i << 24;
		return 0;
	}
	return -ENOENT;
}

int hwmon_find(const struct hwmon_list *l, u32 hwmon, const char *name, size_t len, u64 *ret_config,
	       const struct hwmon_sensor **ret_sensor)
{
	vec_foreach(l, s) {
		size_t n;

		if (s->hwmon != hwmon)
			continue;
		n = name_length(s->name, name, len);
		if (!n)
			n = name_length(s->file_name, name, len);
		if (!n)
			continue;
		if (n == len)
			*ret_config = s->config;
		else if (find_item(s, name + n + 1, len - n - 1, ret_config))
			continue;
		if (ret_sensor)
			*ret_sensor = s;
		return 0;
	}
	return -ENOENT;
}

const char *hwmon_pmu_name(const struct hwmon_list *l, const struct hwmon_sensor *s, struct arena *a)
{
	char name[128];
	bool shared = false;

	vec_foreach(l, other)
		shared |= other->hwmon != s->hwmon && !strcmp(other->chip, s->chip);
	if (shared)
		snprintf(name, sizeof(name), "hwmon%u", s->hwmon);
	else
		snprintf(name, sizeof(name), "hwmon_%s", s->chip);
	return arena_strdup(a, name);
}

int hwmon_read(u32 hwmon, u64 config, u64 *ret)
{
	const struct hwmon_type *type = type_by_number(config >> 16);
	u64 item = config >> 24;
	char path[128];
	s64 v;
	int rc;

	if (!type || item >= ARRAY_SIZE(items))
		return -ENOENT;
	snprintf(path, sizeof(path), HWMON_DIR "/hwmon%u/%s%u_%s", hwmon, type->prefix,
		 (u32)(config & NUMBER_MAX), items[item]);
	rc = fs_read_s64(path, &v);
	if (rc)
		return rc == -ENOENT ? -ENOENT : -EIO;
	*ret = v;	/* may be negative (two's complement), as temperatures can be */
	return 0;
}
