#include "io/text/size_text.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

TEST(SizeText, HasThreeDigitsInAUnitThatIsReadable) {
  EXPECT_EQ(sizeText(0.0), "0 bytes");
  EXPECT_EQ(sizeText(640.0), "640 bytes");
  EXPECT_EQ(sizeText(1234.0), "1.23 kB");
  EXPECT_EQ(sizeText(45678.0), "45.7 kB");
  EXPECT_EQ(sizeText(999.6e3), "1.00 MB");
  EXPECT_EQ(sizeText(99.96e6), "100 MB");
  EXPECT_EQ(sizeText(2.98e9), "2.98 GB");
  EXPECT_EQ(sizeText(5.0e15), "5000 TB");
}

}  // namespace
}  // namespace ricochet
