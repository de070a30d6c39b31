// The panels, shown where a result has what they show; tabs, colours, sizes.

const kPanels = [
  ["Overview", () => true, drawOverview],
  ["Cases", () => content.batch, drawBatch],
  ["Structure", () => content.model, drawStructure],
  ["Histories", () => allSeries.length, drawHistories],
  ["Contacts", () => contactChoices().length, drawContacts],
  ["Portraits", () => allSeries.length > 1, drawPortraits],
  ["Spectra", () => allSeries.some((series) => series.spectrum), drawSpectra],
  ["Events", () => content.runs.some((run) => run.events && run.events.all > 0), drawEvents],
  ["Energy", () => allSeries.some((series) => series.kind === "energy"), drawEnergy],
  ["Statistics", () => contactsWithStatistics().length, drawStatistics],
  ["Checks", () => judgedChecks().length || (content.checks.inDeck && content.runs.length), drawChecks],
  ["Comparison", () => content.comparison, drawComparison],
  ["Case histories", () => content.batch && content.batch.groups.histories, drawCaseHistories],
  ["Modes", () => content.modal, drawModes],
  ["Deck", () => content.deck.text, drawDeck],
];

const panels = kPanels.filter(([, isShown]) => isShown()).map(([name, , draw]) => {
  const id = name.toLowerCase().replace(/\W/g, "-");
  const tab = element("button", { type: "button", role: "tab", id: "tab-" + id, "aria-controls": "panel-" + id, text: name });
  const place = element("div", { role: "tabpanel", id: "panel-" + id, "aria-labelledby": "tab-" + id, hidden: true });
  return { id, tab, place, draw, isDrawn: false, width: 0, state: place };
});

function drawPanel(panel) {
  if (panel.place.charts) panel.place.charts.clear();
  panel.place.charts = null;
  panel.place.replaceChildren();
  panel.draw(panel.place);
  panel.isDrawn = true;
  panel.width = document.documentElement.clientWidth;
}

function showPanel(shown, hasFocus = false) {
  for (const panel of panels) {
    const isShown = panel === shown;
    panel.tab.setAttribute("aria-selected", isShown);
    panel.tab.tabIndex = isShown ? 0 : -1;
    panel.place.hidden = !isShown;
  }
  if (!shown.isDrawn || shown.width !== document.documentElement.clientWidth) drawPanel(shown);
  if (hasFocus) shown.tab.focus();
  shown.tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  history.replaceState(null, "", "#" + shown.id);
}

function shownPanel() {
  return panels.find((panel) => !panel.place.hidden) ?? panels[0];
}

function listenToTabs() {
  const tabs = document.getElementById("tabs");
  for (const panel of panels) {
    tabs.append(panel.tab);
    document.getElementById("panels").append(panel.place);
    panel.tab.addEventListener("click", () => showPanel(panel));
  }
  tabs.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }, at = panels.indexOf(shownPanel());
    if (event.key === "Home") showPanel(panels[0], true);
    else if (event.key === "End") showPanel(panels[panels.length - 1], true);
    else if (steps[event.key]) showPanel(panels[(at + steps[event.key] + panels.length) % panels.length], true);
    else return;
    event.preventDefault();
  });
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  const toggle = document.getElementById("theme");
  toggle.textContent = name === "dark" ? "Light" : "Dark";
  toggle.setAttribute("aria-label", name === "dark" ? "Light colours" : "Dark colours");
}

function listenToTheme() {
  const isDark = window.matchMedia("(prefers-color-scheme: dark)");
  const change = (name) => {
    setTheme(name);
    for (const panel of panels) panel.isDrawn = false;
    drawPanel(shownPanel());
  };
  document.getElementById("theme").addEventListener("click", () => change(theme() === "dark" ? "light" : "dark"));
  isDark.addEventListener("change", () => change(isDark.matches ? "dark" : "light"));
}

function listenToSize() {
  let waiting = null;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const panel = shownPanel();
      if (panel.width !== document.documentElement.clientWidth) drawPanel(panel);
    }, 150);
  });
}

setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.getElementById("subtitle").textContent =
  `${content.file}, ricochet ${content.attributes.software_version ?? ""}, ${content.attributes.created ?? ""}`;
listenToTabs();
listenToTheme();
listenToSize();
showPanel(panels.find((panel) => "#" + panel.id === location.hash) ?? panels[0]);
document.documentElement.dataset.ready = "yes";
