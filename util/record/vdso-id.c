/* Vdso-id: the vdso's build-id for outputs, its image for the build-id cache. */
#include "vdso-id.h"
#include "../base/alloc.h"
#include "../base/vdso.h"
#include "../cache/build-cache.h"
#include "../data/features-write.h"
#include "../obj/buildid.h"

#include <stdlib.h>
#include <string.h>

/* for all kinds of images: that of 32-bit programs is in the same directory as that of 64-bit ones */
#define CACHE_NAME "[vdso]"

bool vdso_build_id(struct build_id *ret, const char **ret_name)
{
	struct vdso v = vdso_of_self();

	*ret_name = v.name;
	return v.image && build_id_of_image(v.image, v.size, ret);
}

void vdso_synthesize(struct strbuf *out)
{
	struct buildid_entry e = { .misc = CPUMODE_USER, .pid = -1 };
	struct build_id id;

	if (!vdso_build_id(&id, &e.filename))
		return;
	e.len = id.len;
	memcpy(e.id, id.id, sizeof(e.id));
	buildid_encode(out, &e);
}

int vdso_keep(struct err *err)
{
	struct vdso v = vdso_of_self();
	char *dir = buildid_cache_dir();
	struct build_id id;
	int ret = 0;

	if (dir && v.image && build_id_of_image(v.image, v.size, &id) && id.len > 1)
		ret = cache_keep(dir, CACHE_NAME, "vdso", v.image, v.size, &id);
	if (ret < 0)
		err_sys(err, -ret, "cannot keep the vdso in the build-id cache %s", dir);
	free(dir);
	return ret;
}
