// -------------------------------------------------------------------------------------- numbers

/** 1,234,567 */
function grouped(value) {
  return value == null ? "–" : value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

/** 1.23M, 182k, 9,870: three digits are enough for an axis and a headline. */
function compact(value) {
  const digits = (scaled) => String(Number(scaled.toPrecision(3)));
  if (value >= 999_500_000) return `${digits(value / 1e9)}G`;
  if (value >= 999_500) return `${digits(value / 1e6)}M`;
  if (value >= 10_000 || (value >= 1000 && value % 1000 === 0)) return `${digits(value / 1e3)}k`;
  return grouped(value);
}

/** 12.3%; more digits where one would say nothing. */
function percent(value) {
  const hundredths = value * 100;
  const digits = hundredths !== 0 && Math.abs(hundredths) < 1 ? 2 : 1;
  return `${hundredths.toFixed(digits)}%`;
}

function signedPercent(value) {
  if (Math.abs(value) < 0.00005) return "0%";
  return `${value > 0 ? "+" : "−"}${percent(Math.abs(value))}`;
}

function measure(value, unit) {
  const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? { maximumFractionDigits: 1 } : { maximumSignificantDigits: 4 };
  const number = value.toLocaleString("en-US", digits);
  if (!unit) return number;
  return unit === "%" ? `${number}%` : `${number}\u202f${unit}`;
}

function tickWords(figure, tick) {
  return figure.percent ? `${Number((tick * 100).toPrecision(3))}%` : compact(tick);
}

function valueWords(figure, value) {
  return figure.percent ? percent(value) : grouped(Math.round(value));
}

/** A quotient, or null where there is nothing to divide by. */
function share(part, whole) {
  return whole > 0 ? part / whole : null;
}

function share100(part, whole) {
  return `${(100 * part) / whole}%`;
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/** A tenth of a pixel is as fine as a screen or a printer shows. */
function round(pixels) {
  return Math.round(pixels * 10) / 10;
}

// ------------------------------------------------------------------------------------- elements

/** An HTML element. Children that are strings become text, so nothing in the data is ever markup. */
function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** An SVG element. */
function draw(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}
