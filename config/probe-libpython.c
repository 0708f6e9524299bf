#define Py_LIMITED_API 0x03080000
#include <Python.h>

/* it is not linked: only the types are needed */
int main(void)
{
	PyModuleDef definition = { .m_name = "probe" };

	return !definition.m_name;
}
