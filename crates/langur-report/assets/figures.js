// ------------------------------------------------------------------------------ figures on screen

/** A figure of curves: its chart, its choices and what happens under the pointer. */
function figureBlock(subject, figure) {
  const block = frameBlock({
    key: figure.key, title: figure.title, label: subject.label,
    explain: () => figure.explain(subject),
    paint: (size, heading) => drawChart(subject, figure, size, heading),
    rows: () => figure.rows(subject),
  });
  const toolbar = block.element.querySelector(".figure-tools");
  const choices = [];
  if (figure.key === "harvest") choices.push(viewChoice("Harvest over", "basis", harvestChoices(subject)));
  if (figure.choose) choices.push(viewChoice(...figure.choose));
  if (figure.canLog) choices.push(yScaleChoice(figure));
  toolbar.prepend(...choices);
  return block;
}

/**
 * A figure with its caption, its buttons and whatever `paint` draws into it: the chart of
 * `drawChart`, or an object with an SVG alone.
 */
function frameBlock({ key, title, label, explain, paint, rows, heightFor }) {
  const plot = make("div", { class: "plot" });
  const text = make("p", { class: "figure-text" });
  const tools = make("div", { class: "controls figure-tools" },
    saveButton("SVG", () => saveSvg(`${fileStem(label)}-${key}`, (size, heading) => paint(fitted(size, heightFor), heading).svg, `${title}, ${label}`)),
    saveButton("CSV", () => saveCsv(`${fileStem(label)}-${key}`, rows())));
  const element = make("figure", { "data-block": key },
    make("figcaption", {}, make("div", {}, make("h2", { class: "figure-title" }, title), text), tools),
    plot);
  const drawAll = () => {
    const chart = paint(fitted(printing ? printSize(plot) : sizeOnScreen(plot), heightFor), "");
    text.textContent = `${explain()}${withoutCurve(chart)}`;
    plot.replaceChildren(chart.svg);
    if (!printing && chart.curves) plot.append(...pointerLayers(chart));
  };
  redrawOnNewWidth(plot, drawAll);
  return { element, draw: drawAll };
}

/** A bound has no time; who looks for its line is told. */
function withoutCurve({ shown, axis }) {
  const missing = (shown ?? []).filter((curve) => !curve.x.length).map((curve) => curve.result.strategy);
  return missing.length ? ` Not drawn, since it has no ${axis.title}: ${missing.join(", ")}.` : "";
}

/** Where a drawing says how high it is at a width, it is as high. */
function fitted(size, heightFor) {
  return heightFor ? { ...size, height: heightFor(size.width) } : size;
}

function sizeOnScreen(plot) {
  const width = Math.max(280, plot.clientWidth);
  return { width, height: Math.round(clamp(width * 0.42, 290, 450)) };
}

/** Two figures in a row are drawn half as wide, so that their letters come out as large as the others'. */
function printSize(plot) {
  return plot.closest(".pairs:not(.tornados)") ? { width: PRINT_SIZE.width / 2 - 12, height: 230 } : PRINT_SIZE;
}

/** A choice kept in `view[name]`, the same in every figure that offers it. */
function viewChoice(label, name, options) {
  return choice(label, options, view[name], (chosen) => {
    view[name] = chosen;
    syncChoices(label, chosen);
    redraw();
  });
}

function yScaleChoice(figure) {
  const chosen = view.yLog.has(figure.key) ? "log" : "linear";
  return choice(`Vertical axis of ${figure.key}`, { linear: "linear", log: "log y" }, chosen, (scale) => {
    if (scale === "log") view.yLog.add(figure.key);
    else view.yLog.delete(figure.key);
    syncChoices(`Vertical axis of ${figure.key}`, scale);
    redraw();
  });
}

function redrawOnNewWidth(plot, drawAll) {
  let width = null;
  new ResizeObserver(() => {
    const changed = width !== null && width !== plot.clientWidth;
    width = plot.clientWidth;
    if (changed && !printing) drawAll();
  }).observe(plot);
}

/** The crosshair, the readout, and zooming by dragging. */
function pointerLayers(chart) {
  const { box, size } = chart;
  const pointer = make("div", { class: "pointer" });
  Object.assign(pointer.style, {
    left: share100(box.left, size.width), width: share100(box.width, size.width),
    top: share100(box.top, size.height), height: share100(box.height, size.height),
  });
  const readout = make("div", { class: "readout", hidden: "" });
  const overlay = draw("g", {});
  chart.svg.append(overlay);
  let dragFrom = null;

  const inChart = (event) => {
    const frame = chart.svg.getBoundingClientRect();
    const scale = size.width / frame.width;
    return {
      x: clamp((event.clientX - frame.left) * scale, box.left, box.left + box.width),
      y: (event.clientY - frame.top) * scale,
    };
  };
  const clear = () => {
    overlay.replaceChildren();
    readout.hidden = true;
  };
  pointer.addEventListener("pointerdown", (event) => {
    dragFrom = inChart(event).x;
    pointer.setPointerCapture(event.pointerId);
    showReading(chart, inChart(event), overlay, readout);
  });
  pointer.addEventListener("pointermove", (event) => {
    const at = inChart(event);
    showReading(chart, at, overlay, readout);
    if (dragFrom !== null) overlay.prepend(selection(box, dragFrom, at.x));
  });
  pointer.addEventListener("pointerup", (event) => {
    const range = dragFrom === null ? null : [dragFrom, inChart(event).x].sort((a, b) => a - b);
    dragFrom = null;
    // Less is a click with an unsteady hand.
    if (range && range[1] - range[0] > 8) zoomTo({ axis: chart.axis.key, range: range.map((pixel) => Math.max(0, chart.x.read(pixel))) });
  });
  pointer.addEventListener("pointercancel", () => {
    dragFrom = null;
    clear();
  });
  pointer.addEventListener("pointerleave", clear);
  pointer.addEventListener("dblclick", () => zoomTo(null));
  return [pointer, readout];
}

function selection(box, from, to) {
  return draw("rect", { class: "selection", x: Math.min(from, to), width: Math.abs(to - from), y: box.top, height: box.height });
}

function showReading(chart, at, overlay, readout) {
  const { box, figure, shown } = chart;
  const along = chart.x.read(at.x);
  const readings = shown.map((curve) => readingAt(chart, curve, along)).filter(Boolean).sort((a, b) => b.value - a.value);
  overlay.replaceChildren(draw("path", { class: "crosshair", d: `M${round(at.x)},${box.top}v${box.height}` }));
  for (const reading of readings.filter((one) => !one.ended)) {
    overlay.append(draw("circle", { class: "reading", r: 3.4, cx: round(at.x), cy: round(reading.y), style: colourOf(reading.result) }));
  }
  const running = readings.filter((reading) => !reading.ended);
  const nearest = running.toSorted((a, b) => Math.abs(a.y - at.y) - Math.abs(b.y - at.y))[0];
  readout.replaceChildren(make("table", {},
    make("caption", {}, chart.axis.words(along)),
    make("tbody", {}, ...readings.map((reading) => readingRow(chart, reading, reading === nearest)))));
  readout.hidden = readings.length === 0;
  const leftHalf = at.x < box.left + box.width / 2;
  readout.style.left = share100(at.x + (leftHalf ? 16 : -16), chart.size.width);
  readout.style.transform = leftHalf ? "none" : "translateX(-100%)";
}

/** A curve's value at the crosshair; past its end the value it ended with. */
function readingAt(chart, curve, along) {
  const end = endOf(curve);
  if (end === null || along < curve.x[0]) return null;
  const ended = along > end;
  const read = (heights) => (ended ? heights.at(-1) : heightAt(chart, curve, along, heights));
  const value = read(curve.y);
  const interval = curve.high ? [read(curve.low), read(curve.high)] : null;
  return { result: curve.result, value, interval, ended, end, y: chart.y.place(value) };
}

function readingRow({ figure, axis }, { result, value, interval, ended, end }, nearest) {
  const classes = [ended ? "ended" : "", nearest ? "nearest" : ""].filter(Boolean).join(" ");
  return make("tr", { class: classes },
    make("td", {}, lineSample(result)),
    make("td", {}, result.strategy, ...kindBadge(result), ended && !figure.dots ? ` (ended at ${axis.tick(end)})` : ""),
    make("td", { class: "number" }, valueWords(figure, value)),
    ...(interval ? [make("td", { class: "number interval" }, interval.map((bound) => valueWords(figure, bound)).join("–"))] : []));
}

// --------------------------------------------------------------------------------------- saving

function saveButton(format, save) {
  const button = make("button", { type: "button", class: "quiet", title: `Save this figure as ${format}` }, format);
  button.addEventListener("click", save);
  return button;
}

/** The figure as a file of its own: drawn anew in light colours at a fixed size, with every style written into it. */
function saveSvg(stem, paint, heading) {
  save(`${stem}.svg`, "image/svg+xml", standalone(paint, heading));
}

function standalone(paint, heading) {
  const studio = make("div", { class: "studio" });
  document.body.append(studio);
  const svg = paint(SAVED_SIZE, heading);
  studio.append(svg);
  frame(svg, 20);
  for (const hidden of svg.querySelectorAll(".off")) hidden.remove();
  inlineStyles(svg);
  studio.remove();
  return new XMLSerializer().serializeToString(svg);
}

/** White paper under the chart, and a margin around it. */
function frame(svg, margin) {
  const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)) + 2 * margin);
  svg.setAttribute("viewBox", `${-margin} ${-margin} ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.prepend(draw("rect", { x: -margin, y: -margin, width, height, fill: "white" }));
}

/** All styles are read before any is written, since parts inherit their colour from the group around them. */
function inlineStyles(svg) {
  const lines = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "stroke-opacity", "opacity"];
  const letters = ["fill", "font-family", "font-size", "font-weight"];
  const read = [...svg.querySelectorAll("path, circle, ellipse, rect, text, tspan")].map((part) => {
    const computed = getComputedStyle(part);
    const properties = part.tagName.startsWith("t") ? letters : lines;
    return { part, values: properties.map((property) => [property, computed.getPropertyValue(property)]) };
  });
  for (const styled of svg.querySelectorAll("[style]")) styled.removeAttribute("style");
  for (const { part, values } of read) {
    for (const [property, value] of values) part.setAttribute(property, value);
  }
}

/** The columns behind a figure of a run, with time and bytes where the run has them. */
function curveRows(run, figure) {
  const own = {
    harvest: ["fetched", "ok_html", "relevant", "harvest", "harvest_html", "recent"],
    coverage: ["fetched", "relevant", "coverage"],
    queue: ["fetched", "queue", "queue_max"],
    idle: ["fetched", "busy_ms", "idle"],
    hosts: ["fetched", "parked", "hosts_waiting"],
    relevant: ["fetched", "relevant"],
    recent_relevancy: ["fetched", "recent_relevancy"],
    overall_relevancy: ["fetched", "overall_relevancy"],
  }[figure.key];
  const columns = hasTime(run) ? [...own, "time_ms", "bytes"] : own;
  const connections = connectionsOf(run);
  const derived = {
    harvest: (curve, i) => sixDigits(share(curve.relevant[i], curve.fetched[i])),
    harvest_html: (curve, i) => sixDigits(share(curve.relevant[i], curve.ok_html[i])),
    coverage: (curve, i) => sixDigits(share(curve.relevant[i], run.space.relevant)),
    idle: (curve, i) => (curve.time_ms ? sixDigits(idleShare(curve, connections, i)) : null),
  };
  const rows = run.results.flatMap((result) => result.curve.fetched.map((_, i) => [result.strategy, kindOf(result),
    ...columns.map((column) => (derived[column] ? derived[column](result.curve, i) : result.curve[column]?.[i]))]));
  return [["strategy", "kind", ...columns], ...rows];
}

/** What harvest can be over; the means of experiments know nothing of recent fetches. */
function harvestChoices(subject) {
  const keys = Object.keys(HARVEST).filter((key) => key !== "recent" || subject.results.some((result) => result.curve?.recent));
  return Object.fromEntries(keys.map((key) => [key, HARVEST[key].choice]));
}

/** The first row names the columns. */
function saveCsv(stem, rows) {
  save(`${stem}.csv`, "text/csv", `${rows.map((row) => row.map(csvField).join(",")).join("\n")}\n`);
}

function sixDigits(value) {
  return value == null ? null : Number(value.toPrecision(6));
}

function csvField(value) {
  const text = value == null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function fileStem(label) {
  return label.replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^-|-$/g, "");
}

function save(name, type, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  // The browser reads the address after this function has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
