// ------------------------------------------------------------------------------ figures on screen

/** A figure with its caption, its buttons, its chart and what happens under the pointer. */
function figureBlock(run, figure) {
  const plot = make("div", { class: "plot" });
  const text = make("p", { class: "figure-text" });
  const tools = make("div", { class: "controls figure-tools" });
  const element = make("figure", {},
    make("figcaption", {}, make("div", {}, make("h2", { class: "figure-title" }, figure.title), text), tools),
    plot);
  const drawAll = () => {
    text.textContent = figure.explain(run);
    const chart = drawChart(run, figure, printing ? PRINT_SIZE : sizeOnScreen(plot));
    plot.replaceChildren(chart.svg);
    if (!printing) plot.append(...pointerLayers(chart));
  };
  if (figure.key === "harvest") tools.append(basisChoice(drawAll));
  tools.append(saveButton("SVG", () => saveSvg(run, figure)), saveButton("CSV", () => saveCsv(run, figure)));
  redrawOnNewWidth(plot, drawAll);
  return { element, draw: drawAll };
}

function sizeOnScreen(plot) {
  const width = Math.max(280, plot.clientWidth);
  return { width, height: Math.round(clamp(width * 0.42, 290, 450)) };
}

function basisChoice(drawAll) {
  return choice("Harvest over", { fetched: "all fetches", ok_html: "OK HTML" }, view.basis, (basis) => {
    view.basis = basis;
    drawAll();
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
    if (range && range[1] - range[0] > 8) zoomTo(range.map((pixel) => Math.max(0, chart.x.read(pixel))));
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
  const pages = chart.x.read(at.x);
  const readings = shown.map((curve) => readingAt(chart, curve, pages)).filter(Boolean).sort((a, b) => b.value - a.value);
  overlay.replaceChildren(draw("path", { class: "crosshair", d: `M${round(at.x)},${box.top}v${box.height}` }));
  for (const reading of readings.filter((one) => !one.ended)) {
    overlay.append(draw("circle", { class: "reading", r: 3.4, cx: round(at.x), cy: round(reading.y), style: colourOf(reading.result) }));
  }
  const running = readings.filter((reading) => !reading.ended);
  const nearest = running.toSorted((a, b) => Math.abs(a.y - at.y) - Math.abs(b.y - at.y))[0];
  readout.replaceChildren(make("table", {},
    make("caption", {}, `${grouped(Math.round(pages))} pages crawled`),
    make("tbody", {}, ...readings.map((reading) => readingRow(figure, reading, reading === nearest)))));
  readout.hidden = readings.length === 0;
  const leftHalf = at.x < box.left + box.width / 2;
  readout.style.left = share100(at.x + (leftHalf ? 16 : -16), chart.size.width);
  readout.style.transform = leftHalf ? "none" : "translateX(-100%)";
}

/** A curve's value at the crosshair; past its end the value it ended with. */
function readingAt({ y }, { result, ...curve }, pages) {
  if (curve.end === null || pages < curve.x[0]) return null;
  const ended = pages > curve.end;
  const value = ended ? curve.y.at(-1) : heightAt(curve, pages);
  return { result, value, ended, y: y.place(value) };
}

function readingRow(figure, { result, value, ended }, nearest) {
  const classes = [ended ? "ended" : "", nearest ? "nearest" : ""].filter(Boolean).join(" ");
  return make("tr", { class: classes },
    make("td", {}, lineSample(result)),
    make("td", {}, result.strategy + (ended ? ` (ended at ${compact(result.fetched)})` : "")),
    make("td", { class: "number" }, valueWords(figure, value)));
}

// --------------------------------------------------------------------------------------- saving

function saveButton(format, save) {
  const button = make("button", { type: "button", class: "quiet", title: `Save this figure as ${format}` }, format);
  button.addEventListener("click", save);
  return button;
}

/** The figure as a file of its own: drawn anew in light colours at a fixed size, with every style written into it. */
function saveSvg(run, figure) {
  const studio = make("div", { class: "studio" });
  document.body.append(studio);
  const { svg } = drawChart(run, figure, SAVED_SIZE, `${figure.title}, ${run.label}`);
  studio.append(svg);
  frame(svg, 20);
  for (const hidden of svg.querySelectorAll(".off")) hidden.remove();
  inlineStyles(svg);
  studio.remove();
  save(`${fileStem(run, figure)}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(svg));
}

/** White paper under the chart, and a margin around it. */
function frame(svg, margin) {
  const [width, height] = [SAVED_SIZE.width + 2 * margin, SAVED_SIZE.height + 2 * margin];
  svg.setAttribute("viewBox", `${-margin} ${-margin} ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.prepend(draw("rect", { x: -margin, y: -margin, width, height, fill: "white" }));
}

/** All styles are read before any is written, since parts inherit their colour from the group around them. */
function inlineStyles(svg) {
  const lines = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity"];
  const letters = ["fill", "font-family", "font-size", "font-weight"];
  const read = [...svg.querySelectorAll("path, circle, text")].map((part) => {
    const computed = getComputedStyle(part);
    const properties = part.tagName === "text" ? letters : lines;
    return { part, values: properties.map((property) => [property, computed.getPropertyValue(property)]) };
  });
  for (const styled of svg.querySelectorAll("[style]")) styled.removeAttribute("style");
  for (const { part, values } of read) {
    for (const [property, value] of values) part.setAttribute(property, value);
  }
}

function saveCsv(run, figure) {
  const columns = {
    harvest: ["fetched", "ok_html", "relevant", "harvest", "harvest_html"],
    coverage: ["fetched", "relevant", "coverage"],
    queue: ["fetched", "queue", "queue_max"],
  }[figure.key];
  const derived = {
    harvest: (curve, i) => sixDigits(share(curve.relevant[i], curve.fetched[i])),
    harvest_html: (curve, i) => sixDigits(share(curve.relevant[i], curve.ok_html[i])),
    coverage: (curve, i) => sixDigits(share(curve.relevant[i], run.space.relevant)),
  };
  const rows = run.results.flatMap(({ strategy, oracle, curve }) => curve.fetched.map((_, i) =>
    [strategy, oracle, ...columns.map((column) => (derived[column] ? derived[column](curve, i) : curve[column][i]))]));
  const lines = [["strategy", "oracle", ...columns], ...rows].map((row) => row.map(csvField).join(","));
  save(`${fileStem(run, figure)}.csv`, "text/csv", `${lines.join("\n")}\n`);
}

function sixDigits(value) {
  return value === null ? null : Number(value.toPrecision(6));
}

function csvField(value) {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function fileStem(run, figure) {
  const label = run.label.replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^-|-$/g, "");
  return `${label}-${figure.key}`;
}

function save(name, type, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  // The browser reads the address after this function has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
