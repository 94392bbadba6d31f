// --------------------------------------------------------------------------------------- bow tie

/** The parts of the bow tie, with their colours and how many pages each has. */
function bowTieParts(tie) {
  return [
    ["in", "IN", "var(--hue-5)"], ["lscc", "LSCC", "var(--hue-0)"], ["out", "OUT", "var(--hue-4)"],
    ["tubes", "tubes", "var(--hue-2)"], ["tendrils", "tendrils", "var(--hue-3)"], ["disconnected", "disconnected", "var(--baseline)"],
  ].map(([key, name, colour]) => ({ key, name, colour, pages: tie[key] ?? 0 }));
}

/** A sketch of how the parts hang together, and under it a strip of their true proportions. */
function drawBowTie(tie, size, heading = "") {
  const parts = bowTieParts(tie);
  const total = parts.reduce((sum, part) => sum + part.pages, 0);
  const top = heading ? 36 : 0;
  const svg = draw("svg", {
    class: "chart bow-tie", role: "img", width: size.width, height: size.height + top, viewBox: `0 0 ${size.width} ${size.height + top}`,
    "aria-label": `Bow tie: ${parts.map((part) => `${part.name} ${grouped(part.pages)} pages, ${percent(share(part.pages, total) ?? 0)}`).join("; ")}.`,
  });
  if (heading) svg.append(draw("text", { class: "heading", x: 0, y: 16 }, heading));
  const of = Object.fromEntries(parts.map((part) => [part.key, { ...part, share: share(part.pages, total) ?? 0 }]));
  const sketch = draw("g", { transform: `translate(0 ${top})` });
  svg.append(sketch);
  appendSketch(sketch, of, size.width);
  appendStrip(sketch, Object.values(of), size);
  return { svg };
}

function appendSketch(sketch, of, width) {
  const small = width < 560;
  const breadth = Math.min(width, 820);
  const [left, right] = [(width - breadth) / 2, (width + breadth) / 2];
  const [cx, cy] = [width / 2, small ? 168 : 172];
  const radius = small ? 58 : 86;
  const [rise, waist] = small ? [86, 26] : [108, 40];
  const shape = (part, d, kind = "area") => draw("path", { class: `tie-${kind}`, d, style: `--series: ${part.colour}` });
  const inner = radius * 0.86;
  const bulge = small ? 8 : 16;
  const wing = (edge, side) => {
    const [outer, near, knot] = [edge + side * breadth * 0.16, cx - side * (inner + breadth * 0.06), cx - side * inner];
    return `M${edge},${cy - rise}C${outer},${cy - rise * 0.92} ${near},${cy - waist} ${knot},${cy - waist}` +
      `V${cy + waist}C${near},${cy + waist} ${outer},${cy + rise * 0.92} ${edge},${cy + rise}` +
      `C${edge - side * bulge},${cy + rise * 0.5} ${edge - side * bulge},${cy - rise * 0.5} ${edge},${cy - rise}Z`;
  };
  const reach = breadth * (small ? 0.2 : 0.17);
  const tubeTop = cy + rise * 0.84;
  const tubeDip = cy + radius + (small ? 62 : 66);
  sketch.append(
    ...tendrils(left + breadth * 0.1, cy - rise * 0.86, 1, small).map((d) => shape(of.tendrils, d, "line")),
    ...tendrils(right - breadth * 0.1, cy - rise * 0.86, -1, small).map((d) => shape(of.tendrils, d, "line")),
    shape(of.tubes, `M${left + reach * 0.5},${tubeTop}C${left + reach},${tubeDip + 6} ${right - reach},${tubeDip + 6} ${right - reach * 0.5},${tubeTop}`, "tube"),
    // Paper under what is translucent, so that tendrils and tubes end where the wings begin.
    ...[[of.in, left + bulge, 1], [of.out, right - bulge, -1]].flatMap(([part, edge, side]) =>
      [draw("path", { class: "tie-core", d: wing(edge, side) }), shape(part, wing(edge, side))]),
    draw("circle", { class: "tie-core", cx, cy, r: radius }),
    draw("circle", { class: "tie-area", cx, cy, r: radius, style: `--series: ${of.lscc.colour}` }),
  );
  const wingMiddle = (left + bulge + cx - inner) / 2 - (small ? 8 : 22);
  const tubeBottom = tubeTop + (tubeDip + 6 - tubeTop) * 0.75;
  sketch.append(
    ...tieLabel(of.in, wingMiddle, cy, true), ...tieLabel(of.lscc, cx, cy, true), ...tieLabel(of.out, width - wingMiddle, cy, true),
    ...tieLabel(of.tendrils, cx, small ? 12 : 20, false), ...tieLabel(of.tubes, cx, tubeBottom + 24, false),
  );
  // Islands: in the corner, where nothing leads.
  const [x, y] = [left + 8, tubeBottom + (small ? 66 : 30)];
  for (const [dx, dy, rx, ry] of [[8, 0, 10, 7], [31, -7, 7, 5], [32, 8, 8, 5]]) {
    sketch.append(draw("ellipse", { class: "tie-area", cx: x + dx, cy: y + dy, rx, ry, style: `--series: ${of.disconnected.colour}` }));
  }
  const words = tieLabel(of.disconnected, x + 50, y + 4, false);
  for (const text of words) text.setAttribute("text-anchor", "start");
  sketch.append(...words);
}

/** A few shoots out of the upper edge of a wing, bent towards the middle. */
function tendrils(x, y, side, small) {
  const [run, lift] = small ? [30, 34] : [64, 44];
  return [0, 0.36, 0.72].map((along) => {
    const from = x + side * along * run * 0.9;
    const start = y + along * 12;
    return `M${round(from)},${round(start)}c${side * run * 0.05},${-lift * 0.5} ${side * run * 0.5},${-lift * 0.45} ${side * run * 0.62},${-lift * (1 - along * 0.28)}`;
  });
}

/** Name, pages and share: one under the other inside a part, in a row beside it. */
function tieLabel(part, x, y, inside) {
  const text = (words, dy, kind) => draw("text", { class: kind, x: round(x), y: round(y + dy), "text-anchor": "middle" }, words);
  if (inside) return [text(part.name, -14, "tie-name"), text(percent(part.share), 6, "tie-share"), text(grouped(part.pages), 23, "tie-pages")];
  const line = text("", 0, "tie-pages");
  line.append(draw("tspan", { class: "tie-name" }, part.name), ` ${percent(part.share)} · ${grouped(part.pages)}`);
  return [line];
}

/** What a sketch cannot show: how large the parts are beside each other. */
function appendStrip(sketch, parts, size) {
  const [y, height] = [size.height - 22, 18];
  let left = 0;
  for (const part of parts) {
    const width = part.share * size.width;
    if (width > 0) {
      sketch.append(draw("rect", { class: "tie-area", style: `--series: ${part.colour}`, x: round(left), y, width: round(width), height },
        draw("title", {}, `${part.name} ${percent(part.share)}`)));
    }
    if (textWidth(part.name) + 10 < width) {
      sketch.append(draw("text", { class: "tie-strip", x: round(left + width / 2), y: y + 13, "text-anchor": "middle" }, part.name));
    }
    left += width;
  }
}
