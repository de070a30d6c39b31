// Charts over time or frequency by dygraphs: drag zooms, Shift and drag moves, double click shows all.

const kColours = { // of Okabe and Ito, whom colour-blind people can tell apart
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"],
  dark: ["#56b4e9", "#e69f00", "#2fc49a", "#f0e442", "#cc79a7", "#ff8a4a", "#ffffff"],
};

function theme() {
  return document.documentElement.dataset.theme;
}

function colourOf(i) {
  const colours = kColours[theme()];
  return colours[i % colours.length];
}

function styleColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/** Charts that show the same part of their abscissa. `window` outlives the charts, which a change of colours makes
    anew. */
class ChartGroup {
  constructor() {
    this.charts = [];
    this.window = null;
    this.isBusy = false;
  }
  clear() {
    for (const chart of this.charts) chart.destroy();
    this.charts = [];
  }
  show(range, from = null) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.window = range;
    for (const chart of this.charts) if (chart !== from) chart.updateOptions({ dateWindow: range });
    this.isBusy = false;
  }
  zoom(factor, shift = 0) {
    const chart = this.charts[0];
    if (!chart) return;
    const [low, high] = chart.xAxisRange(), [first, last] = chart.xAxisExtremes();
    const middle = (low + high) / 2 + shift * (high - low), half = Math.min((high - low) * factor, last - first) / 2;
    const centre = Math.min(Math.max(middle, first + half), last - half);
    this.show([centre - half, centre + half]);
  }
  all() {
    const chart = this.charts[0];
    if (chart) this.show(chart.xAxisExtremes().slice());
    this.window = null;
  }
  resize() {
    for (const chart of this.charts) chart.resize();
  }
  /** Buttons that zoom and move. */
  bar() {
    return element("div", { class: "bar", role: "group", "aria-label": "Part of the abscissa" },
      button("+", () => this.zoom(0.5), "Zoom in"), button("−", () => this.zoom(2), "Zoom out"),
      button("◀", () => this.zoom(1, -0.25), "Earlier"), button("▶", () => this.zoom(1, 0.25), "Later"),
      button("All", () => this.all(), "Show all"),
      element("span", { class: "where", text: "drag: zoom · Shift-drag: move · keys + − ← → 0" }));
  }
  key(event) {
    const actions = { "+": [0.5, 0], "=": [0.5, 0], "-": [2, 0], ArrowLeft: [1, -0.25], ArrowRight: [1, 0.25] };
    if (event.key === "0" || event.key === "Home") this.all();
    else if (actions[event.key]) this.zoom(...actions[event.key]);
    else return;
    event.preventDefault();
  }
}

/** Rows [x, y1, y2, ...] of lines, whose abscissae may differ. */
function rowsOf(lines) {
  const first = lines[0].x;
  const isShared = lines.every((line) => line.x === first || (line.x.length === first.length
    && line.x.byteOffset === first.byteOffset && line.x.buffer === first.buffer));
  if (isShared) return Array.from(first, (x, i) => [x, ...lines.map((line) => line.y[i])]);
  const rows = new Map();
  lines.forEach((line, k) => {
    for (let i = 0; i < line.x.length; ++i) {
      let row = rows.get(line.x[i]);
      if (!row) rows.set(line.x[i], row = [line.x[i], ...lines.map(() => null)]);
      row[k + 1] = line.y[i];
    }
  });
  return [...rows.values()].sort((a, b) => a[0] - b[0]);
}

function legendOf(lines, xUnit) {
  return (data) => {
    const at = data.x === undefined || data.x === null ? "" : `<span>${escapedHtml(withUnit(numberText(data.x, 8), xUnit))}</span>`;
    return at + data.series.filter((each) => each.isVisible).map((each) => {
      const line = lines[Number(each.label.slice(1))];
      const value = Number.isFinite(each.y) ? " " + withUnit(numberText(each.y), line.unit) : "";
      const mark = line.dashed ? "dashed" : "solid";
      return `<span><i class="${mark}" style="border-color:${each.color}"></i>${escapedHtml(line.name + value)}</span>`;
    }).join("");
  };
}

/** Range of a logarithmic axis: eight decades below the largest value, where there is that much. */
function decades(lines) {
  let low = Infinity, high = 0;
  for (const line of lines)
    for (const value of line.y) if (value > 0) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [Math.max(low / 1.5, high * 1e-8), high * 2];
}

/** Options of a chart that follow from its lines. */
function optionsOf(lines, settings, legend) {
  const text = styleColour("text"), format = (x) => numberText(x, 5);
  const axis = { axisLabelFormatter: format, valueFormatter: format, axisLineColor: text, gridLineColor: styleColour("grid") };
  return {
    labels: ["x", ...lines.map((_, k) => "s" + k)],
    colors: lines.map((line, k) => line.colour ?? colourOf(k)),
    series: Object.fromEntries(lines.map((line, k) => ["s" + k, { strokePattern: line.dashed ? [6, 3] : null }])),
    xlabel: escapedHtml(settings.xTitle), ylabel: escapedHtml(settings.yTitle),
    axes: { x: { ...axis, pixelsPerLabel: 60 }, y: { ...axis, axisLabelWidth: 68, pixelsPerLabel: 34 } },
    legend: "always", labelsDiv: legend, legendFormatter: legendOf(lines, settings.xUnit),
    strokeWidth: 1.3, highlightCircleSize: 3, connectSeparatedPoints: true, hideOverlayOnMouseOut: true,
    ...(settings.logX ? {} : { xRangePad: 4 }), ...(settings.logY ? { logscale: true, valueRange: decades(lines) } : { yRangePad: 8 }),
  };
}

/** Adds a chart of lines [{name, unit, x, y, dashed}] to a parent. settings: xTitle, xUnit, yTitle, height, logX, logY,
    bands (a function that draws beneath). */
function addChart(parent, group, lines, settings) {
  const legend = element("div", { class: "legend" });
  const place = element("div", { class: "chart", tabindex: "0", role: "img", onkeydown: (event) => group.key(event),
    "aria-label": "Chart of " + lines.map((line) => line.name).join(", ") });
  place.style.height = (settings.height ?? 240) + "px";
  parent.append(element("figure", {}, legend, place));
  const options = optionsOf(lines, settings, legend);
  if (settings.logX) options.axes.x.logscale = true;
  if (settings.bands) options.underlayCallback = settings.bands;
  if (group.window) options.dateWindow = group.window;
  let isDrawn = false;
  options.drawCallback = (chart) => {
    place.dataset.range = chart.xAxisRange().join(" ");
    if (isDrawn) group.show(chart.xAxisRange().slice(), chart);
    isDrawn = true;
  };
  const chart = new Dygraph(place, rowsOf(lines), options);
  group.charts.push(chart);
  return chart;
}

const kStateColours = { stick: "86, 180, 233", slip: "230, 159, 0", closed: "110, 110, 110", several: "140, 140, 140" };

/** Shades the spans in which a contact sticks (plain) or slips (striped); grey where they change too fast to be drawn. */
function stateBands(states) {
  if (!states) return null;
  const edges = arrayOf(states.edges), kinds = arrayOf(states.states);
  return (canvas, area, chart) => {
    const [low, high] = chart.xAxisRange();
    for (let i = 0; i < kinds.length; ++i) {
      const from = edges[2 * i], to = edges[2 * i + 1];
      const name = kinds[i] < 0 ? "several" : states.names[kinds[i]];
      if (to < low || from > high || !kStateColours[name]) continue;
      const left = Math.max(chart.toDomXCoord(from), area.x), right = Math.min(chart.toDomXCoord(to), area.x + area.w);
      canvas.fillStyle = `rgba(${kStateColours[name]}, 0.28)`;
      canvas.fillRect(left, area.y, Math.max(right - left, 1), area.h);
      if (name === "slip") drawStripes(canvas, left, right, area);
    }
  };
}

function drawStripes(canvas, left, right, area) {
  canvas.save();
  canvas.beginPath();
  canvas.rect(left, area.y, Math.max(right - left, 1), area.h);
  canvas.clip();
  canvas.strokeStyle = `rgba(${kStateColours.slip}, 0.55)`;
  canvas.lineWidth = 1;
  canvas.beginPath();
  const start = Math.floor((left - area.h) / 9) * 9; // the stripes of neighbours continue each other
  for (let x = start; x < right; x += 9) {
    canvas.moveTo(x, area.y + area.h);
    canvas.lineTo(x + area.h, area.y);
  }
  canvas.stroke();
  canvas.restore();
}

function stateLegend() {
  const entry = (kind, text) => element("span", {}, element("i", { class: "state " + kind }), text);
  return element("div", { class: "legend" }, entry("open", "open (flight)"), entry("stick", "stick"), entry("slip", "slip"),
    entry("closed", "closed: without friction, or between two rows"), entry("several", "several changes within a pixel"));
}

/** Says how long histories are drawn. */
function reductionNotes(series) {
  const reduced = series.map(timeOf).find((time) => time.reduced);
  if (!reduced) return null;
  const drawn = arrayOf(reduced.values).length;
  return note(`Drawn from ${reduced.rows} archived rows: of each of ${drawn / 2} spans the lowest and the highest value, `
    + "so that no peak is lost. The result file has every row.");
}

/** Draws histories, those of one unit together in a chart. */
function addHistories(parent, group, chosen, settings = {}) {
  const units = new Map();
  for (const series of chosen) {
    const key = series.unit + (settings.split ? series.quantity : "");
    if (!units.has(key)) units.set(key, []);
    units.get(key).push(series);
  }
  for (const together of units.values()) {
    const names = new Set(together.map((series) => series.quantity));
    const title = names.size === 1 ? words(together[0].quantity) : together.every((series) => series.kind === "energy") ? "energy" : "";
    const lines = together.map((series) => ({ name: series.name, unit: series.unit, dashed: series.isDirect, ...drawnOf(series) }));
    addChart(parent, group, lines, { xTitle: "time [s]", xUnit: "s", yTitle: axisTitle(title, together[0].unit), ...settings });
  }
}
