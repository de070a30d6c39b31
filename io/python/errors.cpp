#include "engine/study/parts/study_error.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/python/bindings.hpp"
#include "io/result/result_target.hpp"
#include "io/text/input_error.hpp"

#include <exception>
#include <string>
#include <vector>

namespace ricochet {
namespace {

namespace py = pybind11;

/// Sets an exception of the package as the error of Python.
void raisePythonException(const char* name, const py::object& argument) {
  const py::object type = py::module_::import("ricochet._errors").attr(name);
  PyErr_SetObject(type.ptr(), type(argument).ptr());
}

py::tuple problemAsTuple(const InputProblem& problem) {
  return py::make_tuple(problem.where.file, problem.where.line, problem.where.column, problem.path,
                        problem.problem);
}

void translateExceptionToPython(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    py::list problems;
    for (const InputProblem& each : error.problems()) problems.append(problemAsTuple(each));
    raisePythonException("DeckError", problems);
  } catch (const StudyError& error) {
    py::list problems;
    for (const StudyProblem& each : error.problems())
      problems.append(py::make_tuple("", 0, 0, each.path, each.problem));
    raisePythonException("DeckError", problems);
  } catch (const AlreadyComplete& done) {
    raisePythonException("AlreadyComplete", py::str(done.what()));
  } catch (const RequestError& error) {
    raisePythonException("FileError", py::str(error.what()));
  } catch (const ResultError& error) {
    raisePythonException("FileError", py::str(error.what()));
  }
}

}  // namespace

void bindExceptions(py::module_& /*module*/) {
  py::register_exception_translator(&translateExceptionToPython);
}

}  // namespace ricochet
