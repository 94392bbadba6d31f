// ------------------------------------------------------------------------------------ bar charts

/**
 * Columns in groups, one group to a place on the x axis.
 * `series`: [{ name, colour }]; `groups`: [{ label, values, apart }], a value for each series; one that
 * stands `apart` is a different kind of thing than its neighbours, and is set off from them.
 */
function drawBars({ title, series, groups, axis, xTitle, percent: isPercent = false, log = false, words }, size, heading = "") {
  const top = (heading ? 58 : 30) + (series.length > 1 ? 20 : 0);
  const box = { left: 46, top, width: size.width - 46 - 14, height: size.height - top - 42 };
  const figure = { percent: isPercent };
  const y = barScale(groups.flatMap((group) => group.values), figure, log, box);
  const svg = draw("svg", {
    class: "chart", role: "img", width: size.width, height: size.height, viewBox: `0 0 ${size.width} ${size.height}`,
    "aria-label": `${title}. ${groups.map((group) => `${group.label}: ${group.values.map(words).join(", ")}`).join("; ")}.`,
  });
  if (heading) svg.append(draw("text", { class: "heading", x: 0, y: 16 }, heading));
  const bottom = box.top + box.height;
  const right = box.left + box.width;
  for (const tick of y.ticks) {
    const at = round(y.place(tick));
    if (at < bottom) svg.append(draw("path", { class: "gridline", d: `M${box.left},${at}H${right}` }));
    svg.append(draw("text", { x: box.left - 8, y: at, dy: "0.35em", "text-anchor": "end" }, tickWords(figure, tick)));
  }
  svg.append(
    draw("text", { x: 0, y: (heading ? 58 : 30) - 16 }, log ? `${axis}, logarithmic` : axis),
    draw("text", { x: right, y: bottom + 37, "text-anchor": "end" }, xTitle));
  if (series.length > 1) svg.append(swatches(series, 0, box.top - 18));
  appendBars({ svg, series, groups, box, y, words });
  svg.append(draw("path", { class: "axis", d: `M${box.left},${bottom}H${right}` }));
  return { svg };
}

function barScale(values, figure, log, box) {
  const positive = values.filter((value) => value > 0);
  const highest = Math.max(...positive, 0) || 1;
  const step = niceStep(highest, box.height / 45);
  const roof = log ? roundAbove(highest) : Math.ceil(highest / step - 1e-9) * step;
  // A column of one page has to be seen: the axis begins below it.
  const floor = log ? Math.min(0.5, ...positive) : 0;
  const { bend } = bending(log, floor);
  return {
    place: (value) => box.top + box.height - ((bend(value) - bend(floor)) / (bend(roof) - bend(floor))) * box.height,
    ticks: log ? logTicks(Math.max(1, floor), roof) : multiples(step, 0, roof),
  };
}

function appendBars({ svg, series, groups, box, y, words }) {
  const bottom = box.top + box.height;
  const gaps = groups.map((group) => (group.apart ? 0.6 : 0));
  const slot = box.width / (groups.length + gaps.reduce((sum, gap) => sum + gap, 0));
  const breadth = Math.min(slot * 0.78, 64 * series.length);
  const labelled = Math.ceil(Math.max(...groups.map((group) => textWidth(group.label) + 8)) / slot);
  let left = box.left;
  groups.forEach((group, i) => {
    left += gaps[i] * slot;
    const middle = left + slot / 2;
    series.forEach((one, k) => {
      const value = group.values[k];
      const width = breadth / series.length;
      const x = middle - breadth / 2 + k * width;
      const at = value > 0 ? y.place(value) : bottom;
      const bar = draw("rect", {
        class: group.apart ? "bar apart" : "bar", style: `--series: ${one.colour}`,
        x: round(x), y: round(at), width: round(Math.max(1, width - (series.length > 1 ? 1 : 0))), height: round(Math.max(0, bottom - at)),
      }, draw("title", {}, `${group.label}: ${one.name} ${words(value)}`));
      svg.append(bar);
      // A number over its column, where it fits there.
      const text = words(value);
      if (series.length === 1 && textWidth(text) + 4 <= slot && value > 0) {
        svg.append(draw("text", { class: "bar-value", x: round(middle), y: round(at - 5), "text-anchor": "middle" }, text));
      }
    });
    if (i % labelled === 0 || group.apart) {
      svg.append(draw("text", { x: round(middle), y: bottom + 19, "text-anchor": "middle" }, group.label));
    }
    left += slot;
  });
}

/** The colours of series and their names, in a row. */
function swatches(series, left, y) {
  const row = draw("g", {});
  for (const { name, colour } of series) {
    row.append(
      draw("rect", { class: "bar", style: `--series: ${colour}`, x: left, y: y - 9, width: 10, height: 10 }),
      draw("text", { x: left + 15, y }, name));
    left += 15 + textWidth(name) + 14;
  }
  return row;
}
