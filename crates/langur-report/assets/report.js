// The report's figures and tables, drawn from the JSON in #data.
//
// A chart is a pure function of its subject (a run, a group of an experiment, a sweep, an analysis), a
// figure, the view and a size (`drawChart`): the screen, the printer and the saved SVG call it with
// different sizes. What the reader can change is all in `view`; every change ends in a redraw. Text
// from the data only ever becomes text nodes.

countErrors();

const report = JSON.parse(document.getElementById("data").textContent);

const view = {
  run: 0,
  group: 0, // of the experiment
  hidden: new Set(), // names of strategies, so that they stay hidden in the next run
  xScale: "linear", // or "log"
  yLog: new Set(), // keys of the figures whose y axis is logarithmic
  along: "fetched", // what the x axis counts: "fetched", "time" or "bytes"
  basis: "fetched", // what harvest is over: all pages "fetched", all "ok_html", or the "recent" fetches
  waiting: "parked", // what waits for hosts: "parked" pages, or "hosts_waiting"
  measure: "coverage", // what sweeps show: "coverage" or "area"
  zoom: null, // { axis, range: [from, to] }
  sort: { // by table
    results: { column: "at 90", descending: false },
    load: { column: "seconds at 90", descending: false },
    metrics: { column: "area", descending: true },
  },
};

/** What an x axis can count. `column` is where a curve has it, if it has. */
const AXES = {
  fetched: {
    key: "fetched", choice: "pages", title: "pages crawled", column: (curve) => curve.fetched,
    tick: compact, words: (pages) => `${grouped(Math.round(pages))} pages crawled`,
  },
  time: {
    key: "time", choice: "simulated time", title: "simulated time", column: (curve) => curve.time_ms,
    tick: duration, words: (milliseconds) => `after ${duration(milliseconds)}`, ticksFor: timeTicks,
  },
  bytes: {
    key: "bytes", choice: "bytes", title: "bytes received", column: (curve) => curve.bytes,
    tick: byteWords, words: (bytes) => `${byteWords(bytes)} received`,
  },
};

const WINDOW = 500; // fetches that count as recent, as in Gogar (2015)

// What harvest is over.
const HARVEST = {
  fetched: { choice: "all fetches", axis: "relevant ÷ fetched", among: "pages fetched so far",
    value: (curve, i) => share(curve.relevant[i], curve.fetched[i]) },
  ok_html: { choice: "OK HTML", axis: "relevant ÷ OK HTML", among: "OK HTML pages fetched so far",
    value: (curve, i) => share(curve.relevant[i], curve.ok_html[i]) },
  recent: { choice: "last 500", axis: `relevant ÷ last ${WINDOW} fetched`, among: `last ${WINDOW} pages fetched`,
    value: (curve, i) => (curve.recent ? share(curve.recent[i], Math.min(WINDOW, curve.fetched[i])) : null) },
};

const FIGURES = [
  {
    key: "harvest",
    canLog: true,
    title: "Harvest rate",
    percent: true,
    axis: () => HARVEST[view.basis].axis,
    explain: () =>
      `The share of relevant pages among the ${HARVEST[view.basis].among}.`,
    value: (run, curve, i) => HARVEST[view.basis].value(curve, i),
  },
  {
    key: "coverage",
    canLog: true,
    title: "Coverage",
    percent: true,
    axis: () => "share of the relevant pages found",
    explain: (run) => `The share found so far of the ${grouped(run.space.relevant)} relevant pages in the web space.`,
    value: (run, curve, i) => share(curve.relevant[i], run.space.relevant),
  },
  {
    key: "queue",
    canLog: true,
    title: "Queue size",
    percent: false,
    axis: () => "pages waiting",
    // A sampled queue would cut off its peaks, and the table's largest queue would not be in the figure.
    explain: () => "Pages found and not yet fetched; the largest number since the previous point.",
    value: (run, curve, i) => curve.queue_max[i],
    // A bound is no crawl and has no queue; that of a crawler known by its requests alone is not known.
    omits: (result) => isBound(result) || !result.max_queue,
  },
];

/** The measures of crawls by topic, by the column of a curve that holds them. */
const RELEVANCY = [
  {
    key: "relevant", title: "Relevant pages", percent: false, canLog: true,
    axis: () => "relevant pages fetched",
    explain: () => "The number of relevant pages among the pages fetched so far.",
  },
  {
    key: "recent_relevancy", title: "Sliding-window relevancy", percent: false, words: threeDigits,
    axis: () => `mean score of the last ${WINDOW} pages`,
    explain: () => `The mean score on the topic of the last ${WINDOW} pages fetched.`,
  },
  {
    key: "overall_relevancy", title: "Overall relevancy", percent: false, words: threeDigits,
    axis: () => "mean score of all pages",
    explain: () => "The mean score on the topic of all pages fetched so far.",
  },
];

/** The strategies of a published figure, by name; a preset is offered where each of them is found. */
const PRESETS = [
  {
    key: "2005-3", name: "2005 fig. 3–4", wants: [/^breadth-first$/, /^hard-focused$/, /^soft-focused$/],
    words: "As Somboonviwat, Tamura and Kitsuregawa (2005): figure 3, harvest rate and coverage of the simple strategy; figure 4, its queue size.",
  },
  {
    key: "2005-5", name: "2005 fig. 5–7", wants: [1, 2, 3, 4].map((n) => new RegExp(`^limited-distance\\(n=${n}(,prioritized)?\\)$`)),
    words: "As Somboonviwat, Tamura and Kitsuregawa (2005), figures 5 to 7: queue size, harvest rate and coverage " +
      "of limited distance, N = 1 to 4, non-prioritized and prioritized.",
  },
  {
    key: "2006-2", name: "2006 fig. 2–3", wants: [/^lswc\b/, /^perfect$/, /^breadth-first$/, /^hard-focused$/, /^soft-focused$/],
    words: "As Somboonviwat et al. (2006), figures 2 and 3: harvest rate and coverage of LSWC, the perfect strategy, " +
      "breadth-first, hard- and soft-focused.",
  },
  {
    key: "2015", name: "2015", wants: [/^fish\b/, /^shark\b/, /^opic\b/],
    words: "As Gogar (2015): relevant pages, sliding-window relevancy and overall relevancy of Fish, Shark and OPIC.",
  },
];

const PRINT_SIZE = { width: 680, height: 266 }; // 180 mm, what A4 leaves between its margins
const SAVED_SIZE = { width: 1040, height: 460 };
const LABEL_HEIGHT = 15;
const GOAL = "90"; // the coverage, in percent, by which strategies are compared

const lineStyles = assignLineStyles();
const sections = { experiment: [], groups: [], tasks: [], runs: [], analyses: [] }; // what is on the page and can be drawn anew
let printing = false;
let clips = 0; // clip paths need an id of their own in the whole document

start();

// ---------------------------------------------------------------------------------------- start

function start() {
  obeyHash();
  document.title = report.title;
  document.getElementById("brand").replaceChildren(report.title, make("small", {}, `version ${report.version}`));
  showThemeButton();
  showColophon();
  showOverview();
  showExperiment();
  showTasks();
  showRun(view.run);
  showAnalyses();
  showContents();
  window.addEventListener("beforeprint", () => showAllForPrint());
  window.addEventListener("afterprint", () => showAgainOnScreen());
  document.documentElement.dataset.ready = "yes";
}

/**
 * `#dark`, `#light`, `#log`, `#logy`, `#time`, `#bytes`, `#run=2` and `#group=2` (from 1) and
 * `#fig=2005-3`, joined by `&`, open the report in that state.
 */
function obeyHash() {
  for (const word of location.hash.slice(1).split("&")) {
    if (word === "dark" || word === "light") document.documentElement.dataset.theme = word;
    if (word === "log") view.xScale = "log";
    if (word === "logy") for (const figure of FIGURES) view.yLog.add(figure.key);
    if (word === "time" || word === "bytes") view.along = word;
    const [name, value] = word.split("=");
    if (name === "run") view.run = clamp(Number(value) - 1 || 0, 0, Math.max(0, report.runs.length - 1));
    if (name === "group") view.group = clamp(Number(value) - 1 || 0, 0, Math.max(0, experimentGroups().length - 1));
    const preset = PRESETS.find((one) => name === "fig" && one.key === value);
    if (preset) for (const result of allResults()) if (!inPreset(preset, result)) view.hidden.add(result.strategy);
  }
}

/** Everything in the report that a strategy was measured in; first what has the first choice of colours. */
function allResults() {
  return [
    ...experimentGroups().flatMap((group) => group.results ?? []),
    ...report.runs.flatMap((run) => run.results),
    ...(report.experiment?.sweeps ?? []).flatMap((sweep) => sweep.strategies ?? []),
  ];
}

/** Errors are counted on the root element, where a test can see them. */
function countErrors() {
  const root = document.documentElement;
  root.dataset.errors = "0";
  const count = () => (root.dataset.errors = String(Number(root.dataset.errors) + 1));
  window.addEventListener("error", count);
  window.addEventListener("unhandledrejection", count);
  const say = console.error;
  console.error = (...words) => {
    count();
    say.apply(console, words);
  };
}

function showThemeButton() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const label = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  prefersDark.addEventListener("change", label);
  label();
}

function showColophon() {
  document.getElementById("colophon").append(
    make("p", {}, "Harvest rate: relevant pages ÷ pages fetched. Coverage: relevant pages fetched ÷ relevant pages in the web space. " +
      "An oracle uses what it has not fetched: it bounds what a strategy can do and cannot be run on the live web. " +
      "The bound is not even a crawl: no order of fetches can lie above it."),
    make("p", {}, "Harvest rate, coverage and queue size are those of Somboonviwat, Tamura and Kitsuregawa (2005), figures 3 to 7, " +
      "and Somboonviwat et al. (2006), figures 2 and 3; distances and tables of the web space those of 2006, figure 1 and tables 2 and 3; " +
      "relevancy and the bow tie (figure 1) those of Gogar (2015)."),
  );
}

/** Where there is more than one part, the way to each of them. */
function showContents() {
  const parts = [
    ["experiment", "Experiment"], ["tasks", "Tasks"], ["overview", report.runs.length > 1 ? "Runs" : null],
    ["runs", report.runs.length === 1 ? "Run" : null], ["analyses", "Web space"],
  ].filter(([id, title]) => title && document.getElementById(id).childElementCount);
  if (parts.length < 2) return;
  document.getElementById("contents").append(...parts.map(([id, title]) => {
    const button = make("button", { type: "button", class: "link" }, title);
    button.addEventListener("click", () => document.getElementById(id).scrollIntoView());
    return button;
  }));
}

// ----------------------------------------------------------------------------------------- runs

function showRun(index) {
  view.run = index;
  view.zoom = null;
  fill("runs", report.runs.slice(index, index + 1).map(runSection));
  markChosenRun();
}

/** Puts sections into the element of that name in the place of those there. */
function fill(name, made) {
  sections[name] = made;
  document.getElementById(name).replaceChildren(...made.map((section) => section.element));
  for (const section of made) section.draw();
}

function redraw() {
  for (const section of Object.values(sections).flat()) section.draw();
}

/** One run from its finding to its manifest. Charts need their width, so they are drawn once attached. */
function runSection(run) {
  const legend = legendOf(run);
  const known = FIGURES.filter((figure) => figure.key !== "coverage" || knowsCoverage(run));
  const figures = [...topicFigures(run), ...known, ...timeFigures(run)].map((figure) => figureBlock(run, runFigure(figure)));
  const analysis = run.analysis ? analysisParts(run.analysis, `${run.label}`) : null;
  const element = make("section", { class: "run" },
    make("p", { class: "eyebrow" }, run.label),
    make("h1", { class: "finding" }, ...finding(run)),
    make("p", { class: "lede" }, ...lede(run)),
    make("div", {}, // the legend sticks to the top within this, not over the tables
      make("div", { class: "panel" }, runControls(run), presetRow(run), legend.element),
      make("div", { class: "figures" }, ...figures.map((figure) => figure.element))),
    ...resultsTable(run),
    ...loadTable(run),
    ...(analysis ? [make("h2", {}, "The web space"), ...analysis.parts] : []),
    make("div", { class: "facts" }, spaceFacts(run), switchFacts(run)),
    ...statisticsTable(run.statistics ?? []),
    make("details", {},
      make("summary", {}, "Manifest"),
      make("pre", {}, JSON.stringify(run.manifest ?? {}, null, 2))),
  );
  const draw = () => {
    legend.draw();
    for (const figure of figures) figure.draw();
    analysis?.draw();
  };
  return { element, draw };
}

/** A figure of a run: its curves are columns of the run's, or of what the figure makes of them. */
function runFigure(figure) {
  return {
    xAxis: (run) => runAxis(run, figure.along ?? view.along),
    curves: (run, axis) => run.results.map((result) => columnCurve(run, figure, result, axis)),
    rows: (run) => curveRows(run, figure),
    ...figure,
  };
}

/** On paper nothing can be chosen or unfolded, so every run and every manifest is there. */
function showAllForPrint() {
  printing = true;
  if (sections.groups.length) fill("groups", experimentGroups().map(groupSection));
  fill("runs", report.runs.map(runSection));
  for (const details of document.querySelectorAll("details")) details.open = true;
  redraw();
}

function showAgainOnScreen() {
  printing = false;
  const zoom = view.zoom;
  if (sections.groups.length) showGroup(view.group);
  showRun(view.run);
  view.zoom = zoom;
  redraw();
}

function showOverview() {
  if (report.runs.length < 2) return;
  const rows = report.runs.map((run, index) => {
    const { best, baseline } = rivals(run);
    const open = make("button", { type: "button" }, run.label);
    open.addEventListener("click", () => showRun(index));
    return make("tr", {},
      make("th", { scope: "row" }, open),
      make("td", {}, best ? make("span", { class: "strategy" }, best.strategy) : "–"),
      numberCell(best && atGoal(best), grouped),
      numberCell(baseline && atGoal(baseline), grouped),
      numberCell(best?.coverage, percent),
      numberCell(best?.area_share, percent));
  });
  const titles = ["Best strategy", `Fetched at ${GOAL}%`, "Breadth-first", "Coverage", "Of best oracle"];
  const head = make("tr", {},
    make("th", { scope: "col" }, "Run"),
    ...titles.map((title, i) => make("th", { scope: "col", class: i ? "number" : "" }, title)));
  const overview = document.getElementById("overview");
  overview.append(
    make("p", { class: "eyebrow" }, `${report.runs.length} runs`),
    make("div", { class: "scroll overview", tabindex: "0", role: "region", "aria-label": "Runs" },
      make("table", { class: "figures-table" }, make("thead", {}, head), make("tbody", {}, ...rows))),
  );
  overview.hidden = false;
}

function markChosenRun() {
  document.querySelectorAll("#overview tbody tr").forEach((row, index) => {
    row.classList.toggle("chosen", index === view.run);
    row.querySelector("button").setAttribute("aria-current", String(index === view.run));
  });
}

// -------------------------------------------------------------------------------------- finding

/** The strategies a crawler could use, the best of them, and the one everything is compared with. */
function rivals(run) {
  const usable = run.results.filter((result) => !result.oracle).sort(byMerit);
  return { usable, best: usable[0], baseline: usable.find(isBaseline) };
}

/** Fewest fetches at the goal first; those that never reach it after all others, by coverage. */
function byMerit(a, b) {
  const [atA, atB] = [atGoal(a) ?? Infinity, atGoal(b) ?? Infinity];
  if (atA !== atB) return atA - atB;
  return (b.coverage ?? 0) - (a.coverage ?? 0) || b.relevant - a.relevant || a.fetched - b.fetched;
}

function atGoal(result) {
  return result.pages_at_coverage[GOAL] ?? null;
}

function isBaseline(result) {
  return result.strategy.startsWith("breadth-first");
}

function strategyName(result) {
  return make("span", { class: "strategy" }, result.strategy);
}

/** The headline: what the data say, also when that is little. */
function finding(run) {
  const { usable, best, baseline } = rivals(run);
  if (!best) return ["No strategy but oracles was run."];
  const other = best === baseline ? usable[1] : baseline;
  return atGoal(best) === null ? furthest(best, other) : soonest(best, other);
}

function soonest(best, other) {
  const [needs, otherNeeds] = twoCounts(atGoal(best), other && atGoal(other));
  const start = [strategyName(best), ` finds ${GOAL}% of the relevant pages after ${needs} fetches`];
  if (!other) return [...start, "."];
  if (otherNeeds === null) return [...start, "; ", strategyName(other), ` ends at ${percent(other.coverage)}.`];
  const asMany = atGoal(best) === atGoal(other) ? "just as many" : otherNeeds;
  return [...start, "; ", strategyName(other), ` needs ${asMany}.`];
}

function furthest(best, other) {
  const [fetched, otherFetched] = twoCounts(best.fetched, other?.fetched);
  const start = [strategyName(best), ` finds ${found(best)} in ${fetched} fetches`];
  if (!other) return [...start, "."];
  const otherFound = other.coverage == null ? grouped(other.relevant) : percent(other.coverage);
  return [...start, "; ", strategyName(other), ` finds ${otherFound} in ${otherFetched}.`];
}

/** What a strategy found: a share where it is known how much there is, and a number otherwise. */
function found(result) {
  return result.coverage == null
    ? `${grouped(result.relevant)} relevant pages` : `${percent(result.coverage)} of the relevant pages`;
}

/** Whether it is known how many relevant pages there are: nobody counted those of an archive that was only crawled. */
function knowsCoverage(run) {
  return run.results.some((result) => result.coverage != null);
}

/** Short forms of two counts, unless short they would look equal and are not. */
function twoCounts(a, b) {
  const format = a !== b && b != null && compact(a) === compact(b) ? grouped : compact;
  return [format(a), b == null ? null : format(b)];
}

function lede(run) {
  const { space } = run;
  const crawls = run.results.filter((result) => !isBound(result)).length;
  const holds = knowsCoverage(run)
    ? `${space.name} has ${grouped(space.pages)} pages, ${grouped(space.ok_html)} of them OK HTML and ` +
      `${grouped(space.relevant)} relevant to ${run.target} (${percent(share(space.relevant, space.ok_html) ?? 0)} of the OK HTML). `
    : `How many pages of ${space.name} are relevant to ${run.target} was not counted, so coverage is not known. `;
  const from = run.seeds ? ` from ${grouped(run.seeds)} ${run.seeds === 1 ? "seed" : "seeds"}` : "";
  const sentences = [holds + `${crawls} ${crawls === 1 ? "strategy" : "strategies"} crawled it${from}.`];
  const oracle = run.results.filter((result) => isOracle(result) && atGoal(result) !== null).sort(byMerit)[0];
  if (oracle) sentences.push(` The oracle ${oracle.strategy} needs ${compact(atGoal(oracle))} fetches for ${GOAL}%.`);
  return [...sentences, ...shareOfOracle(run), ...timeFinding(run)];
}

function shareOfOracle(run) {
  const best = run.results.filter((result) => !result.oracle && result.area_share != null).sort((a, b) => b.area_share - a.area_share)[0];
  return best ? [` No strategy comes nearer to the best oracle than ${best.strategy}: ${percent(best.area_share)} of its area under the coverage curve.`] : [];
}

/** A crawl that uses what it has not fetched, unlike the bound, which is no crawl. */
function isOracle(result) {
  return Boolean(result.oracle) && !isBound(result);
}

function isBound(result) {
  return Boolean(result.bound);
}
