/* Perf-clock: see perf-clock.h. */
#include "perf-clock.h"
#include "open.h"
#include "../base/fs.h"
#include "../base/units.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* the time for which it was enabled */
static u64 enabled_time(int fd)
{
	u64 v[2];

	return read(fd, v, sizeof(v)) == sizeof(v) ? v[1] : 0;
}

/* the time of a record that says this thread's name again: it is the last field */
static u64 time_of_record(const struct perf_event_mmap_page *page, const u8 *data)
{
	struct rec_header h;
	char name[16] = "";
	u64 time;

	if (prctl(PR_GET_NAME, name) || prctl(PR_SET_NAME, name))
		return 0;
	if (__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) < sizeof(h))
		return 0;
	memcpy(&h, data, sizeof(h));
	if (h.type != PERF_RECORD_COMM || h.size < sizeof(h) + sizeof(time) || h.size > page_size())
		return 0;
	memcpy(&time, data + h.size - sizeof(time), sizeof(time));
	return time;
}

/* when a record of this task is written; before_fd: what enabled_time() was before that, or -1 */
static int record_time(const struct pe_attr *a, int before_fd, u64 *before, u64 *time, struct err *err)
{
	int fd = open_raw(a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC), ret = 0;
	u8 *ring;

	*time = 0;
	if (fd < 0)
		return err_sys(err, -fd, "cannot open an event that tells the time of samples");
	ring = mmap(NULL, 2 * page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED) {
		ret = err_sys(err, errno, "cannot map the ring of an event that tells the time of samples");
	} else {
		*before = before_fd < 0 ? 0 : enabled_time(before_fd);
		*time = time_of_record((void *)ring, ring + page_size());
		munmap(ring, 2 * page_size());
	}
	close_raw(fd);
	return ret || *time ? ret : err_set(err, -EIO, "the kernel does not tell the time of samples");
}

/* the time of a record, less the time of the event of the CPU: what perf_clock.base is */
static int find_base(struct perf_clock *c, const struct pe_attr *a, struct err *err)
{
	u64 before = 0, time;
	int ret = record_time(a, c->fd, &before, &time, err);

	c->base = time - before;
	return ret;
}

static struct pe_attr attr_of_names(void)
{
	struct pe_attr a = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .sample_type = PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.flags = ATTR_COMM | ATTR_SAMPLE_ID_ALL | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV,
	};

	a.size = attr_size_needed(&a);
	return a;
}

int perf_clock_once(const struct pe_attr *of, u64 *ret_time, struct err *err)
{
	struct pe_attr a = attr_of_names();
	u64 before;

	if (!(of->flags & ATTR_USE_CLOCKID))
		return record_time(&a, -1, &before, ret_time, err);
	*ret_time = clock_ns(of->clockid);
	return 0;
}

int perf_clock_open(struct perf_clock *c, const struct pe_attr *of, struct err *err)
{
	struct pe_attr a = attr_of_names();
	int ret;

	*c = (struct perf_clock){ .fd = -1, .clockid = of->clockid };
	if (of->flags & ATTR_USE_CLOCKID)
		return 0;
	/* that of a task stops while it sleeps */
	c->fd = open_raw(&a, -1, sched_getcpu(), -1, PERF_FLAG_FD_CLOEXEC);
	if (c->fd < 0)
		return err_sys(err, -c->fd, "cannot open an event of a CPU, which tells the time of samples");
	ret = find_base(c, &a, err);
	if (ret)
		perf_clock_close(c);
	return ret;
}

u64 perf_clock_now(const struct perf_clock *c)
{
	return c->fd < 0 ? clock_ns(c->clockid) : c->base + enabled_time(c->fd);
}

void perf_clock_close(struct perf_clock *c)
{
	if (c->fd >= 0)
		close_raw(c->fd);
	c->fd = -1;
}
