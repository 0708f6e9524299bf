/*
 * Hwmon: the sensors of /sys/class/hwmon as events: "temp1" or, by its label, "temp_core_0" of
 * "hwmon_coretemp". Values of a sensor other than its input are named with their item: "power1_average",
 * "temp1_crit". Read through the fs root.
 */
#ifndef PERF_COUNT_HWMON_H
#define PERF_COUNT_HWMON_H

#include "../base/arena.h"
#include "../base/vec.h"

struct hwmon_sensor {
	u32 hwmon;		/* N of hwmonN */
	const char *chip;	/* contents of its file "name" */
	const char *name;	/* "temp_core_0", or "temp1" if it has no label */
	const char *file_name;	/* "temp1" */
	const char *label;	/* as in sysfs, or NULL */
	const char *items;	/* "max=100'C min=10'C": the other values that it has, or "" */
	const char *what, *unit;/* "Temperature", "'C" */
	double scale;
	u64 config;
};

struct hwmon_list {
	VEC(struct hwmon_sensor);	/* by hwmon, then by name */
	struct arena arena;
};

/* all sensors that have an input; none if there is no /sys/class/hwmon */
void hwmon_scan(struct hwmon_list *ret);
void hwmon_list_release(struct hwmon_list *l);
/*
 * The config of a name of that hwmon ("temp1", "temp_core_0", "temp1_crit"); -ENOENT if it has no such name.
 * ret_sensor (may be NULL) is the sensor, for unit and scale.
 */
int hwmon_find(const struct hwmon_list *l, u32 hwmon, const char *name, size_t len, u64 *ret_config,
	       const struct hwmon_sensor **ret_sensor);
/*
 * the sensor's PMU: "hwmon_coretemp", or with its number ("hwmon3") if several chips have its name. Allocated
 * in a
 */
const char *hwmon_pmu_name(const struct hwmon_list *l, const struct hwmon_sensor *s, struct arena *a);
/*
 * the value, to be multiplied by scale; -ENOENT: there is no such sensor (any longer), -EIO: it did not
 * answer
 */
int hwmon_read(u32 hwmon, u64 config, u64 *ret);

#endif
