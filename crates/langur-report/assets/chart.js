// --------------------------------------------------------------------------------------- curves

/** A strategy's curve in a figure of a run, as points where the figure has a value. */
function columnCurve(run, figure, result, axis) {
  const values = (axis.column(result.curve) ?? []).map((_, i) => figure.value(run, result.curve, i));
  return curveOf(result, axis, axis.column(result.curve) ?? [], { mean: values });
}

/** A curve of `mean`, with a band from `low` to `high` where there is one. */
function curveOf(result, axis, along, { mean = [], low, high } = {}) {
  const banded = Boolean(low && high);
  const curve = { result, x: [], y: [], low: banded ? [] : null, high: banded ? [] : null };
  along.forEach((x, i) => {
    // Before the first fetch there is no rate, and on a logarithmic axis no place either.
    if (mean[i] == null || (x <= 0 && axis.log)) return;
    curve.x.push(x);
    curve.y.push(mean[i]);
    if (!banded) return;
    curve.low.push(low[i] ?? mean[i]);
    curve.high.push(high[i] ?? mean[i]);
  });
  return curve;
}

function endOf(curve) {
  return curve.x.length ? curve.x[curve.x.length - 1] : null;
}

/** The curve's height over `x`: between two points on the line as it is drawn; null where there is none. */
function heightAt({ x: xScale, y: yScale }, curve, x, heights = curve.y) {
  if (!curve.x.length || x < curve.x[0] || x > endOf(curve)) return null;
  const i = firstIndexFrom(curve.x, x);
  if (curve.x[i] === x) return heights[i];
  const [before, after] = [xScale.bend(curve.x[i - 1]), xScale.bend(curve.x[i])];
  const along = (xScale.bend(x) - before) / (after - before);
  const [from, to] = [yScale.bend(heights[i - 1]), yScale.bend(heights[i])];
  return yScale.unbend(from + along * (to - from));
}

/** The first index of ascending `values` that holds at least `bound`. */
function firstIndexFrom(values, bound) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The curve's last visible point, and whether the crawl ended there rather than the window. */
function lastPoint(chart, curve) {
  const [from, to] = chart.window;
  const end = endOf(curve);
  if (end === null || end < from) return null;
  const x = Math.min(end, to);
  const y = heightAt(chart, curve, x);
  return y === null ? null : { x, y, ended: end < to - (to - from) * 0.004 };
}

function meanHeight(curve) {
  return curve.y.reduce((sum, y) => sum + y, 0) / Math.max(1, curve.y.length);
}

// --------------------------------------------------------------------------------------- scales

/** The x axis of curves that have a column for it, from zero to where the last of them ends. */
function runAxis({ results }, key) {
  const columns = results.map((result) => AXES[key].column(result.curve)).filter((column) => column?.length);
  // A run without time has its pages all the same.
  if (!columns.length && key !== "fetched") return runAxis({ results }, "fetched");
  const whole = [0, Math.max(1, ...columns.map((column) => column.at(-1)))];
  const first = Math.min(...columns.map((column) => column.find((x) => x > 0) ?? Infinity));
  return { ...AXES[key], log: view.xScale === "log", whole, first };
}

/** The window on the x axis. A logarithmic axis begins at the first point sampled, not at zero. */
function xWindow(axis) {
  const [from, to] = view.zoom?.axis === axis.key ? view.zoom.range : axis.whole;
  return axis.log ? [Math.max(from, Math.min(axis.first, to / 10)), to] : [from, to];
}

/** What an axis is straight in: its numbers, or their logarithm. Nothing lies below a logarithm's floor. */
function bending(log, floor = 0) {
  const identity = (value) => value;
  return log ? { bend: (value) => Math.log10(Math.max(value, floor)), unbend: (value) => 10 ** value } : { bend: identity, unbend: identity };
}

function xScaleFor(axis, [from, to], left, width) {
  const { bend, unbend } = bending(axis.log, from);
  const span = bend(to) - bend(from) || 1;
  const ticksFor = axis.ticksFor ?? ((start, end, count) => (axis.log ? logTicks(start, end) : linearTicks(start, end, count)));
  return {
    bend, unbend,
    place: (x) => left + ((bend(x) - bend(from)) / span) * width,
    read: (pixel) => unbend(bend(from) + ((pixel - left) / width) * span),
    ticks: ticksFor(from, to, width / 85, axis.log),
  };
}

/** From zero to a round number above what is visible; a logarithmic axis from a round number below. */
function yScaleFor(curves, figure, x, window, top, height) {
  const log = isLogY(figure);
  const [least, most] = extremesIn(curves, x, window);
  const highest = most || (figure.percent ? 1 : 10);
  const step = niceStep(highest, height / 45);
  const roof = log ? roundAbove(highest) : Math.ceil(highest / step - 1e-9) * step;
  const floor = log ? Math.min(roundBelow(Math.max(least, highest / 1e8)), roof / 10) : 0;
  const { bend, unbend } = bending(log, floor);
  return {
    bend, unbend, log,
    place: (y) => top + height - ((bend(y) - bend(floor)) / (bend(roof) - bend(floor))) * height,
    ticks: log ? logTicks(floor, roof) : multiples(step, 0, roof),
  };
}

function isLogY(figure) {
  return figure.alwaysLog || view.yLog.has(figure.key);
}

/**
 * The least value above zero and the highest inside the window. A rate over the first few fetches is
 * noise, near 0 or 100% by chance; on a linear axis it has no width, so it does not decide the height either.
 */
function extremesIn(curves, x, [from, to]) {
  const start = x.bend(100) === 100 ? from + (to - from) * 0.005 : from;
  let [least, highest] = [Infinity, 0];
  const see = (value) => {
    highest = Math.max(highest, value ?? 0);
    if (value > 0) least = Math.min(least, value);
  };
  const scales = { x, y: bending(false) };
  for (const curve of curves) {
    for (const heights of curve.high ? [curve.low, curve.high] : [curve.y]) {
      for (let i = firstIndexFrom(curve.x, start); i < curve.x.length && curve.x[i] <= to; i++) see(heights[i]);
      see(heightAt(scales, curve, start, heights));
      see(heightAt(scales, curve, to, heights));
    }
  }
  return [least === Infinity ? highest : least, highest];
}

/** The nearest of 1, 2, 5, 10, 20, 50 and so on that is no smaller. */
function roundAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((factor) => power * factor >= value * 0.999);
}

function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [5, 2, 1].find((factor) => power * factor <= value * 1.001);
}

function niceStep(span, count) {
  const rough = span / Math.max(2, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 2.5, 5, 10].find((factor) => power * factor >= rough * 0.999);
}

function linearTicks(from, to, count) {
  return multiples(niceStep(to - from, count), from, to);
}

function multiples(step, from, to) {
  const found = [];
  const last = Math.floor(to / step + 1e-9);
  // Adding 0 makes a plain zero of a negative one, which would be written "-0".
  for (let i = Math.ceil(from / step - 1e-9); i <= last; i++) found.push(i * step + 0);
  return found;
}

/** Powers of ten; also twice and five times, if there would be only a few. */
function logTicks(from, to) {
  const ticks = [];
  const factors = Math.log10(to / from) < 3 ? [1, 2, 5] : [1];
  for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10) {
    ticks.push(...factors.map((factor) => factor * power).filter((tick) => tick >= from * 0.999 && tick <= to));
  }
  return ticks;
}

// --------------------------------------------------------------------------------------- charts

/** Draws one figure of a subject. Returns the SVG and what is needed to answer the pointer. */
function drawChart(subject, figure, size, heading = "") {
  const axis = figure.xAxis(subject);
  const window = xWindow(axis);
  const curves = figure.curves(subject, axis, window);
  const shown = curves.filter((curve) => isDrawn(figure, curve.result));
  const gutter = gutterWidth(shown, size);
  // A figure without a legend beside it brings its own where there is no gutter for names.
  const key = figure.dots && gutter < 40 ? keyOf(shown, size.width) : null;
  const top = (heading ? 58 : 30) + (key?.height ?? 0);
  const box = { left: 46, top, width: size.width - 46 - gutter, height: size.height - top - 42 };
  const x = xScaleFor(axis, window, box.left, box.width);
  const y = yScaleFor(shown, figure, x, window, box.top, box.height);
  const chart = { subject, figure, axis, size, box, window, x, y, curves, shown };

  const title = `${figure.title} against ${axis.title}, ${subject.label}`;
  chart.svg = draw("svg", {
    class: "chart", role: "img", "aria-label": `${title}. ${spokenEnds(chart)}`,
    width: size.width, height: size.height, viewBox: `0 0 ${size.width} ${size.height}`,
  });
  chart.svg.append(draw("title", {}, title));
  if (heading) chart.svg.append(draw("text", { class: "heading", x: 0, y: 16 }, heading));
  if (key) chart.svg.append(draw("g", { transform: `translate(0 ${heading ? 28 : 0})` }, ...key.parts));
  appendAxes(chart);
  appendCurves(chart);
  appendLabels(chart, gutter);
  return chart;
}

function isDrawn(figure, result) {
  return isShown(result) && !figure.omits?.(result);
}

/** What a reader who cannot see the curves most wants to know: where they end. */
function spokenEnds(chart) {
  const ends = chart.shown
    .map((curve) => ({ name: chartName(curve.result), last: lastPoint(chart, curve) }))
    .filter((end) => end.last)
    .sort((a, b) => b.last.y - a.last.y)
    .map(({ name, last }) => `${name} ${valueWords(chart.figure, last.y)} at ${chart.axis.tick(Math.round(last.x * 1000) / 1000)}`);
  return ends.length ? `At the right end: ${ends.join("; ")}.` : "No strategy is shown.";
}

function appendAxes({ svg, size, box, axis, x, y, figure }) {
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const axes = draw("g", {});
  for (const tick of y.ticks) {
    const at = round(y.place(tick));
    if (at < bottom) axes.append(draw("path", { class: "gridline", d: `M${box.left},${at}H${right}` }));
    axes.append(draw("text", { x: box.left - 8, y: at, dy: "0.35em", "text-anchor": "end" }, tickWords(figure, tick)));
  }
  for (const tick of x.ticks) {
    const at = round(x.place(tick));
    axes.append(draw("path", { class: "axis", d: `M${at},${bottom}v5` }));
    const words = axis.tick(tick);
    const middle = Math.min(at, size.width - textWidth(words) / 2); // the last may be a long word at the very edge
    axes.append(draw("text", { x: round(middle), y: bottom + 19, "text-anchor": "middle" }, words));
  }
  axes.append(
    draw("path", { class: "axis", d: `M${box.left},${bottom}H${right}` }),
    draw("text", { x: 0, y: box.top - 16 }, y.log ? `${figure.axis()}, logarithmic` : figure.axis()),
    draw("text", { x: right, y: bottom + 37, "text-anchor": "end" }, axis.log ? `${axis.title}, logarithmic` : axis.title),
  );
  svg.append(axes);
}

function appendCurves(chart) {
  const { svg, box, figure, curves } = chart;
  // Room for the thickness of a line that runs along the edge, or for a dot on it.
  const room = figure.dots ? 5 : 1;
  const clip = draw("clipPath", { id: `clip-${++clips}` },
    draw("rect", { x: box.left - room, y: box.top - room - 1, width: box.width + 2 * room, height: box.height + 2 * room + 2 }));
  const lines = draw("g", { "clip-path": `url(#clip-${clips})` });
  // Bands lie under all lines, or a wide one would hide a neighbour.
  for (const curve of chart.shown.filter((one) => one.high)) {
    lines.append(draw("path", { class: "band", d: bandPath(chart, curve), style: colourOf(curve.result), "data-strategy": curve.result.strategy }));
  }
  // The strategies listed first are drawn last: on top of the others.
  for (const curve of curves.toReversed()) {
    const { result } = curve;
    const drawn = isDrawn(figure, result);
    const classes = ["curve", styleOf(result).dash, drawn ? "" : "off"].filter(Boolean);
    lines.append(draw("path", {
      class: classes.join(" "), d: curvePath(chart, curve), style: colourOf(result),
      "data-strategy": result.strategy, "data-figure": figure.key,
    }));
    if (drawn) lines.append(...curveMarks(chart, curve));
  }
  svg.append(draw("defs", {}, clip), lines);
}

/** The points inside the window and one more on either side. */
function pathPoints({ x, y, window }, curve, heights) {
  const from = Math.max(0, firstIndexFrom(curve.x, window[0]) - 1);
  const to = firstIndexFrom(curve.x, window[1]) + 1;
  return curve.x.slice(from, to).map((value, i) => `${round(x.place(value))},${round(y.place(heights[from + i]))}`);
}

function curvePath(chart, curve) {
  const points = pathPoints(chart, curve, curve.y);
  return points.length ? `M${points.join("L")}` : "";
}

function bandPath(chart, curve) {
  const outline = [...pathPoints(chart, curve, curve.high), ...pathPoints(chart, curve, curve.low).reverse()];
  return outline.length ? `M${outline.join("L")}Z` : "";
}

/**
 * Markers at even distances, shifted from strategy to strategy so that they do not meet, or at the
 * points themselves where these are few; and a dot where a crawl ended.
 */
function curveMarks(chart, curve) {
  const { box, figure, x, y } = chart;
  const { marker, turn } = styleOf(curve.result);
  const common = { style: colourOf(curve.result), "data-strategy": curve.result.strategy };
  const marks = [];
  if (figure.dots) return curve.x.map((at, i) => dot(x.place(at), y.place(curve.y[i]), marker, common));
  const spacing = box.width / 7;
  for (let at = box.left + spacing * (0.2 + turn / 9); marker && at < box.left + box.width; at += spacing) {
    const height = heightAt(chart, curve, x.read(at));
    if (height !== null) marks.push(draw("path", { class: "marker", d: markerPath(marker, at, y.place(height)), ...common }));
  }
  const last = lastPoint(chart, curve);
  if (last?.ended) marks.push(dot(x.place(last.x), y.place(last.y), "", common));
  return marks;
}

function dot(x, y, marker, attributes) {
  if (marker) return draw("path", { class: "marker", d: markerPath(marker, x, y), ...attributes });
  return draw("circle", { class: "curve-end", r: 3.2, cx: round(x), cy: round(y), ...attributes });
}

// ----------------------------------------------------------------------------------- end labels

/** Room for the longest name on the right; none on a small screen, where the legend has to do. */
function gutterWidth(shown, size) {
  if (size.width < 540) return 14;
  const longest = Math.max(0, ...shown.filter((curve) => curve.x.length).map((curve) => textWidth(chartName(curve.result))));
  return Math.min(longest + 46, size.width * 0.34);
}

/** Samples and names of curves in rows as wide as the chart. */
function keyOf(shown, width) {
  const parts = [];
  let [left, row] = [0, 0];
  for (const { result } of shown) {
    const name = chartName(result);
    const wide = 28 + textWidth(name) + 16;
    if (left && left + wide > width) [left, row] = [0, row + 1];
    const entry = draw("g", { "data-strategy": result.strategy, style: colourOf(result) });
    appendLineSample(entry, result, left, left + 22, 6 + row * 16);
    entry.append(draw("text", { class: "end-label", x: left + 28, y: 6 + row * 16, dy: "0.35em" }, name));
    parts.push(entry);
    left += wide;
  }
  return { parts, height: (row + 1) * 16 + 4 };
}

/** Names at the ends of the lines: beside the end of a crawl that stopped early if there is room, else in the gutter. */
function appendLabels(chart, gutter) {
  if (gutter < 40) return;
  const ends = chart.shown
    .map((curve) => ({ curve, last: lastPoint(chart, curve) }))
    .filter((end) => end.last)
    .map((end) => ({ ...end, x: chart.x.place(end.last.x), y: chart.y.place(end.last.y) }));
  const taken = [];
  const inside = ends.filter((end) => end.last.ended && placeInside(chart, end, taken));
  appendGutterLabels(chart, ends.filter((end) => !inside.includes(end)));
}

/** Tries the places around the end of a line; writes the name into the first that nothing else crosses. */
function placeInside(chart, end, taken) {
  const name = chartName(end.curve.result);
  const width = textWidth(name);
  const candidates = [[8, 0], [8, -11], [8, 12], [-width / 2, -14], [-width / 2, 15]]
    .map(([dx, dy]) => ({ left: end.x + dx, middle: end.y + dy, width }));
  const free = candidates.find((place) => isFree(chart, place, taken));
  if (!free) return false;
  taken.push(free);
  chart.svg.append(draw("text", {
    class: "end-label", x: round(free.left), y: round(free.middle), dy: "0.35em", "data-strategy": end.curve.result.strategy,
  }, name));
  return true;
}

function isFree(chart, place, taken) {
  const { box, shown } = chart;
  const [left, right] = [place.left - 2, place.left + place.width + 2];
  const [top, bottom] = [place.middle - LABEL_HEIGHT / 2, place.middle + LABEL_HEIGHT / 2];
  const within = left >= box.left && right <= box.left + box.width && top >= box.top && bottom <= box.top + box.height;
  const meets = (other) => Math.abs(other.middle - place.middle) < LABEL_HEIGHT &&
    left < other.left + other.width && other.left < right;
  return within && !taken.some(meets) && !shown.some((curve) => crosses(chart, curve, { left, right, top, bottom }));
}

/** Whether a curve passes through a rectangle: it may also jump through it between two steps. */
function crosses(chart, curve, { left, right, top, bottom }) {
  let before = null;
  const end = endOf(curve);
  for (let at = left; at <= right; at += 4) {
    // A line that ends before the next step may fall steeply until it does.
    const along = chart.x.read(at);
    const height = heightAt(chart, curve, before === null ? along : Math.min(along, end));
    const now = height === null ? null : chart.y.place(height);
    if (now !== null && Math.min(now, before ?? now) < bottom && Math.max(now, before ?? now) > top) return true;
    before = now;
  }
  return false;
}

/**
 * Names in the gutter, as near to their lines as the others let them. Lines that end together, as
 * all do that crawl the whole web, are listed in the order in which they ran.
 */
function appendGutterLabels({ svg, box, size }, ends) {
  const levelOf = (end) => Math.round(end.y / 8);
  ends.sort((a, b) => levelOf(a) - levelOf(b) || meanHeight(b.curve) - meanHeight(a.curve));
  const [top, bottom] = [box.top - 8, box.top + box.height + 16];
  const gap = Math.min(LABEL_HEIGHT, (bottom - top) / ends.length);
  // Names on top of each other help nobody; the legend has them all.
  if (gap < 11) return;
  const right = box.left + box.width;
  const places = spreadApart(ends.map((end) => end.y), gap, top, bottom);
  ends.forEach((end, i) => {
    const { result } = end.curve;
    const at = round(places[i]);
    const label = draw("g", { "data-strategy": result.strategy, style: colourOf(result) });
    if (!end.last.ended) {
      label.append(draw("path", { class: "leader", d: `M${right},${round(end.y)}C${right + 8},${round(end.y)} ${right + 6},${at} ${right + 14},${at}` }));
    }
    appendLineSample(label, result, right + 14, right + 32, at);
    const name = shortened(chartName(result), size.width - right - 40);
    label.append(draw("text", { class: "end-label", x: right + 38, y: at, dy: "0.35em" }, name));
    svg.append(label);
  });
}

/**
 * Positions nearest to those wanted (ascending), in the same order and at least `gap` apart:
 * isotonic regression by pooling neighbours, after taking the gaps out.
 */
function spreadApart(wanted, gap, top, bottom) {
  const pools = [];
  wanted.forEach((position, i) => {
    pools.push({ sum: position - i * gap, count: 1 });
    const mean = (pool) => pool.sum / pool.count;
    while (pools.length > 1 && mean(pools.at(-2)) > mean(pools.at(-1))) {
      const last = pools.pop();
      pools.at(-1).sum += last.sum;
      pools.at(-1).count += last.count;
    }
  });
  const lowest = bottom - (wanted.length - 1) * gap;
  const packed = pools.flatMap((pool) => Array(pool.count).fill(clamp(pool.sum / pool.count, Math.min(top, lowest), lowest)));
  return packed.map((position, i) => position + i * gap);
}

function textWidth(text) {
  textWidth.pen ??= document.createElement("canvas").getContext("2d");
  textWidth.pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return textWidth.pen.measureText(text).width;
}

function shortened(name, width) {
  if (textWidth(name) <= width) return name;
  let kept = name.length;
  while (kept > 1 && textWidth(`${name.slice(0, kept)}…`) > width) kept--;
  return `${name.slice(0, kept)}…`;
}
