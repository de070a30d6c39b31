"""Mistakes with memory, for a build with the sanitizers: without them the program may seem to be right."""

from seeded_fault import Fault

FAULTS = [
    Fault("a formula is read one character beyond its end", "engine: functions", "engine/formula.cpp",
          "position_ < text_.size() ? text_[position_] : '\\0'", "position_ <= text_.size() ? text_[position_] : '\\0'",
          "Formula.*", sanitizer=True),
    Fault("a table of speeds is read one point beyond its end", "engine: laws", "engine/contact/stribeck.hpp",
          "speed.size() - 1", "speed.size()", "FrictionLawTest*:ManualCurves.FrictionOver*:Stribeck.*",
          sanitizer=True),
    Fault("the side before the first of a profile", "engine: obstacles", "engine/obstacles/profile.cpp",
          "&side == &sides_.front() ? sides_.back() : *(&side - 1)", "*(&side - 1)", "CurvedObstacleTest*",
          sanitizer=True),
    Fault("a kernel goes one block of modes too far", "engine: kernels", "engine/kernels.cpp",
          "for (Index i = 0; i < size; i += kLanes) {\n    P x, y;\n    load(x, c + i);",
          "for (Index i = 0; i < size + (@FAULT@ ? kLanes : 0); i += kLanes) {\n    P x, y;\n    load(x, c + i);",
          "Energy.ModalDamping*:GapWatch.*:ContactRun.*", "text", True),
    Fault("lanes have room for one change of each contact only", "engine: lanes", "engine/batch/lane_group.cpp",
          "kWidth * contacts.size()", "contacts.size()", "*LaneRunTest*", sanitizer=True),
    Fault("a page takes one row more than it has room for", "io: rows", "io/row_pages.hpp",
          "inPage_ == pageRows_ || begun_ == 0", "inPage_ > pageRows_ || begun_ == 0", "RowPages.*:ResultFileTest.*",
          sanitizer=True),
    Fault("names are read after they were given back to HDF5", "io: HDF5", "io/hdf5_dataset.cpp",
          "for (const char* start : starts) strings.emplace_back(start == nullptr ? \"\" : start);\n"
          "  for (char* start : starts) H5free_memory(start);",
          "for (char* start : starts) H5free_memory(start);"
          " for (const char* start : starts) strings.emplace_back(start == nullptr ? \"\" : start);",
          "Hdf5.Strings*", "statement", True),
    Fault("old bytes are read beyond what is asked for", "io: journal", "io/rollback_journal.cpp",
          "std::min(piece->address + piece->bytes.size(), address + count)", "piece->address + piece->bytes.size()",
          "RollbackJournalTest.*:HostileFiles.Readers*:JournaledFile.*", sanitizer=True),
    Fault("the words of a banner outlive their line", "io: readers", "io/matrix_file.cpp",
          "splitFields(banner, fields);", "splitFields(lowered(first), fields);", "ChainTest.*", "statement", True),
    Fault("the rest of a mesh is not long enough for a number", "io: readers", "io/msh_cursor.cpp",
          "text_.size() - at_ < sizeof(T)", "false", "MeshFileTest.SaysWhereABinary*", sanitizer=True),
    Fault("an entry of a matrix beyond its size", "io: readers", "io/matrix_file.cpp",
          "!written || *written < 1 || *written > size", "!written || *written < 1", "ChainTest.*", sanitizer=True),
    Fault("bins beyond the last one are read as a histogram widens", "io: statistics",
          "io/statistics/histogram.cpp", "from < n ? bin[from] + bin[from + 1] : 0.0",
          "from <= n ? bin[from] + bin[from + 1] : 0.0", "Histogram.*", sanitizer=True),
]
