#pragma once

#include "io/text/request_error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace ricochet {

/// A page cannot be made.
struct ReportError : RequestError {
  using RequestError::RequestError;
};

/// Throws ReportError, which names the packages, if the program was built without the libraries of the page.
void requirePageLibraries();

/// A result as one HTML page that opens without a network: structure, modes, motion, histories, contacts,
/// spectra, events, energies, statistics, checks, deck, both modes of a comparison, cases of a batch. Throws
/// TargetError for a file that is no result, ReportError.
std::string reportPage(const std::filesystem::path& result);

}  // namespace ricochet
