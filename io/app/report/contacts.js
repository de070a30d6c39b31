// Contacts: gap and forces over time with the states as bands, totals, statistics and wear.

const kOfContact = ["gap", "normal_force", "tangential_force", "slip_velocity"];

function contactChoices() {
  return content.runs.flatMap((run, r) => run.contacts.map((contact, i) => ({ value: `${r} ${i}`,
    text: contact.name + (content.runs.length > 1 ? ", " + run.mode : "") })));
}

function contactOf(choice) {
  const [run, number] = choice.split(" ").map(Number);
  return { run, contact: content.runs[run].contacts[number] };
}

function drawContact(place, group, chosen) {
  const { run, contact } = contactOf(chosen);
  group.clear();
  place.replaceChildren();
  const series = allSeries.filter((each) => each.run === run && each.kind === "contact" && each.owner === contact.name);
  const main = kOfContact.flatMap((quantity) => series.filter((each) => each.quantity === quantity));
  if (main.length) {
    place.append(group.bar());
    if (contact.states) place.append(stateLegend());
    addHistories(place, group, main, { split: true, height: 190, bands: stateBands(contact.states) });
    const reduced = reductionNotes(main);
    if (reduced) place.append(reduced);
    for (const text of contact.missed ?? []) place.append(note(text));
  }
  place.append(attributesTable(contact.attributes, "Law, obstacle and totals of " + contact.name));
}

function drawContacts(panel) {
  const group = new ChartGroup(), place = element("div");
  panel.charts = group;
  const options = contactChoices();
  panel.contact ??= options[0].value;
  panel.append(element("div", { class: "bar" }, choice("Contact", options, panel.contact, (value) => {
    panel.contact = value;
    group.window = null;
    drawContact(place, group, value);
  })), place);
  drawContact(place, group, panel.contact);
}

// Statistics of contacts over windows, histograms, global impacts.

function contactsWithStatistics() {
  return contactChoices().filter((option) => contactOf(option.value).contact.statistics);
}

/** Statistics as a table: a row per number, a column per window. */
function windowsTable(statistics, name) {
  const data = statistics.data, from = arrayOf(data.from.values), to = arrayOf(data.to.values);
  const rows = Object.keys(data).filter((key) => !["from", "to", "window"].includes(key) && data[key].values
    && data[key].shape.length === 1 && data[key].shape[0] === from.length);
  const most = {}; // largest number of each unit
  for (const key of rows) for (const value of arrayOf(data[key].values)) most[data[key].unit] = Math.max(most[data[key].unit] ?? 0, Math.abs(value));
  const heads = Array.from(from, (start, w) => `${numberText(start)} to ${numberText(to[w])} s`);
  return table(["statistic", ...heads], rows.length,
    (i) => [axisTitle(words(rows[i]), data[rows[i]].unit), ...Array.from(arrayOf(data[rows[i]].values), (value) => withoutRounding(value, most[data[rows[i]].unit]))], "Windows of " + name);
}

function addHistogram(place, name, group) {
  const edges = arrayOf(group.data.edges.values), weight = group.data.weight, all = arrayOf(weight.values);
  const bins = weight.shape[1], total = new Float64Array(bins);
  for (let i = 0; i < all.length; ++i) total[i % bins] += all[i];
  const [, high] = extentOf(total);
  if (high === 0) return;
  new PlaneChart(place, { label: "Histogram of " + words(name), xTitle: axisTitle(words(name), group.data.edges.unit),
    yTitle: weight.unit === "s" ? "time [s]" : "impacts", extent: [edges[0], edges[bins], 0, high], height: 240,
    draw: (canvas, chart) => drawBars(canvas, chart, edges, total, colourOf(0)),
    tell: (x) => {
      const bin = edges.findIndex((edge, i) => x >= edge && x < edges[i + 1]);
      return bin < 0 ? "" : `${numberText(edges[bin])} to ${numberText(edges[bin + 1])}: ${numberText(total[bin])}`;
    } });
}

/** Wear by sectors around the obstacle, where it was asked for. */
function addSectors(place, statistics) {
  const edges = statistics.data.sector_edges;
  if (!edges) return;
  for (const [name, dataset] of Object.entries(statistics.data)) {
    if (!dataset.values || dataset.shape.length !== 2) continue;
    const sectors = dataset.shape[1], values = arrayOf(dataset.values).slice(-sectors), [, high] = extentOf(values);
    new PlaneChart(place, { label: words(name), xTitle: "angle from axis 1 [degrees]", yTitle: axisTitle(words(name), dataset.unit),
      extent: [-180, 180, 0, high || 1], height: 240, draw: (canvas, chart) => drawBars(canvas, chart, arrayOf(edges.values), values, colourOf(1)) });
  }
}

function addImpacts(place, impacts, name) {
  const columns = ["start", "end", "velocity", "peak_force", "impulse", "rebounds"].filter((key) => impacts.data[key] && impacts.data[key].values);
  if (columns.length < 6) return place.append(note("The table of impacts is longer than a page takes: ricochet table, or the file itself, has it."));
  const x = arrayOf(impacts.data.velocity.values), y = arrayOf(impacts.data.peak_force.values);
  if (x.length === 0) return undefined;
  new PlaneChart(place, { label: "Peak force over velocity of approach", xTitle: "velocity of approach [m/s]", yTitle: "peak force [N]",
    extent: [...extentOf(x), ...extentOf(y)], height: 280,
    draw: (canvas, chart) => { for (let i = 0; i < x.length; ++i) drawDot(canvas, chart.x(x[i]), chart.y(y[i]), 3, colourOf(0)); } });
  return place.append(datasetTable(columns.map((key) => ({ head: words(key), dataset: impacts.data[key] })), "Global impacts of " + name));
}

function drawStatistics(panel) {
  const options = contactsWithStatistics(), place = element("div");
  panel.contact ??= options[0].value;
  const draw = () => {
    const { contact } = contactOf(panel.contact);
    place.replaceChildren(windowsTable(contact.statistics, contact.name));
    addSectors(place, contact.statistics);
    const histograms = contact.histograms ? Object.entries(contact.histograms.groups) : [];
    if (histograms.length) place.append(element("h2", { text: "Histograms, all windows together" }));
    const grid = element("div", { class: "grid" });
    place.append(grid);
    for (const [name, group] of histograms) addHistogram(grid, name, group);
    if (contact.impacts) addImpacts(place, contact.impacts, contact.name);
  };
  panel.append(element("div", { class: "bar" }, choice("Contact", options, panel.contact, (value) => { panel.contact = value; draw(); })), place);
  draw();
}
