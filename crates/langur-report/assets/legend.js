// --------------------------------------------------------------------------- controls and legend

function runControls(run) {
  const row = make("div", { class: "controls" });
  if (report.runs.length > 1) row.append(make("label", {}, "Run", sectionSelect("runs", report.runs, view.run, showRun)));
  if (hasTime(run)) {
    row.append(make("span", { class: "labelled" }, "Against",
      choice("What the horizontal axis counts", mapValues(AXES, (axis) => axis.choice), view.along, (along) => {
        view.along = along;
        redraw();
      })));
  }
  row.append(scaleChoice(), resetZoomButton());
  return row;
}

function scaleChoice() {
  return make("span", { class: "labelled" }, "Horizontal axis",
    choice("Scale of the horizontal axis", { linear: "linear", log: "log" }, view.xScale, (scale) => {
      view.xScale = scale;
      // A redraw draws the charts; the same choice in another panel has to be told.
      syncChoices("Scale of the horizontal axis", scale);
      redraw();
    }));
}

function syncChoices(label, chosen) {
  for (const button of document.querySelectorAll(`.choice[aria-label="${label}"] button`)) {
    button.setAttribute("aria-pressed", String(button.dataset.value === chosen));
  }
}

/** A list of what can be shown in the place `name`, of which one is. */
function sectionSelect(name, members, chosen, show) {
  const select = make("select", {}, ...members.map((member, index) => make("option", { value: index }, member.label)));
  select.value = chosen;
  select.addEventListener("change", () => {
    show(Number(select.value));
    document.querySelector(`#${name} .controls select`).focus();
  });
  return select;
}

// -------------------------------------------------------------------------------------- presets

function inPreset(preset, result) {
  return preset.wants.some((name) => name.test(result.strategy));
}

/** Those published figures all of whose strategies are there. */
function presetsOf({ results }) {
  return PRESETS.filter(({ wants }) => wants.every((name) => results.some((result) => name.test(result.strategy))));
}

/** Buttons that show the strategies of a published figure and no others; pressed, whichever way it came about. */
function presetRow(subject) {
  const words = make("p", { class: "preset-words" });
  const all = { key: "all", name: "all", words: "", wants: [/^/] };
  const presets = [all, ...presetsOf(subject)];
  const buttons = presets.map((preset) => {
    const button = make("button", { type: "button", "data-preset": preset.key }, preset.name);
    button.addEventListener("click", () => {
      for (const { strategy } of subject.results) view.hidden.delete(strategy);
      for (const result of subject.results) if (!inPreset(preset, result)) view.hidden.add(result.strategy);
      redraw();
    });
    return button;
  });
  const row = make("div", { class: "presets" },
    make("span", { class: "controls" }, make("span", { class: "labelled" }, "Show",
      make("span", { class: "choice", role: "group", "aria-label": "Strategies of published figures" }, ...buttons))),
    words);
  row.mark = () => {
    const chosen = presets.find((preset) => subject.results.every((result) => isShown(result) === inPreset(preset, result)));
    presets.forEach((preset, i) => buttons[i].setAttribute("aria-pressed", String(preset === chosen)));
    words.textContent = chosen?.words ?? "";
    words.hidden = !chosen?.words;
  };
  return row;
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
    const button = make("button", { type: "button", "data-value": value, "aria-pressed": String(value === chosen) }, words);
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
    panel.querySelector(".presets").mark();
    panel.querySelector(".reset-zoom").hidden = view.zoom === null;
  };
  return { element, draw };
}

/** A double click is also two clicks, which undo each other; so the two gestures do not get in each other's way. */
function legendEntry(run, result) {
  const button = make("button", { type: "button", title: "click: hide or show · double click or shift: only this one" },
    lineSample(result), make("span", { class: "strategy" }, result.strategy), ...kindBadge(result));
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
  for (const chart of document.querySelectorAll(".chart")) {
    const parts = [...chart.querySelectorAll("[data-strategy]")];
    const fade = strategy !== null && !view.hidden.has(strategy) && parts.some((part) => part.dataset.strategy === strategy);
    for (const part of parts) part.classList.toggle("faded", fade && part.dataset.strategy !== strategy);
  }
}

// ---------------------------------------------------------------------------------- line styles

/**
 * One line style per strategy name, the same in every figure and every run. Breadth-first is grey,
 * the ground the others stand out from. Oracles are ink and dashed, and nothing else is dashed; a
 * bound is ink, thin and dotted. The rest take the hues in turn, and a marker for every time the
 * hues come round again.
 */
function assignLineStyles() {
  const styles = new Map();
  let coloured = 0;
  let oracles = 0;
  for (const result of allResults()) {
    if (styles.has(result.strategy)) continue;
    if (isBound(result)) {
      styles.set(result.strategy, { colour: "var(--ink)", dash: "bound", marker: "", turn: 0 });
    } else if (result.oracle) {
      const dash = ["oracle", "oracle second", "oracle third"][oracles++ % 3];
      styles.set(result.strategy, { colour: "var(--ink)", dash, marker: "", turn: 0 });
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

/** Curves that are no strategy's bring their style along. */
function styleOf(result) {
  return result.style ?? lineStyles.get(result.strategy);
}

function colourOf(result) {
  return `--series: ${styleOf(result).colour}`;
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
  const { dash, marker } = styleOf(result);
  parent.append(draw("path", { class: `stroke-sample ${dash}`, d: `M${from},${y}H${to}` }));
  if (marker) parent.append(draw("path", { class: "marker", d: markerPath(marker, (from + to) / 2, y) }));
}

/** "oracle" or "bound", if it is one. */
function kindOf(result) {
  if (isBound(result)) return "bound";
  return result.oracle ? "oracle" : "";
}

function kindBadge(result) {
  const kind = kindOf(result);
  return kind ? [make("span", { class: `badge ${kind}-badge` }, kind)] : [];
}

/** The name as it stands in a chart, where there are no badges. */
function chartName(result) {
  const kind = kindOf(result);
  return kind ? `${result.strategy} · ${kind}` : result.strategy;
}
