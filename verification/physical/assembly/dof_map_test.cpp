#include "physical/assembly/dof_map.hpp"

#include "physical/dense_solvers.hpp"
#include "physical/model_error.hpp"
#include "verification/support/structures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ricochet {
namespace {

using test::dofOf;
using test::kEpsilon;
using ::testing::ElementsAre;

using test::ux;
using test::uy;
using test::uz;

using Present = std::vector<std::array<bool, kComponents>>;

Present translations(std::size_t nodes) { return Present(nodes, {true, true, true, false, false, false}); }
Present onlyUx(std::size_t nodes) { return Present(nodes, {true, false, false, false, false, false}); }

/// Largest |A u| over the columns of T: 0 if the relation holds for every independent motion.
double relationViolation(const DofMap& map, const LinearRelation& relation) {
  Vector row = Vector::Zero(map.totalDofCount());
  for (const auto& [dof, factor] : relation.terms) row[map.find(dof).value] += factor;
  const Vector left = map.transformation().transpose() * row;
  return left.size() == 0 ? 0.0 : left.cwiseAbs().maxCoeff();
}

/// Orthogonal projector on the allowed motions, which does not depend on the choice of independent dofs.
Matrix allowedMotions(const DofMap& map) {
  const Matrix t(map.transformation());
  return t * (t.transpose() * t).inverse() * t.transpose();
}

TEST(DofMap, NumbersTheDofsThatElementsGive) {
  Present present(2);
  present[0][0] = present[1][1] = present[1][5] = true;
  const DofMap map(present, {}, {});
  EXPECT_EQ(map.nodeCount(), 2);
  EXPECT_EQ(map.totalDofCount(), 3);
  EXPECT_EQ(map.independentDofCount(), 3);
  EXPECT_EQ(map.dof(map.find(dofOf(1, Component::rz))), dofOf(1, Component::rz));
  EXPECT_EQ(Matrix(map.transformation()), Matrix(Matrix::Identity(3, 3)));
}

TEST(DofMap, KnowsNoDofOutsideOfTheStructure) {
  const DofMap map(onlyUx(2), {}, {});
  EXPECT_FALSE(map.find(dofOf(0, uy)).exists());
  EXPECT_FALSE(map.find(dofOf(2, ux)).exists());
  EXPECT_FALSE(map.find(dofOf(-1, ux)).exists());
}

TEST(DofMap, FixesADofOnceHoweverOftenItIsNamed) {
  const DofMap map(translations(1), {dofOf(0, ux), dofOf(0, ux)}, {});
  EXPECT_EQ(map.totalDofCount(), 3);
  EXPECT_THAT(map.independentDofs(), ElementsAre(DofIndex{1}, DofIndex{2}));
  EXPECT_TRUE(map.isFixed(map.find(dofOf(0, ux))));
  EXPECT_EQ(Matrix(map.transformation()).row(0), Eigen::RowVector2d::Zero());
}

TEST(DofMap, IgnoresASupportOfADofThatTheNodeDoesNotHave) {
  const DofMap map(onlyUx(1), {dofOf(0, uy), dofOf(7, ux)}, {});
  EXPECT_EQ(map.independentDofCount(), 1);
}

TEST(DofMap, RelationOfTheShoeTiesUxToUyExactly) {
  const DofMap map(translations(1), {dofOf(0, uz)}, {{{{dofOf(0, ux), 0.7071}, {dofOf(0, uy), -0.7071}}}});
  ASSERT_EQ(map.independentDofCount(), 1);
  // The factors are equal, so that their quotient is exactly 1.
  EXPECT_EQ(Matrix(map.transformation()).col(0), Eigen::Vector3d(1.0, 1.0, 0.0));
}

TEST(DofMap, TermOnAFixedDofIsZero) {
  const DofMap map(translations(1), {dofOf(0, uz)}, {{{{dofOf(0, ux), 1.0}, {dofOf(0, uz), 5.0}}}});
  // ux + 5 * 0 = 0 fixes ux
  EXPECT_THAT(map.independentDofs(), ElementsAre(DofIndex{1}));
  EXPECT_EQ(Matrix(map.transformation()).row(0).norm(), 0.0);
}

TEST(DofMap, RelationOnFixedDofsOnlyRemovesNothing) {
  const DofMap map(translations(1), {dofOf(0, uy), dofOf(0, uz)},
                   {{{{dofOf(0, uy), 1.0}, {dofOf(0, uz), 5.0}}}});
  EXPECT_EQ(map.independentDofCount(), 1);
}

TEST(DofMap, TermsOnTheSameDofAdd) {
  // 2 ux + uy - 2 ux = 0 means uy = 0 and leaves ux free.
  const DofMap map(translations(1), {dofOf(0, uz)},
                   {{{{dofOf(0, ux), 2.0}, {dofOf(0, uy), 1.0}, {dofOf(0, ux), -2.0}}}});
  EXPECT_THAT(map.independentDofs(), ElementsAre(DofIndex{0}));
  EXPECT_EQ(Matrix(map.transformation()).col(0), Eigen::Vector3d(1.0, 0.0, 0.0));
}

TEST(DofMap, RelationOnAnAbsentDofNamesIt) {
  const std::vector<LinearRelation> relations{{{{dofOf(0, ux), 1.0}, {dofOf(1, Component::ry), 1.0}}}};
  try {
    const DofMap map(translations(2), {}, relations);
    FAIL() << "no ModelError";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.dofs(), ElementsAre(dofOf(1, Component::ry)));
    EXPECT_STREQ(error.what(), "a relation names a degree of freedom that the node does not have");
  }
}

TEST(DofMap, RelationsGiveANodeWithoutElementsItsDofs) {
  // A point 0.5 m along x from a body: uy = uy_0 + 0.5 rz_0, although the rotation of the body has the larger
  // factor.
  Present present(2);
  present[0] = {true, true, true, true, true, true};
  const DofMap map(present, {},
                   {{{{dofOf(0, Component::rz), 8.0}, {dofOf(0, uy), 16.0}, {dofOf(1, uy), -16.0}}}});
  ASSERT_EQ(map.totalDofCount(), 7);
  EXPECT_EQ(map.independentDofCount(), 6);
  const DofIndex point = map.find(dofOf(1, uy));
  ASSERT_TRUE(point.exists());
  EXPECT_TRUE(map.isGivenByRelation(point));
  EXPECT_FALSE(map.isGivenByRelation(map.find(dofOf(0, uy))));
  Vector expected = Vector::Zero(6);
  expected[1] = 1.0;
  expected[5] = 0.5;
  EXPECT_EQ(Vector(Matrix(map.transformation()).row(point.value)), expected);
  EXPECT_FALSE(map.find(dofOf(1, ux)).exists());
}

TEST(DofMap, ATiedDofThatNothingDeterminesIsNamed) {
  // Two points that are related to each other only.
  try {
    Present present = translations(1);
    present.resize(3);
    const DofMap loose(present, {}, {{{{dofOf(1, ux), 1.0}, {dofOf(2, ux), -1.0}}}});
    FAIL() << "no ModelError";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.dofs(), ElementsAre(dofOf(2, ux)));
    EXPECT_STREQ(error.what(), "no element gives it, and the relations do not determine it");
  }
}

TEST(DofMap, ChainOfRelationsLeavesOneDof) {
  // u0 = 2 u1, u1 = 2 u2, u2 = 2 u3: powers of two, so that the result is exact for any pivots.
  std::vector<LinearRelation> relations;
  for (int i = 0; i < 3; ++i) relations.push_back({{{dofOf(i, ux), 1.0}, {dofOf(i + 1, ux), -2.0}}});
  std::array<int, 3> order{0, 1, 2};
  do {
    std::vector<LinearRelation> permuted;
    for (const int i : order) permuted.push_back(relations[static_cast<std::size_t>(i)]);
    const DofMap map(onlyUx(4), {}, permuted);
    ASSERT_EQ(map.independentDofCount(), 1);
    const Vector t = Matrix(map.transformation()).col(0);
    EXPECT_EQ(Vector(t / t[3]), Eigen::Vector4d(8.0, 4.0, 2.0, 1.0));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(DofMap, RepeatedAndImpliedRelationsAreRedundant) {
  const LinearRelation first{{{dofOf(0, ux), 0.3}, {dofOf(1, ux), -0.7}, {dofOf(2, ux), 0.1}}};
  const LinearRelation second{{{dofOf(0, ux), 1.1}, {dofOf(1, ux), 0.9}, {dofOf(3, ux), -0.2}}};
  LinearRelation combined{{}};  // 1/3 first - 7 second, rounded
  for (const auto& [dof, factor] : first.terms) combined.terms.push_back({dof, factor / 3.0});
  for (const auto& [dof, factor] : second.terms) combined.terms.push_back({dof, -7.0 * factor});
  std::vector<LinearRelation> relations{first, second, first, combined};
  for (int shift = 0; shift < 4; ++shift) {
    EXPECT_EQ(DofMap(onlyUx(4), {}, relations).independentDofCount(), 2);
    std::rotate(relations.begin(), relations.begin() + 1, relations.end());
  }
}

TEST(DofMap, RedundancyIsSeenThroughCancellation) {
  // u0 = u1 three times, with factors that cause a rounding of 1 beside terms of 1e-3.
  const std::vector<LinearRelation> relations{
      {{{dofOf(0, ux), 1.0}, {dofOf(1, ux), -0.999}, {dofOf(2, ux), -0.001}}},
      {{{dofOf(1, ux), 1.0}, {dofOf(2, ux), -1.0}}},
      {{{dofOf(0, ux), 1.0}, {dofOf(2, ux), -1.0}}},
      {{{dofOf(0, ux), 3.0}, {dofOf(1, ux), -2.9}, {dofOf(2, ux), -0.1}}}};
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  do {
    std::vector<LinearRelation> permuted;
    for (const std::size_t i : order) permuted.push_back(relations[i]);
    EXPECT_EQ(DofMap(onlyUx(3), {}, permuted).independentDofCount(), 1);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(DofMap, SmallFactorsAreNotTakenForRounding) {
  // a lever of 1e-9 m: u0 = 1e-9 u1
  const DofMap map(onlyUx(2), {}, {{{{dofOf(0, ux), 1.0}, {dofOf(1, ux), -1e-9}}}});
  ASSERT_EQ(map.independentDofCount(), 1);
  EXPECT_EQ(Matrix(map.transformation())(0, 0), 1e-9);
}

TEST(DofMap, DependentRelationsFixWhatTheyDetermine) {
  // u0 + u1 = 0 and u0 - u1 = 0: both are fixed.
  const DofMap map(
      onlyUx(3), {},
      {{{{dofOf(0, ux), 1.0}, {dofOf(1, ux), 1.0}}}, {{{dofOf(0, ux), 1.0}, {dofOf(1, ux), -1.0}}}});
  EXPECT_THAT(map.independentDofs(), ElementsAre(DofIndex{2}));
  EXPECT_EQ(Matrix(map.transformation()).col(0), Eigen::Vector3d(0.0, 0.0, 1.0));
}

TEST(DofMap, AllowedMotionsSatisfyTheRelationsAndIgnoreTheirOrder) {
  std::vector<LinearRelation> relations{
      {{{dofOf(0, ux), 1.0}, {dofOf(1, ux), 2.0}, {dofOf(2, ux), -0.5}, {dofOf(3, ux), 0.25}}},
      {{{dofOf(1, ux), 1.0}, {dofOf(4, ux), -3.0}, {dofOf(0, ux), 0.7}}},
      {{{dofOf(2, ux), 1.5}, {dofOf(4, ux), 1.0}, {dofOf(5, ux), 1.0}}}};
  const Matrix reference = allowedMotions(DofMap(onlyUx(6), {}, relations));
  for (int shift = 0; shift < 3; ++shift) {
    const DofMap map(onlyUx(6), {}, relations);
    EXPECT_EQ(map.independentDofCount(), 3);
    // A few dozen roundings of terms below 10.
    constexpr double tolerance = 500.0 * kEpsilon;
    for (const LinearRelation& relation : relations) EXPECT_LT(relationViolation(map, relation), tolerance);
    EXPECT_LT((allowedMotions(map) - reference).cwiseAbs().maxCoeff(), tolerance);
    std::rotate(relations.begin(), relations.begin() + 1, relations.end());
  }
}

TEST(DofMap, IndependentDofsHaveUnitRows) {
  const DofMap map(translations(2), {dofOf(0, uy)},
                   {{{{dofOf(0, ux), 1.0}, {dofOf(1, ux), -2.0}, {dofOf(1, uz), 3.0}}}});
  const Matrix t(map.transformation());
  for (int i = 0; i < map.independentDofCount(); ++i)
    EXPECT_EQ(Vector(t.row(map.independentDofs()[static_cast<std::size_t>(i)].value)),
              Vector(Vector::Unit(map.independentDofCount(), i)));
}

}  // namespace
}  // namespace ricochet
