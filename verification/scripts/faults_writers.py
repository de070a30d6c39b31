"""Faults of what writes: HDF5, rows of results, restored histories, XDMF, plots, comparisons."""

from seeded_fault import Fault

ROWS = "io/result/result_rows.cpp"
RESULT = "io/result/result_file.cpp"
RESTORE = "io/result/restore.cpp"
WRITTEN_ROWS = "io/hdf5/hdf5_rows.cpp"

FAULTS = [
    # HDF5
    Fault("rows are appended where the first ones are", "io: HDF5", WRITTEN_ROWS,
          "const std::size_t before = this->rows();", "const std::size_t before = 0;", "Hdf5.*", "statement"),
    Fault("a dataset that is cut off keeps its number of rows", "io: HDF5", WRITTEN_ROWS,
          "throw ResultError(path() + \": has fewer rows than \" + std::to_string(rows));\n  setRows(rows);",
          "throw ResultError(path() + \": has fewer rows than \" + std::to_string(rows));",
          "Hdf5.AppendingGoesOn*:Hdf5.*", "statement"),
    Fault("values of any type are written", "io: HDF5", WRITTEN_ROWS,
          "H5Tget_class(type_.get()) != kClasses[static_cast<std::size_t>(element)]", "false", "Hdf5.*"),
    Fault("rows are read from the first one on", "io: HDF5", "io/hdf5/hdf5_reading.cpp",
          "start[0] = first;", "start[0] = 0;", "Hdf5.*:RestoreTest.*", "statement"),
    Fault("fixed rows are written at the begin", "io: HDF5", WRITTEN_ROWS,
          "start[0] = first;", "start[0] = 0;", "Hdf5.Fixed*:BatchRun.*:BatchCommand.*", "statement"),
    Fault("an attribute is not replaced", "io: HDF5", "io/hdf5/hdf5_attributes.cpp",
          "if (file.hasAttribute(object, name)) checkH5(H5Adelete(owner.get(), key.c_str()), label, \"replace\");", "",
          "Hdf5.AttributesOfEveryKind*", "statement"),
    Fault("times of creation are kept in a file", "io: HDF5", "io/hdf5/hdf5_dataset.cpp",
          "checkH5(H5Pset_obj_track_times(properties.get(), 0), \"HDF5\", \"make dataset properties\");", "",
          "Hdf5.SameWrites*", "statement"),
    Fault("all names of values are of the first one", "io: HDF5", "io/hdf5/hdf5_reading.cpp",
          "H5Tget_member_value(type.get(), i, &value)", "H5Tget_member_value(type.get(), 0, &value)",
          "Hdf5.ContactState*:ResultFileTest.*"),

    # pages
    Fault("a reduced history loses its peaks", "io: pages", "io/app/report/reduction.cpp",
          "history[i] > history[high]", "history[i] < history[high]", "RowReduction.*"),
    Fault("spectra show half of an amplitude", "io: pages", "io/app/report/spectrum.cpp",
          "drawn.push_back(2.0 / sum *", "drawn.push_back(1.0 / sum *", "Spectrum.*"),

    # results
    Fault("the last instant of a block is lost", "io: rows", ROWS,
          "for (GrowingDataset& axis : axes_) axis.append(written_.times.data(), count);",
          "for (GrowingDataset& axis : axes_) axis.append(written_.times.data(), count > 0 ? count - 1 : 0);",
          "ResultFileTest.*", "statement"),
    Fault("pages of rows over one another", "io: rows", ROWS,
          "column.buffer.data() + before * size", "column.buffer.data()", "ResultFileTest.*:RowsBesideARun.*"),
    Fault("the values of a contact stand one column aside", "io: rows", ROWS,
          "contactPlaces_.push_back(rowSize_);", "contactPlaces_.push_back(rowSize_ + 1);", "ResultFileTest.*",
          "statement"),
    Fault("motions of the base are not added", "io: rows", ROWS,
          "for (const ImposedColumn& imposed : imposed_)"
          " row[imposed.place] += imposed.motion.at(view);", "",
          "RestoreTest.*:SupportShiftTest.*:BeamForceTest.*", "statement"),
    Fault("shapes of modes written column by column", "io: results", RESULT,
          "Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(values.data(),"
          " m.rows(),\n m.cols()) = m;",
          "std::copy(m.data(), m.data() + m.size(), values.begin());", "ResultFileTest.*", "statement"),
    Fault("a result keeps the status of a run at work", "io: results", RESULT,
          "file_.setAttribute(\"/\", \"status\", status);", "", "ResultFileTest.*:CommandLine.*", "statement"),
    Fault("the impulse of a contact is its peak", "io: results", RESULT,
          "setFinite(group, \"impulse\", totals.impulse);",
          "setFinite(group, \"impulse\", totals.peakForce);", "ResultFileTest.HoldsTheLayout*", "statement"),

    # restored histories
    Fault("the instant after the one asked for", "io: restore", RESTORE,
          "i > 0 && t - archived[i - 1] < archived[i] - t", "false", "RestoreTest.TakesNodes*"),
    Fault("every instant where every fifth was asked for", "io: restore", RESTORE,
          "seen++ % request.every == 0", "seen++ % 1 == 0", "RestoreTest.TakesNodes*"),
    Fault("rows that do not follow one another are read as if they did", "io: restore", RESTORE,
          "rows[end] == rows[end - 1] + 1", "rows[end] > rows[end - 1]", "RestoreTest.TakesNodes*"),
    Fault("absolute motion without the base", "io: restore", RESTORE,
          "+= motion.motionWithoutForces(times[i]);", "+= @FAULT@ ? 0.0 : motion.motionWithoutForces(times[i]);",
          "RestoreTest.GivesAbsolute*", "text"),
    Fault("reactions without the inertia at the supports", "io: restore", "io/result/restored_reaction.cpp",
          "addPart(mass, Kinematic::acceleration, {});", "", "RestoredReaction.*", "statement"),
    Fault("a load that travels pulls at its supports", "io: restore", "io/result/restored_reaction.cpp",
          "-forceOn(dof, load, *way, t)", "forceOn(dof, load, *way, t)", "RestoredReaction.TakesUp*"),
    Fault("forces of beams without their inertia", "io: restore", "io/result/restored_beams.cpp",
          "force.middleCols<12>(place).noalias() += gather(a, elements_[e]) * times12(beam.mass());", "",
          "BeamForceTest.*", "statement"),
    Fault("a picture of every instant shows the first", "io: XDMF", "io/result/restored_xdmf.cpp",
          "for (const VectorField& field : fields) writeField(out, data, field, row, times.size(), nodes);",
          "for (const VectorField& field : fields) writeField(out, data, field, 0, times.size(), nodes);",
          "RestoreTest.PointsXdmf*", "statement"),

    # plots
    Fault("quantities of all units in one panel", "io: plot", "io/app/plot/plot.cpp",
          "panel.front()->units == curve.units", "panel.front()->units != std::string{}",
          "PlotCommand.GivesEachUnit*"),
    Fault("axes of one unit have a scale each", "io: plot", "io/app/plot/plot.cpp",
          "abscissae.front().units == panel.front()->units", "false",
          "PlotCommand.ShowsOrbits*:PlotPicture.AFlatOrbit*"),
    Fault("a path is thinned by twenty times its tolerance", "io: plot", "io/app/plot/plot.cpp",
          "thinPath(trace.x, trace.y, scale)",
          "thinPath(trace.x, trace.y, {0.05 * scale.across, 0.05 * scale.up})", "PlotPicture.ACircle*"),
    Fault("rows of a portrait are paired by their number", "io: plot", "io/app/plot/plot.cpp",
          "abscissa->time[other] < t", "other < i", "PlotPicture.PairsRows*"),
    Fault("a path that folds back is cut off", "io: plot", "io/app/plot/plot_thinning.cpp",
          "if (distance < farthest_ - kBeyond) return false;", "", "PlotThinning.NoPointOfAPath*", "statement"),
    Fault("the lowest row of a dot is not drawn", "io: plot", "io/app/plot/plot_thinning.cpp",
          "if (values[rows[end]] < values[low]) low = rows[end];", "", "PlotThinning.*", "statement"),
    Fault("a peak between rows is not told", "io: plot", "io/app/plot/plot_notes.cpp",
          "peak - held.high > kDot * peak", "false", "PlotPicture.SaysThatAPeak*"),
    Fault("the first column of a table for every other one", "io: HDF5", "io/hdf5/hdf5_reading.cpp",
          "start[d] = offset % shape[d];", "start[d] = 0;",
          "PlotCommand.TakesNames*:FunctionOfADeck.*:PlotCommand.*", "statement"),
    Fault("a picture that is cut off is whole", "io: plot", "io/app/plot/gnuplot.cpp",
          "if (!coversWholePiece(drawn_, isVector(picture_)))", "if (!@FAULT@ && !coversWholePiece(drawn_, isVector(picture_)))",
          "PlotCommand.SaysThatTheDiskIsFull", "text"),

    # comparisons
    Fault("the step of the modal run is not refined", "io: comparison", "io/app/runs/comparison.cpp",
          "modal.step = 0.25 * step;", "modal.step = step;", "Compare.TellsTheStep*", "statement"),
    Fault("numerical damping stays in the run without it", "io: comparison", "io/app/runs/numerical_damping.cpp",
          "std::exchange(options.gamma, 0.5)", "options.gamma", "Compare.TellsTheStep*"),
    Fault("the order of a scheme has the wrong sign", "io: comparison", "io/app/runs/comparison.cpp",
          "std::log2(coarse / fine)", "std::log2(fine / coarse)", "Compare.FindsTheOrder*"),
]
