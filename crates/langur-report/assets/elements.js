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
  if (hundredths > 0 && hundredths < 0.005) return "<0.01%";
  const digits = hundredths !== 0 && Math.abs(hundredths) < 1 ? 2 : 1;
  return `${hundredths.toFixed(digits)}%`;
}

function threeDigits(value) {
  return value.toFixed(3);
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
  if (figure.percent) return `${Number((tick * 100).toPrecision(3))}%`;
  return Math.abs(tick) < 1 ? String(Number(tick.toPrecision(3))) : compact(Number(tick.toPrecision(3)));
}

function valueWords(figure, value) {
  if (figure.words) return figure.words(value);
  return figure.percent ? percent(value) : grouped(Math.round(value));
}

/** 350 ms, 42 s, 7.5 min, 3.2 h, 12.1 d */
function duration(milliseconds) {
  const units = [["d", 86_400_000, 172_800_000], ["h", 3_600_000, 3_600_000], ["min", 60_000, 60_000], ["s", 1000, 1000], ["ms", 1, 1]];
  if (!milliseconds) return "0";
  const [unit, length] = units.find(([, , least]) => milliseconds >= least * 0.9995) ?? units.at(-1);
  return `${Number((milliseconds / length).toPrecision(3))}\u202f${unit}`;
}

/** 5:48:46, so that the numbers of a column stand under each other */
function clockTime(seconds) {
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** 4.21 GB, by powers of a thousand */
function byteWords(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const power = bytes >= 1 ? Math.min(units.length - 1, Math.floor(Math.log10(bytes * 1.0005) / 3)) : 0;
  return bytes ? `${Number((bytes / 1000 ** power).toPrecision(3))}\u202f${units[power]}` : "0";
}

/** Marks at whole seconds, minutes, hours and days, which are no powers of ten apart. */
function timeTicks(from, to, count, log) {
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  if (log) return [10, 100, second, 10 * second, minute, 10 * minute, hour, 10 * hour, day, 10 * day, 100 * day].filter((tick) => tick >= from && tick <= to);
  const steps = [second, minute, hour].flatMap((unit) => (unit === hour ? [1, 2, 3, 6, 12] : [1, 2, 5, 10, 15, 30]).map((n) => n * unit));
  const rough = (to - from) / Math.max(2, count);
  const step = steps.find((one) => one >= rough) ?? niceStep((to - from) / day, count) * day;
  return multiples(to - from < 2 * second ? niceStep(to - from, count) : step, from, to);
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

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
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
