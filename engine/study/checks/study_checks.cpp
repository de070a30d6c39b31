#include "engine/study/checks/study_checks.hpp"

namespace ricochet {

void checkStudy(const Study& study, const RunRequest& request) {
  StudyProblems problems;
  addPartProblems(study, problems);
  throwIfAnyProblem(problems);  // the following checks look up parts by index, which must exist
  addRunProblems(study, request, problems);
  throwIfAnyProblem(problems);  // functions of time are examined over the run
  addLoadProblems(study, problems);
  addBodyProblems(study, problems);
  throwIfAnyProblem(problems);
}

}  // namespace ricochet
