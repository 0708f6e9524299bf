#include <Python.h>

int main(void)
{
	PyConfig config;

	PyConfig_InitPythonConfig(&config);
	return PyStatus_Exception(Py_InitializeFromConfig(&config));
}
