/* Memory recording: see builtin-mem.h. */
#include "builtin-mem.h"
#include "util/cli/builtin.h"
#include "util/mem/mem-events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void args_add(struct args *a, const char *arg)
{
	vec_push(a, arg);
}

void args_add_all(struct args *a, int argc, const char **argv)
{
	for (int i = 0; i < argc; i++)
		vec_push(a, argv[i]);
}

int args_run(struct args *a, int (*command)(int argc, const char **argv))
{
	int ret;

	vec_push(a, NULL);
	ret = command(a->nr - 1, a->v);
	vec_release(a);
	return ret;
}

static int print_events(const struct mem_events *m)
{
	vec_foreach(&m->ev, e)
		printf("%-13s : available (%s)\n", e->name, e->spec);
	return 0;
}

/* whether a word of the list -e, or the kinds of -t, mean this event */
static bool is_wanted(const struct mem_record_opts *o, const struct mem_event *e)
{
	if (!o->event)
		return e->kinds & (o->kinds ? o->kinds : MEM_LOAD | MEM_STORE);
	for (const char *p = o->event, *end; *p; p = end + (*end == ',')) {
		end = strchrnul(p, ',');
		if (strlen(e->name) == (size_t)(end - p) && !strncmp(e->name, p, end - p))
			return true;
	}
	return false;
}

static int say_no_events(const struct mem_record_opts *o, const struct mem_events *m)
{
	struct err err = ERR_INIT;

	if (m->ev.nr && o->event) {
		err_set(&err, -ENOENT, "this machine has no memory event '%s'", o->event);
		err_hint(&err, "perf %s record -e list prints those that it has", o->command);
	} else if (m->ev.nr) {
		err_set(&err, -ENOENT, "this machine cannot sample %s",
			o->kinds == MEM_LOAD ? "loads" : "stores");
	} else {
		err_set(&err, -ENODEV, "no PMU here has events of memory accesses");
		err_hint(&err, "virtual machines mostly have none; Intel has mem-loads, AMD has IBS "
			 "(Arm SPE is not recorded yet)");
	}
	return die_err(&err);
}

int mem_record_run(const struct mem_record_opts *o, int argc, const char **argv)
{
	struct mem_events m = { 0 };
	struct args a = { 0 };
	bool any = false;
	int ret;

	mem_events_find(&m, o->ldlat);
	args_add_all(&a, 3, (const char *[]){ "record", "-W", "-d" });
	if (o->phys)
		args_add(&a, "--phys-data");
	if (o->sample_cpu)
		args_add(&a, "--sample-cpu");
	if (o->page_size)
		args_add(&a, "--data-page-size");
	if (o->cpus)
		args_add_all(&a, 2, (const char *[]){ "-C", o->cpus });
	vec_foreach(&m.ev, e) {
		if (!is_wanted(o, e))
			continue;
		args_add_all(&a, 2, (const char *[]){ "-e", e->spec });
		any = true;
	}
	if (o->all_kernel)
		args_add(&a, "--all-kernel");
	if (o->all_user)
		args_add(&a, "--all-user");
	args_add_all(&a, argc, argv);
	if (m.ev.nr && o->event && !strcmp(o->event, "list"))
		ret = print_events(&m);
	else
		ret = any ? args_run(&a, cmd_record) : say_no_events(o, &m);
	vec_release(&a);
	mem_events_release(&m);
	return ret;
}
