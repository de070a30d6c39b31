"""Faults of what nobody shall have to check: checksums, shapes, names, limits, results that are made again."""

from seeded_fault import Fault

FAULTS = [
    # what is no number
    Fault("the energy check is blind to what is no number", "engine: energy", "engine/accounts/energy_ledger.hpp",
          "!std::isfinite(largestResidual_ + largestEnergy_ + largestKinetic_ + largestSize_)", "false",
          "EnergyWatchTest.*"),
    Fault("a regular end of archived instants is forgotten", "engine: loop", "engine/transient/archive_times.cpp",
          "end - times[times.regular_ - 1] > kRounding * interval", "false", "ArchiveTimesTest.*"),
    Fault("checked instants come after the rows of their instant", "engine: loop", "engine/transient/transient_grid.hpp",
          "archived_[middle] < time", "archived_[middle] <= time", "ArchiveTimesTest.*"),

    # what is read
    Fault("chunks have no checksums", "io: HDF5", "io/hdf5/hdf5_dataset.cpp",
          "file.areChecksumsEnabled()", "false", "DamagedResult.GivesWhat*"),
    Fault("any shape is the expected one", "io: HDF5", "io/hdf5/hdf5_dataset.cpp",
          "std::ranges::equal(shape, expected, fits)", "true", "DamagedResult.*"),
    Fault("a dataset may be larger than its file", "io: HDF5", "io/hdf5/hdf5_reading.cpp",
          "needed / ratio > H5Dget_storage_size(dataset.get())", "false", "DamagedResult.OfOther*"),
    Fault("an index leads anywhere", "io: restore", "io/archive/restored_nodes.cpp",
          "index >= 0 && static_cast<std::size_t>(index) < count", "true", "DamagedResult.IndicesAre*"),
    Fault("a newer format is read", "io: results", "io/archive/result_format.cpp",
          "version > kFormatVersion", "false", "DamagedResult.VerifySays*"),
    Fault("a history without numbers is sound", "io: results", "io/result/result_verdict.cpp",
          "place && isHistoryPath(path)", "false", "DamagedResult.VerifySays*"),
    Fault("a pipe is read", "io: readers", "io/text/input_file.cpp",
          "std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)", "false",
          "HostileFiles.InputsAre*"),
    Fault("keys nest as deep as they like", "io: decks", "io/toml/document.cpp",
          "outer_ + parts_ > kDeepest", "false", "HostileDecks.*"),
    Fault("controls are part of a name", "io: decks", "io/quantities/read_deck.cpp",
          "text != nullptr && hasControlCharacters(*text)", "false", "HostileDecks.*:BadDecks.*"),

    # what is lost
    Fault("what came under a name is replaced", "io: results", "io/result/final_name.cpp",
          "now && now != before_", "false", "FinalNameTest.*"),
    Fault("the runs of a comparison go on alone", "io: resume", "io/result/result_resume.cpp",
          "file.hasAttribute(\"/\", kComparedRuns)", "false", "Compare.KilledIs*"),
    Fault("an ignored interrupt is caught", "io: progress", "io/text/progress.cpp",
          "earlier[i].sa_handler != SIG_IGN", "earlier[i].sa_handler != SIG_ERR",
          "Interrupts.*"),
    Fault("no size is too large", "io: progress", "io/text/progress.cpp", "bytes >= mostBytes", "false", "Limits.*"),

    # tables of contacts, and what is made again
    Fault("all columns of a table are of the first contact", "io: rows", "io/result/result_rows.cpp",
          "c * column.stride", "0 * column.stride", "LargeModels.*"),
    Fault("numbers that differ are the same", "io: reproduce", "io/app/reproduce.cpp",
          "std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0", "true", "Reproduce.*"),
]
