// Cases of a batch: maps over two parameters, scatter plots, tables.

class Cases {
  constructor() {
    const data = content.batch.data;
    this.data = data;
    this.count = data.parameters.shape[0];
    this.parameters = [].concat(data.parameters.attributes.names);
    this.outputs = [].concat(data.outputs.attributes.names);
    this.units = [].concat(data.outputs.attributes.units_of_outputs ?? []);
    this.parameterUnits = [].concat(data.parameters.attributes.units_of_parameters ?? []);
    this.isWhole = Boolean(data.parameters.values && data.outputs.values);
    this.status = arrayOf(data.status.values);
  }
  /** Values of a parameter or an output, a number per case; NaN where a case has none. */
  values(name) {
    const isOutput = name.startsWith("o"), column = Number(name.slice(1));
    const dataset = isOutput ? this.data.outputs : this.data.parameters, width = (isOutput ? this.outputs : this.parameters).length;
    const all = arrayOf(dataset.values), defined = isOutput && this.data.defined.values ? arrayOf(this.data.defined.values) : null;
    return Float64Array.from({ length: this.count }, (_, i) => defined && !defined[i * width + column] ? NaN : all[i * width + column]);
  }
  title(name) {
    const column = Number(name.slice(1));
    return name[0] === "o" ? axisTitle(this.outputs[column], this.units[column])
      : axisTitle(this.parameters[column], this.parameterUnits[column]);
  }
  /** What may be chosen: outputs and parameters. */
  options() {
    return [...this.outputs.map((text, i) => ({ value: "o" + i, text: "output: " + text })),
      ...this.parameters.map((text, i) => ({ value: "p" + i, text: "parameter: " + text }))];
  }
}

function levelsOf(values) {
  return [...new Set(values)].filter(Number.isFinite).sort((a, b) => a - b);
}

/** Edges of the cells of levels: half way between neighbours. */
function cellEdges(levels) {
  if (levels.length === 1) return [levels[0] - 0.5, levels[0] + 0.5];
  const middles = levels.slice(1).map((level, i) => (level + levels[i]) / 2);
  return [2 * levels[0] - middles[0], ...middles, 2 * levels[levels.length - 1] - middles[middles.length - 1]];
}

function telling(cases, x, y, value, names) {
  return (px, py, chart) => {
    let nearest = -1, least = 400;
    for (const i of cases) {
      const away = (chart.x(x[i]) - chart.x(px)) ** 2 + (chart.y(y[i]) - chart.y(py)) ** 2;
      if (away < least) [nearest, least] = [i, away];
    }
    if (nearest < 0) return "";
    const parts = [`case ${nearest}`, `${names[0]} = ${numberText(x[nearest])}`, `${names[1]} = ${numberText(y[nearest])}`];
    if (value) parts.push(`${names[2]} = ${numberText(value[nearest])}`);
    return parts.join(", ");
  };
}

/** A map: cells coloured by an output over two parameters. */
function addMap(place, all, chosen, shown) {
  const [x, y, value] = [chosen.x, chosen.y, chosen.colour].map((name) => all.values(name));
  const xs = levelsOf(shown.map((i) => x[i])), ys = levelsOf(shown.map((i) => y[i])), xEdges = cellEdges(xs), yEdges = cellEdges(ys);
  const [low, high] = extentOf(shown.map((i) => value[i])), names = [chosen.x, chosen.y, chosen.colour].map((name) => all.title(name));
  const columns = new Map(xs.map((level, i) => [level, i])), rows = new Map(ys.map((level, i) => [level, i]));
  new PlaneChart(place, { label: `Map of ${names[2]}`, xTitle: names[0], yTitle: names[1],
    extent: [xEdges[0], xEdges[xs.length], yEdges[0], yEdges[ys.length]], tell: telling(shown, x, y, value, names),
    draw: (canvas, chart) => {
      for (const i of shown) {
        if (!Number.isFinite(value[i])) continue;
        const a = columns.get(x[i]), b = rows.get(y[i]);
        const left = Math.floor(chart.x(xEdges[a])), top = Math.floor(chart.y(yEdges[b + 1]));
        canvas.fillStyle = mapColour(high > low ? (value[i] - low) / (high - low) : 0.5);
        canvas.fillRect(left, top, Math.ceil(chart.x(xEdges[a + 1])) - left, Math.ceil(chart.y(yEdges[b])) - top);
      }
    } });
  place.append(colourBar(names[2], low, high));
}

function addScatter(place, all, chosen, shown) {
  const [x, y] = [chosen.x, chosen.y].map((name) => all.values(name)), value = chosen.colour ? all.values(chosen.colour) : null;
  const drawn = shown.filter((i) => Number.isFinite(x[i]) && Number.isFinite(y[i]));
  const [low, high] = value ? extentOf(drawn.map((i) => value[i])) : [0, 0];
  const names = [chosen.x, chosen.y, chosen.colour].map((name) => name ? all.title(name) : "");
  new PlaneChart(place, { label: `${names[1]} over ${names[0]}`, xTitle: names[0], yTitle: names[1],
    extent: [...extentOf(drawn.map((i) => x[i])), ...extentOf(drawn.map((i) => y[i]))], tell: telling(drawn, x, y, value, names),
    draw: (canvas, chart) => {
      const radius = drawn.length > 3000 ? 1.6 : drawn.length > 300 ? 2.6 : 4;
      for (const i of drawn)
        drawDot(canvas, chart.x(x[i]), chart.y(y[i]), radius, value ? mapColour(high > low ? (value[i] - low) / (high - low) : 0.5) : colourOf(0));
    } });
  if (value) place.append(colourBar(names[2], low, high));
}

/** Value below which a share of the values lies, between its neighbours; the values increase. */
function quantile(sorted, share) {
  const place = share * (sorted.length - 1), below = Math.floor(place), next = sorted[Math.min(below + 1, sorted.length - 1)];
  return sorted[below] + (place - below) * (next - sorted[below]);
}

/** How many cases have which value, with mean, deviation and quantiles. */
function addDistribution(place, all, chosen, shown) {
  const values = all.values(chosen.x), sorted = Float64Array.from(shown.map((i) => values[i]).filter(Number.isFinite)).sort();
  if (!sorted.length) return place.append(note("No case has a value of this."));
  const [low, high] = [sorted[0], sorted[sorted.length - 1]], bins = high > low ? Math.ceil(2 * Math.cbrt(sorted.length) - 1e-9) : 1;
  const width = high > low ? (high - low) / bins : Math.abs(low) * 0.1 || 1, from = high > low ? low : low - width / 2;
  const edges = Array.from({ length: bins + 1 }, (_, i) => from + i * width), counts = new Array(bins).fill(0);
  for (const value of sorted) ++counts[Math.min(Math.floor((value - from) / width), bins - 1)];
  const mean = sorted.reduce((sum, x) => sum + x, 0) / sorted.length, name = all.title(chosen.x);
  const deviation = Math.sqrt(sorted.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(sorted.length - 1, 1));
  new PlaneChart(place, { label: "Cases over " + name, xTitle: name, yTitle: "number of cases", extent: [edges[0], edges[bins], 0, Math.max(...counts)],
    draw: (canvas, chart) => drawBars(canvas, chart, edges, counts, colourOf(0)),
    tell: (x) => {
      const bin = Math.floor((x - from) / width);
      return bin < 0 || bin >= bins ? "" : `${numberText(edges[bin])} to ${numberText(edges[bin + 1])}: ${counts[bin]}`;
    } });
  return place.append(note(`${sorted.length} cases: mean ${numberText(mean, 4)}, standard deviation ${numberText(deviation, 4)}; 5 % are below `
    + `${numberText(quantile(sorted, 0.05), 4)}, half below ${numberText(quantile(sorted, 0.5), 4)}, 95 % below ${numberText(quantile(sorted, 0.95), 4)}.`));
}

/** True if the cases fill at least half of the cells that two parameters make. */
function isGrid(all, chosen, shown) {
  if (chosen.x[0] !== "p" || chosen.y[0] !== "p" || !chosen.colour || chosen.x === chosen.y) return false;
  const [x, y] = [chosen.x, chosen.y].map((name) => all.values(name));
  const xs = levelsOf(shown.map((i) => x[i])), ys = levelsOf(shown.map((i) => y[i]));
  return xs.length > 1 && ys.length > 1 && 2 * shown.length >= xs.length * ys.length && shown.length <= xs.length * ys.length;
}

/** How many cases there are, and how they ended. */
function batchCards(all) {
  const names = content.batch.data.status.names, counts = {};
  for (const status of all.status) counts[names[status]] = (counts[names[status]] ?? 0) + 1;
  return [card("cases", String(all.count)),
    ...Object.entries(counts).map(([name, count]) => card(words(name), String(count), name === "complete" ? "good" : "bad"))];
}

/** Choices that keep only the cases with one value of a further parameter. */
function fixedChoices(all, fixed, onChange) {
  return all.parameters.map((name, p) => {
    const levels = levelsOf(all.values("p" + p));
    if (levels.length < 2 || levels.length > 200) return null;
    const options = [{ value: "", text: "all" }, ...levels.map((level) => ({ value: String(level), text: numberText(level) }))];
    return choice(name, options, fixed[p] === undefined ? "" : String(fixed[p]), (value) => {
      if (value === "") delete fixed[p];
      else fixed[p] = Number(value);
      onChange();
    });
  });
}

function casesTable(all, shown) {
  const names = content.batch.data.status.names;
  const columns = [...all.parameters.map((_, i) => "p" + i), ...all.outputs.map((_, i) => "o" + i)];
  const values = columns.map((name) => all.values(name));
  return table(["case", "status", ...columns.map((name) => all.title(name))], shown.length,
    (i) => [shown[i], words(names[all.status[shown[i]]]), ...values.map((column) => column[shown[i]])], "Cases");
}

function drawBatch(panel) {
  const all = new Cases();
  panel.append(element("div", { class: "cards" }, ...batchCards(all)));
  if (!all.isWhole) return panel.append(note("This batch has more numbers than a page takes: ricochet plot --batch draws it, ricochet table prints it."));
  const place = element("div"), fixed = panel.fixed ??= {};
  const chosen = panel.batch ??= { x: "p0", y: all.parameters.length > 1 ? "p1" : "o0", colour: all.parameters.length > 1 ? "o0" : "" };
  const draw = () => {
    const held = Object.entries(fixed).map(([p, level]) => [all.values("p" + p), level]);
    const shown = [...all.status.keys()].filter((i) => held.every(([values, level]) => values[i] === level));
    place.replaceChildren();
    if (chosen.y === "count") addDistribution(place, all, chosen, shown);
    else if (isGrid(all, chosen, shown)) addMap(place, all, chosen, shown);
    else addScatter(place, all, chosen, shown);
    place.append(casesTable(all, shown));
  };
  const pick = (label, key, more = []) => choice(label, [...more, ...all.options()], chosen[key], (value) => { chosen[key] = value; draw(); });
  panel.append(element("div", { class: "bar" }, pick("Across", "x"), pick("Up", "y", [{ value: "count", text: "number of cases" }]), pick("Colour", "colour", [{ value: "", text: "none" }])));
  if (all.parameters.length > 1)
    panel.append(element("div", { class: "bar" }, element("span", { class: "where", text: "only cases with" }), ...fixedChoices(all, fixed, draw)));
  panel.append(place);
  draw();
  const failures = content.batch.groups.failures;
  if (failures)
    panel.append(datasetTable([{ head: "case", dataset: failures.data.case }, { head: "why", dataset: failures.data.reason }], "Cases that did not complete"));
  return undefined;
}

/** Histories of the cases, some of them at a time. */
function drawCaseHistories(panel) {
  const group = new ChartGroup(), data = content.batch.groups.histories.data, time = arrayOf(data.time.values);
  panel.charts = group;
  const names = Object.keys(data).filter((name) => name !== "time" && data[name].values && data[name].shape.length === 2 && data[name].shape[1] === time.length);
  if (!names.length) return panel.append(note("The histories of these cases are longer than a page takes."));
  const count = data[names[0]].shape[0], place = element("div"), from = panel.from ??= { value: 0 };
  const draw = () => {
    group.clear();
    place.replaceChildren(group.bar());
    for (const name of names) {
      const all = arrayOf(data[name].values), lines = [];
      for (let i = from.value; i < Math.min(from.value + 6, count); ++i)
        lines.push({ name: "case " + i, unit: "", x: time, y: all.slice(i * time.length, (i + 1) * time.length) });
      addChart(place, group, lines, { xTitle: "time [s]", xUnit: "s", yTitle: name });
    }
  };
  const step = (by) => { from.value = Math.max(0, Math.min(from.value + by, Math.max(count - 1, 0))); draw(); };
  panel.append(element("div", { class: "bar" }, button("Cases before", () => step(-6)), button("Cases after", () => step(6))), place);
  draw();
  return undefined;
}
