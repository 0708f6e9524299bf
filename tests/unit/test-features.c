/* Header features: from the machine to bytes, back, and to the lines of --header. */
#include "fake-root.h"
#include "test.h"

#include <string.h>
#include "../../util/base/cpulist.h"
#include "../../util/base/fs.h"
#include "../../util/data/data.h"
#include "../../util/data/features-read.h"
#include "../../util/data/features-write.h"
#include "../../util/data/header-print.h"
#include "../../util/host/hosttopo.h"

static const char schedstat[] = "version %d\ntimestamp 4294895474\ncpu0 0 0 0 0\n"
				"domain0 %s00000003 0 0 0 0\ndomain1 %s1,0000000f 0 0\ncpu1 0 0 0\n"
				"domain0 %s3 0 0 0\ncpu2 0 0\n";

/* what --header says of the feature after it has been gathered, written and read */
static const char *domains_of(const char *text, struct strbuf *out)
{
	struct features f = { .nr_cpus_avail = 0 };
	struct data *d = xcalloc(1, sizeof(*d));
	struct strbuf bytes = STRBUF_INIT;

	fake_file("/proc/schedstat", text);
	fs_set_root("root");
	hosttopo_gather(&f);
	strbuf_reset(out);
	if (feature_present(&f, FEAT_CPU_DOMAIN_INFO)) {
		feature_encode(&bytes, FEAT_CPU_DOMAIN_INFO, &f, NULL);
		CHECK_INT(features_decode(&d->feat, FEAT_CPU_DOMAIN_INFO, bytes.buf, bytes.len, false), 0);
		feature_print_one(d, FEAT_CPU_DOMAIN_INFO, true, out);
		/* cut anywhere: whole CPUs or nothing */
		for (size_t len = 0; len < bytes.len; len++)
			features_decode(&(struct features){ 0 }, FEAT_CPU_DOMAIN_INFO, bytes.buf, len, false);
	}
	return strbuf_str(out);
}

TEST(cpu_domains)
{
	struct strbuf out = STRBUF_INIT;
	char text[512];

	snprintf(text, sizeof(text), schedstat, 17, "SMT ", "MC ", "SMT ");
	CHECK_STR(domains_of(text, &out),
		  "# schedstat version	: 17\n# Maximum sched domains	: 2\n"
		  "# cpu		: 0\n# nr_domains	: 2\n"
		  "# Domain		: 0\n# Domain name      : SMT\n# Domain cpu map   : 00000003\n"
		  "# Domain cpu list  : 0-1\n"
		  "# Domain		: 1\n# Domain name      : MC\n# Domain cpu map   : 1,0000000f\n"
		  "# Domain cpu list  : 0-3,32\n"
		  "# cpu		: 1\n# nr_domains	: 1\n"
		  "# Domain		: 0\n# Domain name      : SMT\n# Domain cpu map   : 3\n"
		  "# Domain cpu list  : 0-1\n"
		  "# cpu		: 2\n# nr_domains	: 0\n");
	snprintf(text, sizeof(text), schedstat, 15, "", "", "");
	CHECK(!strstr(domains_of(text, &out), "name"));
	CHECK(strstr(out.buf, "# Domain cpu map   : 00000003\n# Domain cpu list  : 0-1\n"));
	CHECK_STR(domains_of("version 15\ncpu0 0 0\n", &out), "");
	CHECK_STR(domains_of("version 17\ncpu0 0 0\ndomain0 SMT not-a-mask 0\n", &out), "");
	CHECK_STR(domains_of("", &out), "");
}

TEST(masks)
{
	struct cpulist list = { 0 };
	struct strbuf out = STRBUF_INIT;

	CHECK(cpulist_parse_mask(&list, "80000000,00000005"));
	cpulist_format(&list, &out);
	CHECK_STR(strbuf_str(&out), "0,2,63");
	CHECK(!cpulist_parse_mask(&list, ""));
	CHECK(!cpulist_parse_mask(&list, "0x3"));
}
