// What was run and how it ended.

function judgedChecks() {
  return content.checks.judged;
}

function checkCard() {
  const judged = judgedChecks(), failed = judged.filter((check) => !check.passed).length;
  if (judged.length === 0) return content.checks.inDeck > 0 && content.runs.length ? card("checks", `${content.checks.inDeck}, not judged in this file`) : null;
  return failed ? card("checks", `✗ ${failed} of ${judged.length} fail`, "bad") : card("checks", `✓ ${judged.length} pass`, "good");
}

function statusCard() {
  const status = content.attributes.status ?? "unknown";
  if (status === "complete") return card("status", "✓ complete", "good");
  return status === "running" ? card("status", "… not complete: as at its last flush", "bad") : card("status", "✗ " + status, "bad");
}

function runCards(run) {
  const name = content.runs.length > 1 ? run.mode + " run, " : "";
  const cards = [];
  const rows = Math.max(0, ...run.times.map((time) => time.rows));
  if (run.run && run.run.end_time !== undefined) cards.push(card(name + "end", numberText(run.run.end_time) + " s"));
  if (run.run && run.run.steps !== undefined) cards.push(card(name + "steps", numberText(run.run.steps)));
  if (rows) cards.push(card(name + "archived rows", String(rows)));
  if (run.events) cards.push(card(name + "events", String(run.events.all)));
  if (run.energy && run.energy.error !== undefined) cards.push(card(name + "energy residual", residualText(run.energy.error)));
  return cards;
}

function contactTotals(run) {
  const shown = ["impacts", "peak_force", "impulse", "friction_energy"], units = ["", " [N]", " [N s]", " [J]"];
  return table(["contact", ...shown.map((name, i) => words(name) + units[i])], run.contacts.length,
    (i) => [run.contacts[i].name, ...shown.map((name) => name === "impacts" && run.contacts[i].attributes.obstacle === "none" ? null
      : run.contacts[i].attributes[name])],
    "Contacts" + (content.runs.length > 1 ? " of the " + run.mode + " run" : ""));
}

function drawOverview(panel) {
  const attributes = content.attributes;
  panel.append(element("div", { class: "cards" }, statusCard(), checkCard(), ...content.runs.flatMap(runCards),
    ...(content.batch ? batchCards(new Cases()) : []),
    content.modal ? card("basis", String(arrayOf(content.modal.data.frequency.values).length) + " modes") : null,
    content.model && content.model.count ? card("nodes", String(content.model.count)) : null));
  if (attributes.failure) panel.append(element("p", { class: "failure", text: attributes.failure }));
  for (const run of content.runs) if (run.contacts.length) panel.append(contactTotals(run));
  const moving = content.runs.length ? movingSeries(0, 4) : [];
  if (moving.length) {
    const group = new ChartGroup();
    panel.append(element("h2", { text: "What moves most" }), group.bar());
    addHistories(panel, group, moving, { height: 220 });
    panel.charts = group;
  }
  const notes = [...content.notes, ...content.runs.flatMap((run) => run.notes)];
  if (notes.length) panel.append(section("What the page leaves out", ...notes.map(note)));
  panel.append(section("The file", attributesTable({ file: content.file, size: sizeText(content.size), ...attributes },
    "Attributes of the result")));
}

/** The displacements of a run with the largest ranges; rotations after translations. */
function movingSeries(run, most) {
  const found = allSeries.filter((series) => series.kind === "node" && series.run === run && series.quantity === "displacement");
  const ranges = new Map(found.map((series) => [series, rangeOf(series)]));
  const isTurn = (series) => series.part.startsWith("r");
  return found.sort((a, b) => isTurn(a) - isTurn(b) || ranges.get(b) - ranges.get(a)).slice(0, most);
}
