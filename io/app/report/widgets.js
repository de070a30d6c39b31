// Elements of the page. Texts of users are set as text, never as HTML.

/** An element with attributes ("on..." are listeners, "text" is its text) and children (elements or texts). */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

function escapedHtml(text) {
  return String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
}

/** A choice among options: [{value, text}]. */
function choice(label, options, chosen, onChange) {
  const list = element("select", { onchange: () => onChange(list.value) });
  for (const option of options)
    list.append(element("option", { value: option.value, text: option.text, selected: option.value === chosen }));
  return element("label", { class: "field" }, element("span", { text: label }), list);
}

function checkbox(label, checked, onChange) {
  const box = element("input", { type: "checkbox", checked, onchange: () => onChange(box.checked) });
  return element("label", { class: "check" }, box, element("span", { text: label }));
}

function button(text, onClick, label = null) {
  return element("button", { type: "button", text, onclick: onClick, "aria-label": label });
}

function note(text) {
  return element("p", { class: "note", text });
}

function card(name, value, kind = null) {
  return element("div", { class: "card" + (kind ? " " + kind : "") }, element("span", { class: "name", text: name }),
    element("span", { class: "value", text: value }));
}

function section(title, ...children) {
  return element("section", {}, element("h2", { text: title }), ...children);
}

const kRowsOfPage = 100;

function cellOf(value) {
  if (value instanceof Node) return element("td", {}, value);
  const isNumber = typeof value === "number";
  return element("td", { class: isNumber ? "number" : null, text: isNumber ? numberText(value, 7) : value ?? "–" });
}

/** A table of `rows` rows, of which `rowAt(i)` gives the cells; longer ones are leafed through. */
function table(heads, rows, rowAt, caption) {
  const body = element("tbody");
  const example = rows > 0 ? rowAt(0) : [];
  const head = element("thead", {}, element("tr", {}, ...heads.map((text, i) =>
    element("th", { scope: "col", class: typeof example[i] === "number" ? "number" : null, text }))));
  const whole = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {}, element("caption", { text: caption }), head, body));
  const where = element("span", { class: "where" });
  let first = 0;
  const show = (from) => {
    first = Math.max(0, Math.min(from, Math.floor(Math.max(rows - 1, 0) / kRowsOfPage) * kRowsOfPage));
    body.replaceChildren();
    const end = Math.min(first + kRowsOfPage, rows);
    for (let i = first; i < end; ++i) body.append(element("tr", {}, ...rowAt(i).map(cellOf)));
    where.textContent = `${first + 1} to ${end} of ${rows}`;
  };
  show(0);
  if (rows <= kRowsOfPage) return whole;
  return element("div", {}, element("div", { class: "bar" }, button("First", () => show(0)),
    button("Back", () => show(first - kRowsOfPage)), button("On", () => show(first + kRowsOfPage)), where), whole);
}

/** Names and values of attributes as a table of two columns. */
function attributesTable(attributes, caption) {
  const entries = Object.entries(attributes).filter(([, value]) => !Array.isArray(value) || value.length <= 12);
  const valueText = (value) => Array.isArray(value)
    ? value.map((each) => typeof each === "number" ? numberText(each) : each).join(", ")
    : typeof value === "number" ? numberText(value, 7) : value;
  return table(["name", "value"], entries.length, (i) => [words(entries[i][0]), valueText(entries[i][1])], caption);
}

/** Columns of datasets of equal length as a table: [{head, dataset}]. */
function datasetTable(columns, caption) {
  const shown = columns.map(({ head, dataset }) => ({
    head: axisTitle(head, dataset.unit),
    values: dataset.texts ?? arrayOf(dataset.values),
  }));
  return table(shown.map((column) => column.head), shown.length ? shown[0].values.length : 0,
    (i) => shown.map((column) => column.values[i]), caption);
}
