// ------------------------------------------------------------------------------------------ tasks

function showTasks() {
  fill("tasks", (report.tasks ?? []).map(tasksSection));
}

/** Several tasks: means over them as curves, every task in a table, and means as numbers. */
function tasksSection(tasks) {
  const subject = { label: `${tasks.label} · mean of ${tasks.tasks.length} tasks`, results: tasks.means };
  const legend = legendOf(subject);
  const figures = RELEVANCY.filter(({ key }) => tasks.means.some((row) => row.curve[meanColumn(key)]?.length))
    .map((measure) => figureBlock(subject, taskFigure(measure, tasks.tasks.length)));
  const element = make("section", { class: "run" },
    make("p", { class: "eyebrow" }, `${tasks.label} · ${tasks.tasks.length} tasks`),
    make("h1", { class: "finding" }, ...tasksFinding(tasks)),
    make("p", { class: "lede" }, tasksLede(tasks)),
    make("div", {},
      make("div", { class: "panel" }, make("div", { class: "controls" }, scaleChoice(), resetZoomButton()), presetRow(subject), legend.element),
      make("div", { class: "figures" }, ...figures.map((figure) => figure.element))),
    ...tasksTable(tasks),
    ...meansTable(tasks));
  const drawAll = () => {
    legend.draw();
    for (const figure of figures) figure.draw();
  };
  return { element, draw: drawAll };
}

/** Where the curve of a mean has what the curve of a run has under another name. */
function meanColumn(key) {
  return { recent_relevancy: "recent", overall_relevancy: "overall" }[key] ?? key;
}

function taskFigure(measure, tasks) {
  const column = meanColumn(measure.key);
  return {
    ...measure,
    explain: () => `${measure.explain()} The mean of ${tasks} tasks; a crawl that ended stands as it ended.`,
    xAxis: (subject) => ({ ...runAxis(subject, "fetched"), key: "fetched by tasks" }),
    curves: (subject, axis) => subject.results.map((result) => curveOf(result, axis, result.curve.fetched, { mean: result.curve[column] })),
    rows: (subject) => [["strategy", "kind", "fetched", "mean"], ...subject.results.flatMap((result) =>
      (result.curve[column] ?? []).map((value, i) => [result.strategy, kindOf(result), result.curve.fetched[i], sixDigits(value)]))],
  };
}

function lastMean(row) {
  return row.relevant_at.at(-1);
}

/** The headline: who finds most on average, and who comes next. */
function tasksFinding(tasks) {
  const [best, next] = tasks.means.filter((row) => !row.oracle).sort((a, b) => lastMean(b) - lastMean(a));
  if (!best) return ["No strategy but oracles was run on every task."];
  const start = [strategyName(best), ` finds ${rounded(lastMean(best))} relevant pages in ${grouped(tasks.at.at(-1))} fetches, on average`];
  return next ? [...start, "; ", strategyName(next), ` finds ${rounded(lastMean(next))}.`] : [...start, "."];
}

function tasksLede({ tasks, in_order: inOrder }) {
  return `${tasks.length} tasks: ${tasks.map((task) => task.name).join(", ")}. In ${inOrder} of them the strategies come in the order of their means.`;
}

/** Relevant pages at the end: a row for each task, a column for each strategy. */
function tasksTable(tasks) {
  const results = (task) => tasks.means.map((mean) => task.results.find((result) => result.strategy === mean.strategy));
  const best = (task) => Math.max(...task.results.filter((result) => !result.oracle).map(lastMean));
  const rows = tasks.tasks.map((task) => {
    const open = make("button", { type: "button", class: "link" }, task.name);
    open.addEventListener("click", () => {
      showRun(task.run);
      document.getElementById("runs").scrollIntoView();
    });
    return make("tr", {}, make("th", { scope: "row" }, task.run == null ? task.name : open),
      make("td", {}, task.target), numberCell(task.relevant, grouped),
      ...results(task).map((result) => {
        const cell = numberCell(lastMean(result), grouped);
        cell.classList.toggle("best", !result.oracle && lastMean(result) === best(task));
        return cell;
      }));
  });
  const head = make("tr", {}, textHead("Task"), textHead("Target"), textHead("Relevant", { class: "number" }),
    ...tasks.means.map((mean) => textHead(chartName(mean), { class: "number" })));
  const foot = make("tr", {}, make("th", { scope: "row", colspan: 3 }, "Mean"), ...tasks.means.map((mean) => numberCell(lastMean(mean), grouped)));
  return tableBlock({
    key: "tasks", title: "Tasks", label: tasks.label,
    note: `Relevant pages after ${grouped(tasks.at.at(-1))} fetches. Bold: the most, oracles apart.`,
    table: make("table", { class: "figures-table" }, make("thead", {}, head), make("tbody", {}, ...rows), make("tfoot", {}, foot)),
    rows: () => [["task", "target", "relevant", ...tasks.means.map((mean) => mean.strategy)],
      ...tasks.tasks.map((task) => [task.name, task.target, task.relevant, ...results(task).map(lastMean)])],
  });
}

function meansTable(tasks) {
  const columns = [
    ...tasks.at.map((at, i) => ({
      key: `at ${at}`, title: compact(at), spanner: "Relevant pages after so many fetches", value: (r) => r.relevant_at[i], format: rounded, better: "high",
    })),
    { key: "coverage", title: "Coverage", value: (r) => r.coverage, format: percent, better: "high" },
    ...relevancyColumns(tasks.means),
    { key: "rank", title: "Rank", value: (r) => r.rank ?? null, format: (rank) => rank.toFixed(1), better: "low" },
  ];
  return sortableTable({
    key: "means", title: "Means over tasks", label: tasks.label, results: tasks.means, columns, order: (a, b) => lastMean(b) - lastMean(a),
    note: "Rank: the mean place by relevant pages, oracles apart. Bold: the best of a column, oracles apart.",
  });
}
