#pragma once

#include <string_view>

namespace ricochet::page_assets {

// Texts that CMake embeds (io/app/report/page_assets.cpp.in).

extern const std::string_view kPage;       ///< page.html
extern const std::string_view kStyle;      ///< style sheets, also of the libraries
extern const std::string_view kScripts;    ///< scripts of the page, in their order
extern const std::string_view kLibraries;  ///< scripts of the libraries
extern const std::string_view kLicences;   ///< licences of the libraries
extern const std::string_view kMissing;    ///< packages that were absent when the program was built; or empty

}  // namespace ricochet::page_assets
