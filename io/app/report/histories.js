// Histories and spectra: choose from a list, those of one unit share a chart.

/** A list of histories with a filter; tells the chosen ones to `onChange`. */
function seriesList(list, chosen, onChange) {
  const place = element("div", { class: "list" });
  const shown = element("span", { class: "where" });
  const fill = (filter) => {
    const wanted = filter.toLowerCase().split(/\s+/);
    const found = list.filter((series) => wanted.every((word) => series.name.toLowerCase().includes(word)));
    shown.textContent = `${found.length} of ${list.length}`;
    place.replaceChildren(...found.map((series) => checkbox(axisTitle(series.name, series.unit), chosen.has(series), (isOn) => {
      if (isOn) chosen.add(series);
      else chosen.delete(series);
      onChange();
    })));
  };
  const input = element("input", { type: "search", placeholder: "filter: node, quantity", "aria-label": "Filter of the histories",
    oninput: () => fill(input.value) });
  fill("");
  const clear = button("None", () => { chosen.clear(); fill(input.value); onChange(); });
  return element("aside", { class: "chooser" }, element("div", { class: "bar" }, input, clear, shown), place);
}

/** The histories that are shown at first: what moves most, in each run. */
function firstSeries(list) {
  const kinds = content.runs.map((_, run) => movingSeries(run, 2)).flat();
  const chosen = new Set(kinds.length ? kinds : list.slice(0, 2));
  for (const contact of content.runs.flatMap((run, r) => run.contacts.slice(0, 1).map((each) => [r, each.name])))
    for (const series of list)
      if (series.run === contact[0] && series.kind === "contact" && series.owner === contact[1] && series.quantity === "normal_force") chosen.add(series);
  return chosen;
}

function drawHistories(panel) {
  const group = new ChartGroup(), list = allSeries;
  panel.charts = group;
  const chosen = panel.chosen ?? firstSeries(list);
  panel.chosen = chosen;
  const charts = element("div", { class: "charts" });
  const draw = () => {
    group.clear();
    charts.replaceChildren(group.bar());
    addHistories(charts, group, list.filter((series) => chosen.has(series)));
    if (chosen.size === 0) charts.append(note("Choose histories from the list."));
    const reduced = reductionNotes([...chosen]);
    if (reduced) charts.append(reduced);
  };
  panel.append(element("div", { class: "sided" }, seriesList(list, chosen, draw), charts));
  draw();
}

/** Lines of spectra, in charts by unit. */
function addSpectra(charts, group, chosen, settings) {
  const units = new Map();
  for (const series of chosen) units.set(series.unit, [...(units.get(series.unit) ?? []), series]);
  for (const together of units.values()) {
    const lines = together.map((series) => ({ name: series.name, unit: series.unit, dashed: series.isDirect,
      x: arrayOf(timeOf(series).frequencies), y: positive(arrayOf(series.spectrum), settings.logY) }));
    addChart(charts, group, lines, { xTitle: "frequency [Hz]", xUnit: "Hz", yTitle: axisTitle("amplitude", together[0].unit), height: 280, ...settings });
  }
}

/** Values of which a logarithmic axis can show all: zeros become gaps. */
function positive(values, isLogarithmic) {
  return isLogarithmic ? Array.from(values, (value) => value > 0 ? value : null) : values;
}

function spectrumNote(time) {
  return note(`Welch's method: ${time.segments} segment${time.segments > 1 ? "s" : ""} under the window of Hann, `
    + `resolution ${numberText(time.resolution, 3)} Hz, a sine of amplitude a shows a; without the mean. `
    + (time.interpolated ? "Rows that are not evenly spaced were interpolated linearly. " : "")
    + "Above the 256th line, the largest of each 2 % of the frequency is drawn.");
}

function drawSpectra(panel) {
  const group = new ChartGroup(), list = allSeries.filter((series) => series.spectrum);
  panel.charts = group;
  const chosen = panel.chosen ?? new Set([...firstSeries(list)].filter((series) => series.spectrum));
  panel.chosen = chosen;
  const settings = panel.settings ?? { logX: true, logY: true };
  panel.settings = settings;
  const charts = element("div", { class: "charts" });
  const draw = () => {
    group.clear();
    const scales = element("div", { class: "bar" },
      checkbox("logarithmic frequency", settings.logX, (isOn) => { settings.logX = isOn; draw(); }),
      checkbox("logarithmic amplitude", settings.logY, (isOn) => { settings.logY = isOn; draw(); }));
    charts.replaceChildren(group.bar(), scales);
    addSpectra(charts, group, list.filter((series) => chosen.has(series)), settings);
    if (chosen.size) charts.append(spectrumNote(timeOf([...chosen][0])));
  };
  panel.append(element("div", { class: "sided" }, seriesList(list, chosen, draw), charts));
  draw();
}
