#include "io/text/size_text.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

TEST(SizeText, HasThreeDigitsInAUnitThatIsReadable) {
  EXPECT_EQ(byteCountText(0.0), "0 bytes");
  EXPECT_EQ(byteCountText(640.0), "640 bytes");
  EXPECT_EQ(byteCountText(1234.0), "1.23 kB");
  EXPECT_EQ(byteCountText(45678.0), "45.7 kB");
  EXPECT_EQ(byteCountText(999.6e3), "1.00 MB");
  EXPECT_EQ(byteCountText(99.96e6), "100 MB");
  EXPECT_EQ(byteCountText(2.98e9), "2.98 GB");
  EXPECT_EQ(byteCountText(5.0e15), "5000 TB");
}

}  // namespace
}  // namespace ricochet
