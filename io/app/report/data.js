"use strict";
// What the result holds, its arrays, and how numbers are written.

const content = JSON.parse(document.getElementById("content").textContent);

const arrayBytes = (() => {
  const text = atob(document.getElementById("arrays").textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
})();

const arrayTypes = { f4: Float32Array, f8: Float64Array, i4: Int32Array, i1: Int8Array };

/** The array that a reference {at, n, type} names; an empty one for null. */
function arrayOf(reference) {
  if (!reference) return new Float64Array(0);
  return new arrayTypes[reference.type](arrayBytes, reference.at, reference.n);
}

const kNoNumber = -1e300; // stands in results for a number that does not exist

/** A number with so many significant digits and without trailing zeros. */
function numberText(x, digits = 6) {
  if (x === null || x === undefined || !Number.isFinite(x) || x === kNoNumber) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e7) return String(x);
  const text = size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  const [mantissa, exponent] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return (exponent ? short + "e" + exponent.replace("+", "") : short).replace(/^-/, "−").replace("e-", "e−");
}

/** A number of bytes in the unit in which it is readable. */
function sizeText(bytes) {
  const unit = bytes >= 999.5e6 ? [1e9, " GB"] : bytes >= 999.5e3 ? [1e6, " MB"] : [1e3, " kB"];
  return numberText(bytes / unit[0], 3) + unit[1];
}

/** The residual of the energies of a run over the largest of them; rounding has no digits. */
function residualText(error) {
  return (error < 1e-14 ? "< 1e−14" : numberText(error, 2)) + " of the largest energy";
}

/** The value, or zero where it is the rounding of sums of this size. */
function withoutRounding(value, size) {
  return Math.abs(value) < 1e-12 * size ? 0 : value;
}

function withUnit(text, unit) {
  return unit && unit !== "1" ? text + " " + unit : text;
}

function axisTitle(name, unit) {
  return unit && unit !== "1" ? name + " [" + unit + "]" : name;
}

/** Words of a name of a dataset: "peak_force" becomes "peak force". */
function words(name) {
  return String(name).replace(/_/g, " ");
}

function extentOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 0] : [low, high];
}

/** Histories of all runs; those of a direct run beside a modal one say so in their names. */
const allSeries = content.runs.flatMap((run, r) => run.series.map((series) => Object.assign(series, {
  run: r,
  name: series.label + (content.runs.length > 1 ? ", " + run.mode : ""),
  isDirect: run.mode === "direct" && content.runs.length > 1,
})));

function timeOf(series) {
  return content.runs[series.run].times[series.time];
}

/** Instants and values of a history as they are drawn. */
function drawnOf(series) {
  return { x: arrayOf(timeOf(series).values), y: arrayOf(series.values) };
}

/** Rows of a history that belong to the same instants in all histories of its group. */
function pairedOf(series) {
  return arrayOf(timeOf(series).reduced ? series.sampled : series.values);
}

function rangeOf(series) {
  const [low, high] = extentOf(arrayOf(series.values));
  return high - low;
}
