// Events, energies, checks, modes, both modes of a comparison, the deck.

function drawEvents(panel) {
  for (const run of content.runs) {
    if (!run.events || run.events.all === 0) continue;
    const events = run.events, time = arrayOf(events.time), contact = arrayOf(events.contact), kind = arrayOf(events.kind);
    const place = element("div"), filter = { contact: "", kind: "" };
    const show = () => {
      const rows = [];
      for (let i = 0; i < time.length; ++i)
        if ((filter.contact === "" || contact[i] === Number(filter.contact)) && (filter.kind === "" || kind[i] === Number(filter.kind))) rows.push(i);
      place.replaceChildren(table(["number", "time [s]", "contact", "event"], rows.length,
        (i) => [rows[i] + 1, numberText(time[rows[i]], 12), events.contacts[contact[rows[i]]], words(events.kinds[kind[rows[i]]])],
        "Events" + (content.runs.length > 1 ? " of the " + run.mode + " run" : "")));
    };
    const any = (text, entries) => [{ value: "", text }, ...entries];
    panel.append(element("div", { class: "bar" },
      choice("Contact", any("all", events.contacts.map((text, i) => ({ value: String(i), text }))), "", (value) => { filter.contact = value; show(); }),
      choice("Event", any("all", Object.entries(events.kinds).map(([value, text]) => ({ value, text: words(text) }))), "", (value) => { filter.kind = value; show(); })), place);
    if (events.all > time.length) panel.append(note(`The first ${time.length} of ${events.all} events; the result file has all.`));
    show();
  }
}

function drawEnergy(panel) {
  const group = new ChartGroup(), series = allSeries.filter((each) => each.kind === "energy");
  panel.charts = group;
  panel.append(group.bar());
  addHistories(panel, group, series.filter((each) => each.quantity !== "balance"), { height: 340 });
  const balance = series.filter((each) => each.quantity === "balance");
  if (balance.length) panel.append(element("h2", { text: "What the ledger leaves over" }));
  addHistories(panel, group, balance, { height: 200 });
  for (const run of content.runs)
    if (run.energy && run.energy.error !== undefined)
      panel.append(note(`${run.mode} run: the largest residual is ${numberText(run.energy.error, 3)} of the largest energy in play.`));
  const reduced = reductionNotes(series);
  if (reduced) panel.append(reduced);
  const last = (each) => { const y = arrayOf(each.values); return y[y.length - 1]; };
  panel.append(table(["energy", "at the end [J]", "meaning"], series.length, (i) => [series[i].name, last(series[i]), series[i].meaning], "Ledger at the end"));
}

function verdict(passed) {
  return element("span", { class: passed ? "good" : "bad", text: passed ? "✓ pass" : "✗ fail" });
}

function drawChecks(panel) {
  const checks = judgedChecks();
  if (checks.length === 0) {
    panel.append(note(`The deck has ${content.checks.inDeck} checks, and this result holds the verdict of none: its run did not end, ran in the other mode, `
      + "or was made by an older program. ricochet verify judges the deck."));
    return;
  }
  panel.append(table(["", "quantity", "where", "time [s]", "reference", "published", "computed", "difference", "limit", "source"], checks.length, (i) => {
    const check = checks[i];
    return [verdict(check.passed), words(check.quantity), check.where, check.time, numberText(check.reference, 10), check.published,
      check.computed === null ? "none" : numberText(check.computed, 10), numberText(check.difference, 3), numberText(check.limit, 3), check.source];
  }, "Checks of the deck, in SI units"));
}

function drawModes(panel) {
  const data = content.modal.data, frequency = arrayOf(data.frequency.values), damping = arrayOf(data.damping_ratio.values);
  const residual = data.is_residual_vector ? arrayOf(data.is_residual_vector.values) : [];
  const mass = data.effective_mass && data.effective_mass.values ? arrayOf(data.effective_mass.values) : null;
  const most = mass ? mass.reduce((a, b) => Math.max(a, b), 0) : 0;
  const massAt = (i, c) => mass ? withoutRounding(mass[3 * i + c], most) : null;
  panel.append(table(["mode", "frequency [Hz]", "damping ratio", "mass along x [kg]", "y [kg]", "z [kg]", "kind"], frequency.length,
    (i) => [i + 1, frequency[i], damping[i], massAt(i, 0), massAt(i, 1), massAt(i, 2), residual[i] ? "residual vector" : "mode"], "Modal basis"),
  attributesTable(content.modal.attributes, "The basis as a whole"));
}

/** A sentence about how far both modes agree. */
function comparisonVerdict(data) {
  const largest = arrayOf(data.largest.values), difference = arrayOf(data.difference.values);
  let worst = 0;
  for (let i = 0; i < largest.length; ++i)
    if (largest[i] > 0 && difference[i] / largest[i] > difference[worst] / largest[worst]) worst = i;
  return `The largest relative difference is ${numberText(100 * difference[worst] / largest[worst], 3)} % of the largest value: `
    + `${words(data.quantity.texts[worst])} of ${data.where.texts[worst]}.`;
}

function drawComparison(panel) {
  const { attributes, data, groups } = content.comparison;
  if (data.quantity) {
    const columns = Object.fromEntries(["largest", "difference", "instant", "rms"].map((name) => [name, arrayOf(data[name].values)]));
    panel.append(element("p", { text: comparisonVerdict(data) }), table(
      ["quantity", "where", "unit", "largest, modal", "largest difference", "in %", "at [s]", "rms of the difference"], data.quantity.texts.length, (i) => [
        words(data.quantity.texts[i]), data.where.texts[i], data.unit.texts[i], columns.largest[i], columns.difference[i],
        columns.largest[i] > 0 ? numberText(100 * columns.difference[i] / columns.largest[i], 3) : null, columns.instant[i], columns.rms[i]],
      "Direct against modal run"));
  }
  panel.append(attributesTable(attributes, "Cost of the direct run over the modal one, and causes of the difference (rms over rms)"));
  if (groups.events) {
    const events = groups.events.data, time = arrayOf(events.time.values), index = arrayOf(events.index.values);
    panel.append(table(["contact", "event", "number", "modal [s]", "direct [s]", "difference [s]"], index.length, (i) => {
      const [modal, direct] = [time[2 * i], time[2 * i + 1]], isBoth = modal !== kNoNumber && direct !== kNoNumber;
      return [events.contact.texts[i], words(events.kind.texts[i]), index[i], numberText(modal, 10), numberText(direct, 10), isBoth ? direct - modal : null];
    }, "Events of both runs"));
  }
  const moving = content.runs.flatMap((_, run) => movingSeries(run, 2));
  if (!moving.length) return;
  const group = new ChartGroup();
  panel.charts = group;
  panel.append(element("h2", { text: "Both runs; dashed: direct" }), group.bar());
  addHistories(panel, group, moving);
}

function drawDeck(panel) {
  const { text, defaults, missing } = content.deck;
  if (defaults.length)
    panel.append(table(["key", "default taken", "unit"], defaults.length, (i) => defaults[i], "Defaults that the deck leaves to the program"));
  if (missing) panel.append(note("The defaults cannot be told: " + missing));
  const lines = element("ol", { class: "deck" });
  for (const line of text.replace(/\n$/, "").split("\n")) lines.append(element("li", {}, element("code", { text: line || " " })));
  panel.append(element("h2", { text: "The deck as it was run" }), element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Deck" }, lines));
}
