// Lines, points and cells in a plane, on a canvas: drag moves, + and − zoom, 0 shows all.

const kMap = ["#00204d", "#213d6b", "#555b6c", "#7b7a77", "#a59c74", "#d3c064", "#ffea46"]; // cividis

/** Colour of a share from 0 to 1. */
function mapColour(share) {
  const at = Math.min(Math.max(share, 0), 1) * (kMap.length - 1), i = Math.min(Math.floor(at), kMap.length - 2);
  const mixed = [1, 3, 5].map((c) => {
    const a = parseInt(kMap[i].slice(c, c + 2), 16), b = parseInt(kMap[i + 1].slice(c, c + 2), 16);
    return Math.round(a + (b - a) * (at - i));
  });
  return `rgb(${mixed.join(",")})`;
}

/** Round numbers from low to high, about `count` of them. */
function ticksOf(low, high, count) {
  const raw = (high - low) / Math.max(count, 1), power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= raw * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && ticks.length < 50; ++k) ticks.push(k * step);
  return ticks;
}

const kMargin = { left: 74, right: 14, top: 12, bottom: 46 };

/** A chart in a plane. content: xTitle, yTitle, equal (one scale for both axes), draw(canvas, chart), extent
    [x low, x high, y low, y high], tell(x, y): what stands at a place. */
class PlaneChart {
  constructor(parent, settings) {
    this.settings = settings;
    this.canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": settings.label });
    this.told = element("p", { class: "where", text: "drag: move · keys + − arrows 0" });
    this.place = element("div", { class: "plane" }, this.canvas);
    parent.append(element("figure", {}, element("div", { class: "bar" }, button("+", () => this.zoom(0.5), "Zoom in"),
      button("−", () => this.zoom(2), "Zoom out"), button("All", () => this.all(), "Show all"), this.told), this.place));
    this.all(false);
    this.listen();
    this.draw();
    new ResizeObserver(() => { // a neighbour that appears makes the chart narrower
      if (Math.abs(this.place.clientWidth - this.drawnWidth) > 1) this.draw();
    }).observe(this.place);
  }
  all(isDrawn = true) {
    const [x0, x1, y0, y1] = this.settings.extent;
    const pad = (low, high) => high > low ? (high - low) * 0.04 : Math.abs(low) * 0.1 || 1;
    this.range = [x0 - pad(x0, x1), x1 + pad(x0, x1), y0 - pad(y0, y1), y1 + pad(y0, y1)];
    if (isDrawn) this.draw();
  }
  zoom(factor) {
    const [x0, x1, y0, y1] = this.range, about = (a, b) => [(a + b) / 2 - (b - a) / 2 * factor, (a + b) / 2 + (b - a) / 2 * factor];
    this.range = [...about(x0, x1), ...about(y0, y1)];
    this.draw();
  }
  move(dx, dy) {
    const [x0, x1, y0, y1] = this.range;
    this.range = [x0 + dx * (x1 - x0), x1 + dx * (x1 - x0), y0 + dy * (y1 - y0), y1 + dy * (y1 - y0)];
    this.draw();
  }
  listen() {
    let last = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      last = [event.offsetX, event.offsetY];
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointerup", () => { last = null; });
    this.canvas.addEventListener("pointermove", (event) => {
      if (last) {
        this.move((last[0] - event.offsetX) / this.width, (event.offsetY - last[1]) / this.height);
        last = [event.offsetX, event.offsetY];
      } else if (this.settings.tell) {
        this.told.textContent = this.settings.tell(this.xAt(event.offsetX), this.yAt(event.offsetY), this) ?? "";
      }
    });
    this.canvas.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] };
      if (event.key === "+" || event.key === "=") this.zoom(0.5);
      else if (event.key === "-") this.zoom(2);
      else if (event.key === "0" || event.key === "Home") this.all();
      else if (moves[event.key]) this.move(...moves[event.key]);
      else return;
      event.preventDefault();
    });
  }
  x(value) { return kMargin.left + (value - this.shown[0]) / (this.shown[1] - this.shown[0]) * this.width; }
  y(value) { return kMargin.top + (this.shown[3] - value) / (this.shown[3] - this.shown[2]) * this.height; }
  xAt(pixel) { return this.shown[0] + (pixel - kMargin.left) / this.width * (this.shown[1] - this.shown[0]); }
  yAt(pixel) { return this.shown[3] - (pixel - kMargin.top) / this.height * (this.shown[3] - this.shown[2]); }

  /** The range that is shown: wider than asked for along an axis, where both have one scale. */
  fit() {
    let [x0, x1, y0, y1] = this.range;
    if (this.settings.equal) {
      const scale = Math.max((x1 - x0) / this.width, (y1 - y0) / this.height);
      const dx = (scale * this.width - (x1 - x0)) / 2, dy = (scale * this.height - (y1 - y0)) / 2;
      [x0, x1, y0, y1] = [x0 - dx, x1 + dx, y0 - dy, y1 + dy];
    }
    this.shown = [x0, x1, y0, y1];
  }
  draw() {
    const ratio = window.devicePixelRatio || 1, box = this.place.getBoundingClientRect();
    this.drawnWidth = this.place.clientWidth;
    if (box.width < 60) return;
    const full = [box.width, this.settings.height ?? Math.min(Math.max(box.width * 0.6, 300), 460)];
    this.canvas.width = full[0] * ratio;
    this.canvas.height = full[1] * ratio;
    this.canvas.style.height = full[1] + "px";
    this.width = full[0] - kMargin.left - kMargin.right;
    this.height = full[1] - kMargin.top - kMargin.bottom;
    this.fit();
    this.canvas.dataset.range = this.shown.join(" ");
    const canvas = this.canvas.getContext("2d");
    canvas.scale(ratio, ratio);
    this.drawAxes(canvas, full);
    canvas.save();
    canvas.beginPath();
    canvas.rect(kMargin.left, kMargin.top, this.width, this.height);
    canvas.clip();
    this.settings.draw(canvas, this);
    canvas.restore();
  }
  drawAxes(canvas, full) {
    const [x0, x1, y0, y1] = this.shown, text = styleColour("text");
    canvas.font = "12px system-ui, sans-serif";
    canvas.lineWidth = 1;
    const label = (value, low, high) => {
      const digits = Math.max(5, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low)) || 0) + 3);
      return numberText(Math.abs(value) < 1e-9 * (high - low) ? 0 : value, Math.min(digits, 15));
    };
    const xText = (value) => this.settings.xText ? this.settings.xText(value) : label(value, x0, x1);
    const yText = (value) => this.settings.yText ? this.settings.yText(value) : label(value, y0, y1);
    const line = (ax, ay, bx, by) => { canvas.beginPath(); canvas.moveTo(ax, ay); canvas.lineTo(bx, by); canvas.stroke(); };
    const right = kMargin.left + this.width, bottom = kMargin.top + this.height;
    canvas.fillStyle = text;
    canvas.strokeStyle = styleColour("grid");
    canvas.textAlign = "center";
    for (const value of ticksOf(x0, x1, this.width / 90)) {
      line(this.x(value), kMargin.top, this.x(value), bottom);
      canvas.fillText(xText(value), this.x(value), bottom + 16);
    }
    canvas.textAlign = "right";
    for (const value of ticksOf(y0, y1, this.height / 45)) {
      line(kMargin.left, this.y(value), right, this.y(value));
      canvas.fillText(yText(value), kMargin.left - 6, this.y(value) + 4);
    }
    canvas.strokeStyle = text;
    canvas.strokeRect(kMargin.left, kMargin.top, this.width, this.height);
    canvas.textAlign = "center";
    canvas.fillText(this.settings.xTitle, kMargin.left + this.width / 2, full[1] - 8, this.width);
    canvas.save();
    canvas.translate(13, kMargin.top + this.height / 2);
    canvas.rotate(-Math.PI / 2);
    canvas.fillText(this.settings.yTitle, 0, 0, this.height);
    canvas.restore();
  }
}

/** Draws a path; values that are no numbers interrupt it. */
function drawPath(canvas, chart, x, y, colour, isDashed = false) {
  canvas.strokeStyle = colour;
  canvas.lineWidth = 1.2;
  canvas.setLineDash(isDashed ? [6, 3] : []);
  canvas.beginPath();
  let isOn = false;
  for (let i = 0; i < x.length; ++i) {
    const isNumber = Number.isFinite(x[i]) && Number.isFinite(y[i]);
    if (isNumber && isOn) canvas.lineTo(chart.x(x[i]), chart.y(y[i]));
    else if (isNumber) canvas.moveTo(chart.x(x[i]), chart.y(y[i]));
    isOn = isNumber;
  }
  canvas.stroke();
  canvas.setLineDash([]);
}

function drawDot(canvas, x, y, radius, colour) {
  canvas.fillStyle = colour;
  canvas.beginPath();
  canvas.arc(x, y, radius, 0, 2 * Math.PI);
  canvas.fill();
}

/** Bars between edges. */
function drawBars(canvas, chart, edges, weights, colour) {
  canvas.fillStyle = colour;
  for (let i = 0; i < weights.length; ++i) {
    const left = chart.x(edges[i]), right = chart.x(edges[i + 1]), top = chart.y(weights[i]);
    canvas.fillRect(left + 0.5, top, Math.max(right - left - 1, 1), chart.y(0) - top);
  }
}

/** A bar of the colours of a map with its numbers. */
function colourBar(title, low, high) {
  const bar = element("span", { class: "colours" });
  bar.style.background = `linear-gradient(90deg, ${kMap.join(",")})`;
  return element("div", { class: "colourbar" }, element("span", { text: title }), element("span", { text: numberText(low, 4) }),
    bar, element("span", { text: numberText(high, 4) }));
}
