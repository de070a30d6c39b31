"""Faults of what reads decks, meshes, matrices and tables."""

from seeded_fault import Fault

FUNCTIONS = "io/deck/read_functions.cpp"
MATRIX = "io/formats/matrix_file.cpp"
ENTRIES = "io/formats/matrix_entries.cpp"
INPUT = "io/formats/abaqus_input.cpp"
CSV = "io/formats/csv_file.cpp"
NAMES = "io/toml/read_names.cpp"
DECKS = "BadDecks.*"

FAULTS = [
    # decks
    Fault("a key that nobody knows is taken", "io: decks", "io/toml/section.cpp",
          "!state.takesAny && !containsName(state.asked, entry.key)", "false", "Section.*:" + DECKS),
    Fault("two keys that contradict each other are taken", "io: decks", "io/toml/section.cpp",
          "problem(key, fmt::format(\"contradicts `{}` of line {}; give one of {}\", first, where(first).line,\n"
          "                               joinNames(keys)));", "", "Section.Contradicting*:" + DECKS, "statement"),
    Fault("numbers out of their range are taken", "io: decks", "io/toml/section_values.cpp",
          "range.contains(number) && std::abs(", "(@FAULT@ || range.contains(number)) && std::abs(",
          "SectionValues.*:" + DECKS, "text"),
    Fault("two things may have one name", "io: decks", NAMES,
          "if (first == places_.end()) {", "if (@FAULT@ || first == places_.end()) {", DECKS, "text"),
    Fault("names that nothing has are told without the nearest", "io: decks", NAMES,
          "if (const std::string nearest = nearestName(written, known); !nearest.empty())\n"
          "    return text + fmt::format(\"; did you mean \\\"{}\\\"?\", nearest);", "",
          DECKS + ":OutputExpression.*", "statement"),
    Fault("a static coefficient below the dynamic one is taken", "io: decks", "io/deck/contacts/read_friction.cpp",
          "watch.isFreeOfProblems() && law.muStatic < law.muDynamic", "false", DECKS),
    Fault("a plane stands on the other side of its node", "io: decks", "io/deck/contacts/read_obstacles.cpp",
          "if (key == \"gap\") request.origin = nodes.first -"
          " obstacle.number(\"gap\", kRequired, {.unit = \"m\"}) * normal;",
          "if (key == \"gap\") request.origin = nodes.first +"
          " obstacle.number(\"gap\", kRequired, {.unit = \"m\"}) * normal;", "DeckContacts.*", "statement"),
    Fault("the planes of a pair do not face each other", "io: decks", "io/deck/contacts/read_obstacles.cpp",
          "isPair ? Vec3(-normal) : normal", "normal", "DeckContacts.*"),
    Fault("matter on the second node of a pair is forgotten", "io: decks", "io/deck/contacts/read_obstacles.cpp",
          "plane.thickness = (*given)[0] + (*given)[1];", "plane.thickness = (*given)[0];", "DeckContacts.*",
          "statement"),
    Fault("both ends of a link are its first node", "io: decks", "io/deck/contacts/read_links.cpp",
          "if (nodes->size() == 2) request.second = nodes->back();",
          "if (nodes->size() == 2) request.second = nodes->front();", DECKS + ":Links*:*CaseTest*", "statement"),
    Fault("a step longer than the run is taken", "io: decks", "io/deck/read_run.cpp",
          "*transient.step > transient.duration", "false", DECKS),
    Fault("instants of the output may lie outside of the run", "io: decks", "io/deck/read_run.cpp",
          "if (!inside)\n"
          "        section.problem(\"times\", i, fmt::format(\"{} s is outside the run, {}\", time,"
          " context.run->description()));", "", DECKS, "statement"),
    Fault("a gamma with which motions grow is taken", "io: decks",
          "engine/transient/scheme_options.hpp", "\"-\", 0.5, 0.5,", "\"-\", 0.0, 0.5,", DECKS),
    Fault("a study of C++ may name a load's node that is not there", "io: decks",
          "engine/study/checks/part_checks.cpp", "requireNode(study_.loads[i].node,", "requireNode(NodeIndex{0},",
          "StudyChecks.*"),
    Fault("a study of C++ may have numbers beyond the ranges of its laws", "io: decks",
          "engine/study/checks/field_ranges.hpp", "value > field.highest)", "false)", "StudyChecks.*"),
    Fault("moments of a load act as forces", "io: decks", "io/deck/read_loads.cpp",
          "readThreeComponents(context, section, \"moment\", 3, nodes, load.components);",
          "readThreeComponents(context, section, \"moment\", 0, nodes, load.components);",
          "Deck*:BeamForceTest.*:*CaseTest*", "statement"),
    Fault("a pair of contacts moves with the sum of its nodes", "io: decks", "engine/study/study_contacts.cpp",
          "if (request.second) places = RowMajorMatrix(places - simulation.rows(dofTripleOfNode(*request.second, 0)));",
          "if (request.second) places = RowMajorMatrix(places + simulation.rows(dofTripleOfNode(*request.second, 0)));",
          "CaseTest.MovingPair*:DeckContacts.*", "statement"),
    Fault("a mirrored triangle of damping is not told", "io: decks", "io/formats/matrix_file.cpp",
          "!draft.namesTriangles && draft.entries.hasAddedMirrorImages()", "false", "ChainTest.*"),
    Fault("a base that moves pushes what is on it forward", "io: decks", "engine/study/imposed_field.cpp",
          "loads.push_back({-(physical.fullMass * field), motion.acceleration, &motion});",
          "loads.push_back({physical.fullMass * field, motion.acceleration, &motion});",
          "RestoredReaction.MovesTheWholeMass*:RestoreTest.*:*CaseTest*", "statement"),

    # tables
    Fault("columns of a file exchanged", "io: readers", FUNCTIONS,
          "makeTableFunction(times, read.values[1], before, after)", "makeTableFunction(read.values[1], times, before, after)",
          "DeckFunctions.FileIsATable:DeckFunctions.*"),
    Fault("an instant may stand three times in a table", "io: readers", FUNCTIONS,
          "if (times[i] == times[i - 2])", "if (false)", DECKS),
    Fault("rows with more values than names are taken", "io: readers", CSV,
          "fields_.size() != width_", "fields_.size() < width_", "DeckFunctions.FileMistakes*:" + DECKS),
    Fault("the mark at the begin of a file is part of a name", "io: readers", CSV,
          "if (line_ == 1 && text.starts_with(\"\\xEF\\xBB\\xBF\")) text.remove_prefix(3);", "",
          "DeckFunctions.*:" + DECKS, "statement"),
    Fault("semicolons separate nothing", "io: readers", CSV, "if (header.find(';') != std::string_view::npos) return ';';", "", "DeckFunctions.FileIsSeparated*",
          "statement"),
    Fault("blanks between tabs separate names", "io: readers", CSV, "names.size() > 1 && separates && !alignsCommas",
          "false", "DeckFunctions.FileIsSeparated*"),

    # matrices
    Fault("the diagonal of a symmetric matrix counts twice", "io: readers", ENTRIES,
          "if (e.row() != e.col())\n      settled.emplace_back", "if (@FAULT@ || e.row() != e.col())\n"
          "      settled.emplace_back", "MatrixFileTest.*:ChainTest.*", "text"),
    Fault("both triangles of a file are added up", "io: readers", ENTRIES,
          "holdsBoth = holdsBoth || (triangles == Triangles::asWritten && found);", "",
          "MatrixFileTest.TakesOneTriangle*", "statement"),
    Fault("mirror images that differ are taken", "io: readers", ENTRIES,
          "isUnsymmetric(e, entry(i + 1).value(), largest)", "false", "MatrixFileTest.RefusesMirror*"),
    Fault("the first matrix of a punch file is taken for all", "io: readers", MATRIX,
          "if (fitting.size() == 1) return fitting.front();", "return 0;", "MatrixFileTest.FindsTheMatrix*",
          "statement"),
    Fault("an instance turns before it moves", "io: readers", INPUT,
          "frame.origin = a + frame.axes * (frame.origin - a);", "frame.origin += a - frame.axes * a;",
          "NodePlacesTest.PlacesInstances*", "statement"),
    Fault("angles of cylindrical nodes are radians", "io: readers", INPUT,
          "x[1] * kRadiansPerDegree", "x[1]", "NodePlacesTest.FollowsLocal*"),
    Fault("rounding of printed digits is no excuse", "io: readers", "physical/assembly/matrix_rounding.cpp", "scale[j] > 0.0", "false", "MatrixFileTest.JudgesDefiniteness*"),
    Fault("exponents without a letter are not read", "io: readers", "io/text/text_lines.cpp",
          "return parseWithExponentE(number.insert(sign, 1, 'e'));", "return parseWithExponentE(number);", "ChainTest.*", "statement"),
    Fault("a file that ends too early is a whole matrix", "io: readers", MATRIX,
          "if (seen < header.entries)", "if (false)", "ChainTest.TellsTheLine*:ChainTest.*"),
    Fault("one file may be stiffness and mass", "io: readers", "io/deck/read_matrices.cpp",
          "stiffness.name == mass.name && stiffness.file.value == mass.file.value", "false", "ChainTest.*"),
    Fault("a node may be at two places", "io: readers", "io/deck/read_matrices.cpp",
          "!hasConsistentPosition(row, NodeIndex{*index})", "false", "ChainTest.*"),
    Fault("an array of a matrix fills its first row", "io: readers", MATRIX,
          "draft.entries.add(row, column, *value, {0, lines.lineNumber()});\n    for (++row;",
          "draft.entries.add(@FAULT@ ? 0 : row, column, *value, {0, lines.lineNumber()});\n    for (++row;", "ChainTest.*", "text"),
    Fault("a matrix that is not symmetric is taken", "io: readers", "io/deck/matrix_checks.cpp",
          "worst > 0.0", "false", "ChainTest.TellsTheLine*:ChainTest.*"),

    # meshes
    Fault("coordinates of a MED file node by node", "io: readers", "io/formats/med_file.cpp",
          "x[c * count + i]", "x[i * axes + c]", "MeshFileTest.SaysWhatAMed*:MeshTest.*"),
    Fault("a node beyond the last one is taken", "io: readers", "io/formats/med_file.cpp",
          "number < 1 || static_cast<std::size_t>(number) > mesh_.nodes.size()", "number < 1",
          "MeshFileTest.SaysWhatAMed*"),
    Fault("a line of another order is a copy of one with its ends", "io: readers", "io/deck/mesh_lines.cpp",
          "return {first, second, line.size};", "return {first, second, 0};", "MeshTest.SaysWhatIsWrong*",
          "statement"),
    Fault("a line that groups share is a beam twice", "io: readers", "io/deck/mesh_lines.cpp",
          "return !seen.insert(identityOfMeshLine(mesh.lines[static_cast<std::size_t>(i)])).second;", "return false;",
          "MeshTest.TakesAllLinesOnce*:MeshTest.*", "statement"),
    Fault("nodes at one place are not seen", "io: readers", "io/deck/mesh_lines.cpp",
          "(at(i) - at(k)).norm() <= distance", "(at(i) - at(k)).norm() < 0.0", "MeshTest.RefusesNodesAtOnePlace*"),
    Fault("a ring turns as a wheel beside the shaft", "io: decks",
          "io/deck/contacts/read_contacts.cpp", "[isFirstHole ? 0 : 1] *= -1.0", "[isFirstHole ? 0 : 1] *= 1.0",
          "*CaseTest.MeetsItsChecks*/shaft_rolls*"),
]
