// The report's figures and tables, drawn from the JSON in #data.
//
// A chart is a pure function of a run, a figure, the view and a size (`drawChart`): the screen, the
// printer and the saved SVG call it with different sizes. What the reader can change is all in
// `view`; every change ends in a redraw. Text from the data only ever becomes text nodes.

countErrors();

const report = JSON.parse(document.getElementById("data").textContent);

const view = {
  run: 0,
  hidden: new Set(), // names of strategies, so that they stay hidden in the next run
  xScale: "linear", // or "log"
  basis: "fetched", // what harvest divides by: "fetched" or "ok_html"
  zoom: null, // [from, to] in pages crawled
  sort: { column: "at 90", descending: false },
};

const FIGURES = [
  {
    key: "harvest",
    title: "Harvest rate",
    percent: true,
    axis: () => (view.basis === "fetched" ? "relevant ÷ fetched" : "relevant ÷ OK HTML"),
    explain: () =>
      `The share of relevant pages among the ${view.basis === "fetched" ? "pages" : "OK HTML pages"} fetched so far.`,
    value: (run, curve, i) => share(curve.relevant[i], curve[view.basis][i]),
  },
  {
    key: "coverage",
    title: "Coverage",
    percent: true,
    axis: () => "share of the relevant pages found",
    explain: (run) => `The share found so far of the ${grouped(run.space.relevant)} relevant pages in the web space.`,
    value: (run, curve, i) => share(curve.relevant[i], run.space.relevant),
  },
  {
    key: "queue",
    title: "Queue size",
    percent: false,
    axis: () => "pages waiting",
    // A sampled queue would cut off its peaks, and the table's largest queue would not be in the figure.
    explain: () => "Pages found and not yet fetched; the largest number since the previous point.",
    value: (run, curve, i) => curve.queue_max[i],
  },
];

const PRINT_SIZE = { width: 680, height: 266 }; // 180 mm, what A4 leaves between its margins
const SAVED_SIZE = { width: 1040, height: 460 };
const LABEL_HEIGHT = 15;
const GOAL = "90"; // the coverage, in percent, by which strategies are compared

const lineStyles = assignLineStyles();
let sections = [];
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
  showRun(view.run);
  window.addEventListener("beforeprint", () => showAllForPrint());
  window.addEventListener("afterprint", () => showAgainOnScreen());
  document.documentElement.dataset.ready = "yes";
}

/** `#dark`, `#light`, `#log` and `#run=2` (from 1), joined by `&`, open the report in that state. */
function obeyHash() {
  for (const word of location.hash.slice(1).split("&")) {
    if (word === "dark" || word === "light") document.documentElement.dataset.theme = word;
    if (word === "log") view.xScale = "log";
    const run = /^run=(\d+)$/.exec(word);
    if (run) view.run = clamp(Number(run[1]) - 1, 0, report.runs.length - 1);
  }
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
      "An oracle uses what it has not fetched: it bounds what a strategy can do and cannot be run on the live web."),
    make("p", {}, "The three figures are those of Somboonviwat, Tamura and Kitsuregawa (2005), figures 3 to 7."),
  );
}

// ----------------------------------------------------------------------------------------- runs

function showRun(index) {
  view.run = index;
  view.zoom = null;
  sections = report.runs.length ? [runSection(report.runs[index])] : [];
  document.getElementById("runs").replaceChildren(...sections.map((section) => section.element));
  redraw();
  markChosenRun();
}

function redraw() {
  for (const section of sections) section.draw();
}

/** One run from its finding to its manifest. Charts need their width, so they are drawn once attached. */
function runSection(run) {
  const legend = legendOf(run);
  const figures = FIGURES.map((figure) => figureBlock(run, figure));
  const results = resultsTable(run);
  const element = make("section", { class: "run" },
    make("p", { class: "eyebrow" }, run.label),
    make("h1", { class: "finding" }, ...finding(run)),
    make("p", { class: "lede" }, ...lede(run)),
    make("div", {}, // the legend sticks to the top within this, not over the tables
      make("div", { class: "panel" }, controls(), legend.element),
      make("div", { class: "figures" }, ...figures.map((figure) => figure.element))),
    ...results,
    make("div", { class: "facts" }, spaceFacts(run), switchFacts(run)),
    ...statisticsTable(run.statistics ?? []),
    make("details", {},
      make("summary", {}, "Manifest"),
      make("pre", {}, JSON.stringify(run.manifest ?? {}, null, 2))),
  );
  const draw = () => {
    legend.draw();
    for (const figure of figures) figure.draw();
  };
  return { element, draw };
}

/** On paper nothing can be chosen or unfolded, so every run and every manifest is there. */
function showAllForPrint() {
  printing = true;
  sections = report.runs.map(runSection);
  document.getElementById("runs").replaceChildren(...sections.map((section) => section.element));
  for (const details of document.querySelectorAll("details")) details.open = true;
  redraw();
}

function showAgainOnScreen() {
  printing = false;
  const zoom = view.zoom;
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
      numberCell(best?.coverage, percent));
  });
  const titles = ["Best strategy", `Fetched at ${GOAL}%`, "Breadth-first", "Coverage"];
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
  return b.coverage - a.coverage || a.fetched - b.fetched;
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
  const start = [strategyName(best), ` finds ${percent(best.coverage)} of the relevant pages in ${fetched} fetches`];
  if (!other) return [...start, "."];
  return [...start, "; ", strategyName(other), ` finds ${percent(other.coverage)} in ${otherFetched}.`];
}

/** Short forms of two counts, unless short they would look equal and are not. */
function twoCounts(a, b) {
  const format = a !== b && b != null && compact(a) === compact(b) ? grouped : compact;
  return [format(a), b == null ? null : format(b)];
}

function lede(run) {
  const { space } = run;
  const sentences = [
    `${space.name} has ${grouped(space.pages)} pages, ${grouped(space.ok_html)} of them OK HTML and ` +
      `${grouped(space.relevant)} relevant to ${run.target} (${percent(share(space.relevant, space.ok_html) ?? 0)} of the OK HTML). ` +
      `${run.results.length} ${run.results.length === 1 ? "strategy" : "strategies"} crawled it from ` +
      `${grouped(run.seeds)} ${run.seeds === 1 ? "seed" : "seeds"}.`,
  ];
  const oracle = run.results.filter((result) => result.oracle && atGoal(result) !== null).sort(byMerit)[0];
  if (oracle) sentences.push(` The oracle ${oracle.strategy} needs ${compact(atGoal(oracle))} fetches for ${GOAL}%.`);
  return sentences;
}
