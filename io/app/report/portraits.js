// Phase portraits: one history over another of the same instants.

/** The velocity of a displacement, the force of a gap: what is shown over a history at first. */
function partnerOf(series) {
  const wanted = { displacement: "velocity", gap: "normal_force", slip_velocity: "tangential_force" }[series.quantity];
  return allSeries.find((each) => each.quantity === wanted && each.owner === series.owner && each.run === series.run
    && (each.part === series.part || each.quantity === "normal_force"));
}

function firstPortrait() {
  for (const series of movingSeries(0, 8)) if (partnerOf(series)) return [series, partnerOf(series)];
  for (const series of allSeries) if (partnerOf(series)) return [series, partnerOf(series)];
  return [allSeries[0], allSeries.find((each) => each !== allSeries[0] && each.run === allSeries[0].run && each.time === allSeries[0].time)];
}

function drawPortraits(panel) {
  panel.pair ??= firstPortrait().map((series) => allSeries.indexOf(series));
  const place = element("div");
  const options = allSeries.map((series, i) => ({ value: String(i), text: axisTitle(series.name, series.unit) }));
  const draw = () => {
    const [x, y] = panel.pair.map((i) => allSeries[i]);
    place.replaceChildren();
    if (x.run !== y.run || x.time !== y.time) {
      place.append(note("These histories do not have the same instants: choose two of one run."));
      return;
    }
    const xs = pairedOf(x), ys = pairedOf(y), time = timeOf(x);
    new PlaneChart(place, { label: `${y.name} over ${x.name}`, xTitle: axisTitle(x.name, x.unit), yTitle: axisTitle(y.name, y.unit),
      equal: x.unit === y.unit, extent: [...extentOf(xs), ...extentOf(ys)],
      draw: (canvas, chart) => {
        drawPath(canvas, chart, xs, ys, colourOf(0));
        const last = xs.length - 1;
        drawDot(canvas, chart.x(xs[0]), chart.y(ys[0]), 5, colourOf(2));
        drawDot(canvas, chart.x(xs[last]), chart.y(ys[last]), 5, colourOf(1));
      } });
    const mark = (colour, text) => {
      const dot = element("i", { class: "dot" });
      dot.style.background = colour;
      return element("span", {}, dot, text);
    };
    place.append(element("div", { class: "legend" }, mark(colourOf(2), "start"), mark(colourOf(1), "end")));
    if (time.reduced) place.append(note(`Drawn from one row of ${time.stride}: the result file has all ${time.rows}.`));
  };
  const selects = ["Across", "Up"].map((label, k) => choice(label, options, String(panel.pair[k]), (value) => {
    panel.pair[k] = Number(value);
    draw();
  }));
  panel.append(element("div", { class: "bar" }, ...selects), place);
  draw();
}
