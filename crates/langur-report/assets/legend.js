// --------------------------------------------------------------------------- controls and legend

function controls() {
  const row = make("div", { class: "controls" });
  if (report.runs.length > 1) row.append(make("label", {}, "Run", runSelect()));
  row.append(make("span", { class: "labelled" }, "Pages crawled",
    choice("Scale of the axis", { linear: "linear", log: "log" }, view.xScale, (scale) => {
      view.xScale = scale;
      redraw();
    })));
  const showAll = make("button", { type: "button", class: "quiet show-all" }, "Show all strategies");
  showAll.addEventListener("click", () => {
    view.hidden.clear();
    redraw();
  });
  row.append(showAll, resetZoomButton());
  return row;
}

function runSelect() {
  const select = make("select", {}, ...report.runs.map((run, index) => make("option", { value: index }, run.label)));
  select.value = view.run;
  select.addEventListener("change", () => {
    showRun(Number(select.value));
    document.querySelector(".controls select").focus();
  });
  return select;
}

function resetZoomButton() {
  const button = make("button", { type: "button", class: "quiet reset-zoom" }, "Reset zoom");
  button.addEventListener("click", () => zoomTo(null));
  return button;
}

function zoomTo(range) {
  view.zoom = range;
  redraw();
}

/** A few exclusive buttons in a row. `options` maps values to words. */
function choice(label, options, chosen, choose) {
  const buttons = Object.entries(options).map(([value, words]) => {
    const button = make("button", { type: "button", "aria-pressed": String(value === chosen) }, words);
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      choose(value);
    });
    return button;
  });
  return make("span", { class: "choice", role: "group", "aria-label": label }, ...buttons);
}

function legendOf(run) {
  const entries = run.results.map((result) => legendEntry(run, result));
  const element = make("ul", { class: "legend", "aria-label": "Strategies" },
    ...entries.map((button) => make("li", {}, button)));
  const draw = () => {
    run.results.forEach((result, i) => entries[i].setAttribute("aria-pressed", String(isShown(result))));
    const panel = element.closest(".panel");
    panel.querySelector(".show-all").hidden = !run.results.some((result) => !isShown(result));
    panel.querySelector(".reset-zoom").hidden = view.zoom === null;
  };
  return { element, draw };
}

/** A double click is also two clicks, which undo each other; so the two gestures do not get in each other's way. */
function legendEntry(run, result) {
  const button = make("button", { type: "button", title: "click: hide or show · double click or shift: only this one" },
    lineSample(result), make("span", { class: "strategy" }, result.strategy), ...oracleBadge(result));
  button.addEventListener("click", (event) => {
    if (event.shiftKey) showOnly(run, result);
    else toggle(result);
  });
  button.addEventListener("dblclick", () => showOnly(run, result));
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => emphasise(result.strategy));
  for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => emphasise(null));
  return button;
}

function isShown(result) {
  return !view.hidden.has(result.strategy);
}

function toggle(result) {
  if (!view.hidden.delete(result.strategy)) view.hidden.add(result.strategy);
  redraw();
}

/** Only this strategy; or all again, if it was the only one already. */
function showOnly(run, chosen) {
  const others = run.results.filter((result) => result !== chosen);
  const alone = isShown(chosen) && !others.some(isShown);
  view.hidden = new Set(alone ? [] : others.map((result) => result.strategy));
  redraw();
}

function emphasise(strategy) {
  const fade = strategy !== null && !view.hidden.has(strategy);
  for (const part of document.querySelectorAll(".chart [data-strategy]")) {
    part.classList.toggle("faded", fade && part.dataset.strategy !== strategy);
  }
}

// ---------------------------------------------------------------------------------- line styles

/**
 * One line style per strategy name, the same in every figure and every run. Breadth-first is grey,
 * the ground the others stand out from. Oracles are ink and dashed, and nothing else is dashed. The
 * rest take the hues in turn, and a marker for every time the hues come round again.
 */
function assignLineStyles() {
  const styles = new Map();
  let coloured = 0;
  let oracles = 0;
  for (const result of report.runs.flatMap((run) => run.results)) {
    if (styles.has(result.strategy)) continue;
    if (result.oracle) {
      styles.set(result.strategy, { colour: "var(--ink)", dash: oracles++ % 2 ? "oracle second" : "oracle", marker: "", turn: 0 });
    } else if (result.strategy === "breadth-first") {
      styles.set(result.strategy, { colour: "var(--baseline)", dash: "", marker: "", turn: 0 });
    } else {
      const marker = ["", "circle", "square", "triangle"][Math.floor(coloured / 7) % 4];
      styles.set(result.strategy, { colour: `var(--hue-${coloured % 7})`, dash: "", marker, turn: coloured % 7 });
      coloured++;
    }
  }
  return styles;
}

function colourOf(result) {
  return `--series: ${lineStyles.get(result.strategy).colour}`;
}

function markerPath(shape, x, y) {
  const outlines = {
    circle: "m-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z",
    square: "m-2.7,-2.7h5.4v5.4h-5.4z",
    triangle: "m0,-3.4l3.2,5.8h-6.4z",
  };
  return `M${round(x)},${round(y)}${outlines[shape]}`;
}

/** A short piece of a strategy's line, for legends and tables. */
function lineSample(result) {
  const svg = draw("svg", { class: "sample", width: 22, height: 10, viewBox: "0 0 22 10", "aria-hidden": "true", style: colourOf(result) });
  appendLineSample(svg, result, 0, 22, 5);
  return svg;
}

function appendLineSample(parent, result, from, to, y) {
  const { dash, marker } = lineStyles.get(result.strategy);
  parent.append(draw("path", { class: `stroke-sample ${dash}`, d: `M${from},${y}H${to}` }));
  if (marker) parent.append(draw("path", { class: "marker", d: markerPath(marker, (from + to) / 2, y) }));
}

function oracleBadge(result) {
  return result.oracle ? [make("span", { class: "badge" }, "oracle")] : [];
}
