// --------------------------------------------------------------------------------------- curves

/** A strategy's curve in a figure, as points where the figure has a value. */
function curveOf(run, figure, result) {
  const x = [];
  const y = [];
  result.curve.fetched.forEach((fetched, i) => {
    const value = figure.value(run, result.curve, i);
    // Before the first fetch there is no rate, and on a logarithmic axis no place either.
    if (value === null || (fetched === 0 && view.xScale === "log")) return;
    x.push(fetched);
    y.push(value);
  });
  return { result, x, y, end: x.length ? x[x.length - 1] : null };
}

/** The curve's height over `x`: between two points on the line as it is drawn; null where there is none. */
function heightAt(curve, x) {
  if (curve.end === null || x < curve.x[0] || x > curve.end) return null;
  const i = firstIndexFrom(curve.x, x);
  if (curve.x[i] === x) return curve.y[i];
  const [before, after] = [bend(curve.x[i - 1]), bend(curve.x[i])];
  const along = (bend(x) - before) / (after - before);
  return curve.y[i - 1] + along * (curve.y[i] - curve.y[i - 1]);
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
function lastPoint(curve, [from, to]) {
  if (curve.end === null || curve.end < from) return null;
  const x = Math.min(curve.end, to);
  return { x, y: heightAt(curve, x), ended: curve.end < to - (to - from) * 0.004 };
}

function meanHeight(curve) {
  return curve.y.reduce((sum, y) => sum + y, 0) / Math.max(1, curve.y.length);
}

// --------------------------------------------------------------------------------------- scales

function wholeRange(run) {
  const ends = run.results.map((result) => result.curve.fetched.at(-1) ?? 0);
  return [0, Math.max(1, ...ends)];
}

/** The window on the x axis. A logarithmic axis begins at the first point sampled, not at zero. */
function xWindow(run) {
  const [from, to] = view.zoom ?? wholeRange(run);
  if (view.xScale === "linear") return [from, to];
  const firsts = run.results.map((result) => result.curve.fetched.find((fetched) => fetched > 0) ?? to);
  return [Math.max(from, Math.min(...firsts, to / 10)), to];
}

/** What the x axis is straight in: pages, or their logarithm. */
function bend(x) {
  return view.xScale === "log" ? Math.log10(x) : x;
}

function unbend(x) {
  return view.xScale === "log" ? 10 ** x : x;
}

function xScaleFor([from, to], left, width) {
  const span = bend(to) - bend(from) || 1;
  return {
    place: (x) => left + ((bend(x) - bend(from)) / span) * width,
    read: (pixel) => unbend(bend(from) + ((pixel - left) / width) * span),
    ticks: view.xScale === "log" ? logTicks(from, to) : linearTicks(from, to, width / 85),
  };
}

/** From zero to a round number above what is visible. */
function yScaleFor(curves, figure, window, top, height) {
  const highest = highestIn(curves, window) || (figure.percent ? 1 : 10);
  const step = niceStep(highest, height / 45);
  const roof = Math.ceil(highest / step - 1e-9) * step;
  return {
    place: (y) => top + height - (y / roof) * height,
    ticks: multiples(step, 0, roof),
  };
}

/**
 * The highest value inside the window. A rate over the first few fetches is noise, near 0 or 100%
 * by chance; on a linear axis it has no width, so it does not decide the height either.
 */
function highestIn(curves, [from, to]) {
  const start = view.xScale === "linear" ? from + (to - from) * 0.005 : from;
  let highest = 0;
  for (const curve of curves) {
    for (let i = firstIndexFrom(curve.x, start); i < curve.x.length && curve.x[i] <= to; i++) {
      highest = Math.max(highest, curve.y[i]);
    }
    highest = Math.max(highest, heightAt(curve, start) ?? 0, heightAt(curve, to) ?? 0);
  }
  return highest;
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

/** Powers of ten; also twice and five times, if there would be fewer than four. */
function logTicks(from, to) {
  const ticks = [];
  const factors = Math.log10(to / from) < 4 ? [1, 2, 5] : [1];
  for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10) {
    ticks.push(...factors.map((factor) => factor * power).filter((tick) => tick >= from * 0.999 && tick <= to));
  }
  return ticks;
}

// --------------------------------------------------------------------------------------- charts

/** Draws one figure of one run. Returns the SVG and what is needed to answer the pointer. */
function drawChart(run, figure, size, heading = "") {
  const curves = run.results.map((result) => curveOf(run, figure, result));
  const shown = curves.filter((curve) => isShown(curve.result));
  const gutter = gutterWidth(shown, size);
  const top = heading ? 58 : 30;
  const box = { left: 46, top, width: size.width - 46 - gutter, height: size.height - top - 42 };
  const window = xWindow(run);
  const x = xScaleFor(window, box.left, box.width);
  const y = yScaleFor(shown, figure, window, box.top, box.height);
  const chart = { run, figure, size, box, window, x, y, curves, shown };

  const title = `${figure.title} against pages crawled, ${run.label}`;
  chart.svg = draw("svg", {
    class: "chart", role: "img", "aria-label": `${title}. ${spokenEnds(chart)}`,
    width: size.width, height: size.height, viewBox: `0 0 ${size.width} ${size.height}`,
  });
  chart.svg.append(draw("title", {}, title));
  if (heading) chart.svg.append(draw("text", { class: "heading", x: 0, y: 16 }, heading));
  appendAxes(chart);
  appendCurves(chart);
  appendLabels(chart, gutter);
  return chart;
}

/** What a reader who cannot see the curves most wants to know: where they end. */
function spokenEnds({ figure, shown, window }) {
  const ends = shown
    .map((curve) => ({ name: curve.result.strategy, last: lastPoint(curve, window) }))
    .filter((end) => end.last)
    .sort((a, b) => b.last.y - a.last.y)
    .map(({ name, last }) => `${name} ${valueWords(figure, last.y)} at ${grouped(Math.round(last.x))} pages`);
  return ends.length ? `At the right end: ${ends.join("; ")}.` : "No strategy is shown.";
}

function appendAxes({ svg, box, x, y, figure }) {
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const axes = draw("g", {});
  for (const tick of y.ticks) {
    const at = round(y.place(tick));
    if (tick > 0) axes.append(draw("path", { class: "gridline", d: `M${box.left},${at}H${right}` }));
    axes.append(draw("text", { x: box.left - 8, y: at, dy: "0.35em", "text-anchor": "end" }, tickWords(figure, tick)));
  }
  for (const tick of x.ticks) {
    const at = round(x.place(tick));
    axes.append(draw("path", { class: "axis", d: `M${at},${bottom}v5` }));
    axes.append(draw("text", { x: at, y: bottom + 19, "text-anchor": "middle" }, compact(tick)));
  }
  axes.append(
    draw("path", { class: "axis", d: `M${box.left},${bottom}H${right}` }),
    draw("text", { x: 0, y: box.top - 16 }, figure.axis()),
    draw("text", { x: right, y: bottom + 37, "text-anchor": "end" }, "pages crawled"),
  );
  svg.append(axes);
}

function appendCurves(chart) {
  const { svg, box, figure, curves } = chart;
  // Room for the thickness of a line that runs along the edge.
  const clip = draw("clipPath", { id: `clip-${++clips}` },
    draw("rect", { x: box.left - 1, y: box.top - 2, width: box.width + 2, height: box.height + 4 }));
  const lines = draw("g", { "clip-path": `url(#clip-${clips})` });
  // The strategies listed first are drawn last: on top of the others.
  for (const curve of curves.toReversed()) {
    const { result } = curve;
    const classes = ["curve", lineStyles.get(result.strategy).dash, isShown(result) ? "" : "off"].filter(Boolean);
    lines.append(draw("path", {
      class: classes.join(" "), d: curvePath(chart, curve), style: colourOf(result),
      "data-strategy": result.strategy, "data-figure": figure.key,
    }));
    if (isShown(result)) lines.append(...curveMarks(chart, curve));
  }
  svg.append(draw("defs", {}, clip), lines);
}

/** The points inside the window and one more on either side. */
function curvePath({ x, y, window }, curve) {
  const from = Math.max(0, firstIndexFrom(curve.x, window[0]) - 1);
  const to = firstIndexFrom(curve.x, window[1]) + 1;
  // A logarithmic axis has no place for what lies before its beginning.
  const place = (value) => x.place(Math.max(value, view.xScale === "log" ? window[0] : value));
  const points = curve.x.slice(from, to).map((value, i) => `${round(place(value))},${round(y.place(curve.y[from + i]))}`);
  return points.length ? `M${points.join("L")}` : "";
}

/** Markers at even distances, shifted from strategy to strategy so that they do not meet; and a dot where a crawl ended. */
function curveMarks({ box, window, x, y }, curve) {
  const { marker, turn } = lineStyles.get(curve.result.strategy);
  const common = { style: colourOf(curve.result), "data-strategy": curve.result.strategy };
  const marks = [];
  const spacing = box.width / 7;
  for (let at = box.left + spacing * (0.2 + turn / 9); marker && at < box.left + box.width; at += spacing) {
    const height = heightAt(curve, x.read(at));
    if (height !== null) marks.push(draw("path", { class: "marker", d: markerPath(marker, at, y.place(height)), ...common }));
  }
  const last = lastPoint(curve, window);
  if (last?.ended) {
    marks.push(draw("circle", { class: "curve-end", r: 3.2, cx: round(x.place(last.x)), cy: round(y.place(last.y)), ...common }));
  }
  return marks;
}

// ----------------------------------------------------------------------------------- end labels

/** Room for the longest name on the right; none on a small screen, where the legend has to do. */
function gutterWidth(shown, size) {
  if (size.width < 620) return 14;
  const longest = Math.max(0, ...shown.map((curve) => textWidth(curve.result.strategy)));
  return Math.min(longest + 46, size.width * 0.34);
}

/** Names at the ends of the lines: beside the end of a crawl that stopped early if there is room, else in the gutter. */
function appendLabels(chart, gutter) {
  if (gutter < 40) return;
  const ends = chart.shown
    .map((curve) => ({ curve, last: lastPoint(curve, chart.window) }))
    .filter((end) => end.last)
    .map((end) => ({ ...end, x: chart.x.place(end.last.x), y: chart.y.place(end.last.y) }));
  const taken = [];
  const inside = ends.filter((end) => end.last.ended && placeInside(chart, end, taken));
  appendGutterLabels(chart, ends.filter((end) => !inside.includes(end)));
}

/** Tries the places around the end of a line; writes the name into the first that nothing else crosses. */
function placeInside(chart, end, taken) {
  const name = end.curve.result.strategy;
  const width = textWidth(name);
  const candidates = [[8, 0], [8, -11], [8, 12], [-width / 2, -14], [-width / 2, 15]]
    .map(([dx, dy]) => ({ left: end.x + dx, middle: end.y + dy, width }));
  const free = candidates.find((place) => isFree(chart, place, taken));
  if (!free) return false;
  taken.push(free);
  chart.svg.append(draw("text", {
    class: "end-label", x: round(free.left), y: round(free.middle), dy: "0.35em", "data-strategy": name,
  }, name));
  return true;
}

function isFree({ box, shown, x, y }, place, taken) {
  const [left, right] = [place.left - 2, place.left + place.width + 2];
  const [top, bottom] = [place.middle - LABEL_HEIGHT / 2, place.middle + LABEL_HEIGHT / 2];
  const within = left >= box.left && right <= box.left + box.width && top >= box.top && bottom <= box.top + box.height;
  const meets = (other) => Math.abs(other.middle - place.middle) < LABEL_HEIGHT &&
    left < other.left + other.width && other.left < right;
  return within && !taken.some(meets) && !shown.some((curve) => crosses(curve, { left, right, top, bottom }, x, y));
}

/** Whether a curve passes through a rectangle: it may also jump through it between two steps. */
function crosses(curve, { left, right, top, bottom }, x, y) {
  let before = null;
  for (let at = left; at <= right; at += 4) {
    const height = heightAt(curve, x.read(at));
    const now = height === null ? null : y.place(height);
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
    const name = shortened(result.strategy, size.width - right - 40);
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
