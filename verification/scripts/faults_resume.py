"""Faults of checkpoints, journals, resumed runs and restarts."""

from seeded_fault import Fault

JOURNAL = "io/hdf5/rollback_journal.cpp"
DRIVER = "io/hdf5/hdf5_journal.cpp"
RESUME = "io/result/result_resume.cpp"
RESTART = "io/prepare/restart.cpp"

FAULTS = [
    # what a checkpoint holds
    Fault("a checkpoint forgets which row comes next", "engine: checkpoint", "engine/schemes/transient_loop.hpp",
          "archive(done_, nextRow_, proposed_, breakpoint_, nextOutput_, watch_, lastFinite_, report_, state_);",
          "archive(done_, proposed_, breakpoint_, nextOutput_, watch_, lastFinite_, report_, state_);",
          "Checkpoint.ContinuesEveryListedSchemeOnPoint*", "statement"),
    Fault("a checkpoint forgets the force of kick-drift", "engine: checkpoint", "engine/schemes/kick_drift.hpp",
          "archive(force_);", "", "Checkpoint.ContinuesEveryListedSchemeOnPoint*", "statement"),
    Fault("a checkpoint forgets the acceleration of hht", "engine: checkpoint", "engine/schemes/hht.hpp",
          "archive(force_, before_, mean_);", "archive(force_, before_);",
          "Checkpoint.ContinuesEveryListedSchemeOnPoint*", "statement"),
    Fault("a checkpoint forgets the past of De Vogelaere", "engine: checkpoint",
          "engine/schemes/devogelaere.hpp",
          "archive(half_, earlier_, jump_, guess_, previous_);", "archive(half_, jump_, guess_, previous_);",
          "Checkpoint.ContinuesEveryListedSchemeOnPoint*", "statement"),
    Fault("a checkpoint forgets where the functions of loads stand", "engine: checkpoint", "engine/model/excitation.hpp",
          "archive.beginSection(\"ExcitationRun\");\n    archive(cursors_, factors_, jumpInstants_);",
          "archive.beginSection(\"ExcitationRun\"); archive(factors_, jumpInstants_);",
          "Checkpoint.ContinuesEveryListedSchemeOnPoint*", "statement"),
    Fault("a checkpoint forgets the accounts", "engine: checkpoint", "engine/model/modal_equation.hpp",
          "archive(contacts_, loads_, ledger_);", "archive(contacts_, loads_);",
          "Checkpoint.ContinuesEveryListedSchemeOnPoint*", "statement"),
    Fault("a link forgets its memory in a checkpoint", "engine: checkpoint", "engine/model/modal_equation.hpp",
          "archive(kicked_, worksAtEnd_, spins_, drivePower_, links_);",
          "archive(kicked_, worksAtEnd_, spins_, drivePower_);",
          "Checkpoint.ContinuesLinks*:LinkRun.GoesOnFromACheckpoint*", "statement"),
    Fault("a list of another length is read as it is", "engine: checkpoint", "engine/accounts/checkpoint.hpp",
          "if (count != values.size()) archiveAsDerivedClass().resizeContainerWhenReading(values, count);", "",
          "Checkpoint.*:Resume.*:Restart.*", "statement"),

    # journals
    Fault("what was overwritten twice is put back in the order of writing", "io: journal", JOURNAL,
          "for (auto piece = rollback->pieces.rbegin(); piece != rollback->pieces.rend(); ++piece)\n"
          "    if (!writeAt(file_, piece->bytes.data(), piece->bytes.size(), piece->address)) return false;",
          "for (auto piece = rollback->pieces.begin(); piece != rollback->pieces.end(); ++piece)"
          " if (!writeAt(file_, piece->bytes.data(), piece->bytes.size(), piece->address)) return false;",
          "RollbackJournalTest.PutsBack*", "statement"),
    Fault("a file that is put back keeps what was added", "io: journal", JOURNAL,
          "return ftruncate(file_, static_cast<off_t>(rollback->size)) == 0;", "return true;",
          "RollbackJournalTest.*", "statement"),
    Fault("the journal of another file is put back", "io: journal", JOURNAL,
          "checksumOfFileBeginning(file, rollback) != head[2]", "false",
          "HostileFiles.TheJournalOf*"),
    Fault("other names of a file are written with it", "io: journal", JOURNAL,
          "plain && found.st_nlink == 1", "plain", "*HostileJournal.WritesThroughNoHardLink*"),
    Fault("a symbolic link is written through", "io: journal", DRIVER,
          "writes ? O_RDWR | O_NOFOLLOW : O_RDONLY", "writes ? O_RDWR : O_RDONLY",
          "*HostileJournal.WritesThroughNoSymbolicLink*"),
    Fault("readers of a partial file look at no journal", "io: HDF5", "io/hdf5/hdf5.cpp",
          "access == Access::read && JournaledFile::hasTemporaryName(path)", "false", "HostileFiles.ReadersOf*"),
    Fault("links to other files are followed", "io: HDF5", "io/hdf5/hdf5.cpp",
          "link.type != H5L_TYPE_HARD", "false", "LeadsElsewhere.IsNotRead*"),
    Fault("values of other files are read", "io: HDF5", "io/hdf5/hdf5.cpp",
          "H5Pget_external_count(properties.get()) != 0", "false", "LeadsElsewhere.IsNotRead*"),
    Fault("closed streams become results", "io: command line", "io/app/commands/command_line.cpp",
          "opened <= STDERR_FILENO && opened >= 0", "false", "HostileFiles.ClosedStreams*"),
    Fault("old bytes of a file are not kept", "io: journal", DRIVER,
          "d.journal.saveOriginalRegion(address, size)", "d.journal.saveOriginalRegion(address, 0)",
          "JournaledFile.CutOff*:Hdf5.KilledWriter*"),
    Fault("two programs may write one file", "io: journal", DRIVER,
          "if (!tryLockFile(file, LOCK_EX)) return false;", "",
          "Resume.TwoPrograms*:BatchTarget.TwoPrograms*", "statement"),

    # resumed runs
    Fault("a run goes on with another text of its deck", "io: resume", RESUME,
          "file.stringAttribute(\"/\", \"deck_sha256\") != sha256(study.deckText)", "false", "Resume.Refuses*"),
    Fault("a run goes on with other files of data", "io: resume", "io/result/data_files.cpp",
          "sha256OfFile(study.dataFiles[i]) != digests[i]", "false",
          "Resume.RefusesToGoOn*:BatchTarget.IsNotGoneOn*:RestoreFiles.RefusesTables*"),
    Fault("rows behind a checkpoint stay", "io: resume", "io/result/result_rows.cpp",
          "for (History* each : historiesToWrite()) each->dataset().truncate(rows);", "",
          "Resume.GoesOnAfterCtrlC:Resume.*", "statement"),
    Fault("a result that went on still says that it failed", "io: resume", RESUME,
          "if (file_.hasAttribute(\"/\", \"failure\")) file_.removeAttribute(\"/\", \"failure\");", "",
          "Resume.GoesOnAfterCtrlC", "statement"),
    Fault("a complete result is gone on with", "io: resume", RESUME,
          "file.hasAttribute(\"/\", \"status\") && isCompleteResult(file)", "false", "Resume.Refuses*"),

    # restarts
    Fault("a restart takes displacements for velocities", "io: restart", RESTART,
          "initial.v.head(simulation.size()) = paddedVector(earlier.v, simulation.size());",
          "initial.v.head(simulation.size()) = paddedVector(earlier.q, simulation.size());", "Restart.*", "statement"),
    Fault("nodes at other places are those of the earlier run", "io: restart", RESTART,
          "positions[3 * i + static_cast<std::size_t>(c)] != physical.positions[i][c]", "false", "Restart.Refuses*"),
    Fault("contacts of another run are taken for these", "io: restart", RESTART,
          "if (earlier == own) return;", "return;", "Restart.Refuses*", "statement"),
    Fault("a row of a result is gone on with while friction remembers", "io: restart", RESTART,
          "if (from_.row) return requireLawsWithoutMemory(file, from_, study, simulation);",
          "if (from_.row) return;", "Restart.Refuses*", "statement"),
]
