/* Plug-in: scripts in Perl. Ops in util/script/engine-plugin.h; what scripts call is in libperl-modules.h. */
#include "../util/script/engine-plugin.h"
#include "../util/base/plugin.h"

#include <dlfcn.h>
#include <errno.h>

/* Perl's headers define them as well, and macros with names of perf's functions */
#undef MIN
#undef MAX
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

#define FUNCTIONS_MAX 4096

static PerlInterpreter *my_perl;

/* a function, and the arguments of its last call, which are given new values where nothing else has them */
struct perl_function_args {
	CV *cv;
	SV **arg;
	uint32_t nr;
};

static struct {
	const struct engine_script *script;
	struct perl_function_args function[FUNCTIONS_MAX];
	int nr_functions;
} pl;

/* ---- values ---- */

#include "libperl-later.h"

static SV *list_of(const struct script_value *v, uint32_t nr)
{
	AV *list = newAV();

	for (uint32_t i = 0; i < nr; i++)
		av_push(list, to_perl(&v[i]));
	return newRV_noinc((SV *)list);
}

static void add_values(HV *hash, const struct script_value *v, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		struct script_value more;
		SV *value;

		if (v[i].kind == VALUE_MORE) {
			more = pl.script->later(pl.script->ctx, v[i].later);
			add_values(hash, more.of.v, more.of.nr);
			continue;
		}
		value = v[i].kind == VALUE_LATER || v[i].kind == VALUE_DICT ? later_new(&v[i]) :
									      to_perl(&v[i]);
		if (!hv_store(hash, v[i].key, (I32)strlen(v[i].key), value, 0))
			SvREFCNT_dec(value);
	}
}

static SV *hash_of(const struct script_value *v, uint32_t nr)
{
	HV *hash = newHV();

	add_values(hash, v, nr);
	return newRV_noinc((SV *)hash);
}

static SV *to_perl(const struct script_value *v)
{
	struct script_value made;

	switch (v->kind) {
	case VALUE_INT:
		return newSViv(v->i);
	case VALUE_UINT:
		return newSVuv(v->u);
	case VALUE_BOOL:
		return newSViv(v->u != 0);
	case VALUE_TEXT:	/* as bytes, which print() writes as they are */
	case VALUE_BYTES:
	case VALUE_BYTEARRAY:
		return newSVpvn(v->bytes.p, v->bytes.len);
	case VALUE_LIST:
	case VALUE_TUPLE:
		return list_of(v->of.v, v->of.nr);
	case VALUE_DICT:
		return hash_of(v->of.v, v->of.nr);
	case VALUE_LATER:
		made = pl.script->later(pl.script->ctx, v->later);
		return to_perl(&made);
	case VALUE_CONTEXT:	/* a number, as scripts know it: only passed back */
		return newSViv(1);
	case VALUE_MORE:
	case VALUE_NONE:
		break;
	}
	return newSV(0);
}

/* whether nothing but us has it, and whatever the script made of it can be written over */
static bool is_free(SV *sv)
{
	return SvREFCNT(sv) == 1 && !SvREADONLY(sv) && !SvMAGICAL(sv) && !SvOBJECT(sv) &&
	       SvTYPE(sv) <= SVt_PVMG;
}

static bool is_empty_list(SV *sv)
{
	SV *list = SvROK(sv) && !SvWEAKREF(sv) ? SvRV(sv) : NULL;

	return list && SvTYPE(list) == SVt_PVAV && SvREFCNT(list) == 1 && !SvMAGICAL(list) &&
	       !SvOBJECT(list) && !SvREADONLY(list) && av_top_index((AV *)list) < 0;
}

#define NUMBER_FLAGS	(SVf_IOK | SVp_IOK)
#define VALUE_FLAGS	(NUMBER_FLAGS | SVf_NOK | SVp_NOK | SVf_POK | SVp_POK | SVf_ROK | SVf_IVisUV)

static void set_number(SV *sv, IV number)
{
	if ((SvFLAGS(sv) & VALUE_FLAGS) == NUMBER_FLAGS)
		SvIV_set(sv, number);
	else
		sv_setiv(sv, number);
}

static void set_text(SV *sv, const char *text, size_t len)
{
	if (SvPOK(sv) && !SvUTF8(sv) && SvCUR(sv) == len && !memcmp(SvPVX_const(sv), text, len))
		return;
	SvUTF8_off(sv);
	sv_setpvn(sv, text, len);
}

/* writes the value over the one of the call before; false: it cannot */
static bool overwrite(SV *sv, const struct script_value *v)
{
	if (!is_free(sv))
		return false;
	if (v->kind == VALUE_LIST && !v->of.nr)
		return is_empty_list(sv);
	if (SvROK(sv))
		return false;
	switch (v->kind) {
	case VALUE_INT:
		set_number(sv, v->i);
		return true;
	case VALUE_UINT:
		if (v->u <= IV_MAX)
			set_number(sv, (IV)v->u);
		else
			sv_setuv(sv, v->u);
		return true;
	case VALUE_CONTEXT:
		set_number(sv, 1);
		return true;
	case VALUE_TEXT:
	case VALUE_BYTES:
	case VALUE_BYTEARRAY:
		set_text(sv, v->bytes.p, v->bytes.len);
		return true;
	default:
		return false;
	}
}

#include "libperl-modules.h"

/* ---- running ---- */

/* modules in shared objects (Data::Dumper) expect the names of the library where all find them */
static void show_names(void)
{
	void *function;
	Dl_info info;

	*(PerlInterpreter * (**)(void))&function = perl_alloc;
	if (dladdr(function, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
}

extern void boot_DynaLoader(pTHX_ CV *cv);

static void add_functions(pTHX)
{
	newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
	add_modules(aTHX);
}

/* 0, or why what was printed cannot be written */
static int flush(void)
{
	errno = 0;
	if (!PerlIO_flush(PerlIO_stdout()))
		return 0;
	return errno ? -errno : -EIO;
}

/* 0, ENGINE_EXIT or a negative errno after the file has run, as far as it did */
static int result_of_file(int status, int *ret_status)
{
	if (PL_exit_flags & PERL_EXIT_EXPECTED) {	/* exit() sets it */
		*ret_status = status & 0xff;
		return ENGINE_EXIT;
	}
	return status ? -ECANCELED : 0;
}

static int begin(const struct engine_script *s, int *ret_status)
{
	/* after "--" the name of the file is never an option */
	char *argv[s->argc + 3], **all = argv, **env = environ;
	int argc = s->argc + 2, status;

	argv[0] = (char *)"perl";
	argv[1] = (char *)"--";
	memcpy(argv + 2, s->argv, s->argc * sizeof(*argv));
	argv[argc] = NULL;
	pl.script = s;
	show_names();
	PERL_SYS_INIT3(&argc, &all, &env);
	my_perl = perl_alloc();
	if (!my_perl)
		return -ENOMEM;
	perl_construct(my_perl);
	PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
	PL_exit_flags &= ~PERL_EXIT_EXPECTED;
	status = perl_parse(my_perl, add_functions, argc, all, NULL);
	if (!status)
		status = perl_run(my_perl);
	return result_of_file(status, ret_status);
}

/*
 * Recordings choose the names of tracepoints: they must not lead to functions of Perl and its modules
 * (POSIX::_exit), or to others of the script (main::x). Packages of modules have a file of their name.
 */
static bool is_of_script(const char *name, const CV *cv)
{
	const char *scope = strstr(name, "::");
	SV *file;

	if (!scope)
		return true;
	if (CvISXSUB(cv) || !strncmp(name, "main::", 6) || !strncmp(name, "CORE::", 6))
		return false;
	file = sv_2mortal(newSVpvf("%.*s.pm", (int)(scope - name), name));
	return !hv_exists_ent(get_hv("INC", GV_ADD), file, 0);
}

static int find(const char *name, uint32_t *ret_nr)
{
	CV *cv = get_cv(name, 0);

	*ret_nr = 0;
	if (!cv || !(CvROOT(cv) || CvISXSUB(cv)) || !is_of_script(name, cv) ||
	    pl.nr_functions == FUNCTIONS_MAX)
		return -1;
	pl.function[pl.nr_functions].cv = (CV *)SvREFCNT_inc((SV *)cv);
	return pl.nr_functions++;
}

static void set_args(struct perl_function_args *f, const struct script_value *arg, uint32_t nr)
{
	if (nr > f->nr) {
		Renew(f->arg, nr, SV *);
		memset(f->arg + f->nr, 0, (nr - f->nr) * sizeof(*f->arg));
		f->nr = nr;
	}
	for (uint32_t i = 0; i < nr; i++) {
		if (f->arg[i] && overwrite(f->arg[i], &arg[i]))
			continue;
		SvREFCNT_dec(f->arg[i]);
		f->arg[i] = NULL;
		f->arg[i] = to_perl(&arg[i]);
	}
}

static void push_and_call(struct perl_function_args *f, const struct script_value *arg, uint32_t nr)
{
	dSP;

	set_args(f, arg, nr);
	PUSHMARK(SP);
	EXTEND(SP, (SSize_t)nr);
	for (uint32_t i = 0; i < nr; i++)
		PUSHs(f->arg[i]);
	PUTBACK;
	call_sv((SV *)f->cv, G_VOID | G_DISCARD | G_EVAL);
}

/* values with entries are not given again, and entries cannot be made after this */
static void end_call(struct perl_function_args *f)
{
	if (!waiting.nr)
		return;
	for (uint32_t i = 0; i < f->nr; i++)
		if (f->arg[i] && SvROK(f->arg[i])) {
			SvREFCNT_dec(f->arg[i]);
			f->arg[i] = NULL;
		}
	later_end();
}

static void release_function(struct perl_function_args *f)
{
	for (uint32_t i = 0; i < f->nr; i++)
		SvREFCNT_dec(f->arg[i]);
	Safefree(f->arg);
	SvREFCNT_dec((SV *)f->cv);
}

static int call(int function, const struct script_value *arg, uint32_t nr, int *ret_status)
{
	int jumped;
	dJMPENV;

	/* exit() jumps to the outermost place: without one it would end perf */
	JMPENV_PUSH(jumped);
	if (!jumped)
		push_and_call(&pl.function[function], arg, nr);
	JMPENV_POP;
	end_call(&pl.function[function]);
	if (jumped) {
		*ret_status = STATUS_EXIT & 0xff;
		return jumped == 2 ? ENGINE_EXIT : -ECANCELED;
	}
	if (SvTRUE(ERRSV)) {
		flush();
		PerlIO_printf(PerlIO_stderr(), "%s", SvPV_nolen(ERRSV));
		return -ECANCELED;
	}
	return PerlIO_error(PerlIO_stdout()) ? flush() : 0;
}

static int end(void)
{
	int ret;

	if (!my_perl)
		return 0;
	ret = flush();
	for (int i = 0; i < pl.nr_functions; i++)
		release_function(&pl.function[i]);
	Safefree(waiting.v);
	PL_perl_destruct_level = 1;
	perl_destruct(my_perl);		/* calls END blocks */
	perl_free(my_perl);
	PERL_SYS_TERM();
	return ret;
}

static const struct engine_plugin_ops ops = { begin, find, call, end };

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libperl", &ops };
