// -------------------------------------------------------------------------------- simulated time

function hasTime(run) {
  return run.results.some((result) => result.curve.time_ms?.length);
}

/** How many connections the crawler had: as said, as in the clock's name, or as the idle share implies. */
function connectionsOf(run) {
  if (run.connections) return run.connections;
  const named = /connections=(\d+)/.exec(run.switches?.clock ?? "");
  if (named) return Number(named[1]);
  const timed = run.results.find((result) => result.time?.idle < 1 && result.curve.busy_ms?.at(-1) > 0);
  if (!timed) return null;
  return Math.round(timed.curve.busy_ms.at(-1) / ((1 - timed.time.idle) * timed.curve.time_ms.at(-1)));
}

function timeFigures(run) {
  if (!hasTime(run)) return [];
  const connections = connectionsOf(run);
  const idle = {
    key: "idle", title: "Idle connections", percent: true, along: "time", omits: isBound,
    axis: () => "share of connection time idle",
    explain: () => `The share of the ${connections} connections’ time in which they were idle, since no page was at hand whose host may be asked; by hundredths of the axis.`,
    curves: (one, axis, window) => one.results.map((result) => idleCurve(result, connections, axis, window)),
  };
  const hosts = {
    key: "hosts", title: "Host queues", percent: false, along: "time", canLog: true, omits: isBound,
    choose: ["What waits for hosts", "waiting", { parked: "pages", hosts_waiting: "hosts" }],
    axis: () => (view.waiting === "parked" ? "pages waiting for their host" : "hosts with pages waiting"),
    explain: () => (view.waiting === "parked"
      ? "Pages chosen by the strategy that wait until their host may be asked again."
      : "Hosts that have pages waiting until they may be asked again."),
    value: (one, curve, i) => curve[view.waiting]?.[i] ?? null,
  };
  return [...(connections ? [idle] : []), hosts];
}

/** The share of the time since the previous point in which connections were idle. */
function idleShare({ time_ms: time, busy_ms: busy }, connections, i) {
  const [since, before] = i ? [time[i - 1], busy[i - 1]] : [0, 0];
  const idle = share(connections * (time[i] - since) - (busy[i] - before), connections * (time[i] - since));
  return idle === null ? null : clamp(idle, 0, 1);
}

/**
 * Points are sampled by pages, so that they crowd where the crawl is fast; the idle share is that of
 * equal pieces of the axis, or the busy hours would look longer than they were.
 */
function idleCurve(result, connections, axis, [from, to]) {
  const { time_ms: time, busy_ms: busy } = result.curve;
  if (!time?.length) return curveOf(result, axis, []);
  const pieces = 100;
  const { bend, unbend } = bending(axis.log, from);
  const edge = (i) => unbend(bend(from) + (i / pieces) * (bend(to) - bend(from)));
  const end = Math.min(time.at(-1), to);
  const x = [];
  const mean = [];
  for (let i = 0; i < pieces && edge(i) < end; i++) {
    const [start, stop] = [edge(i), Math.min(edge(i + 1), end)];
    const worked = between(time, busy, stop) - between(time, busy, start);
    x.push((start + stop) / 2);
    mean.push(clamp(1 - worked / (connections * (stop - start)), 0, 1));
  }
  return curveOf(result, axis, x, { mean });
}

/** A growing column's value at a moment between two of its points. */
function between(time, column, at) {
  const i = firstIndexFrom(time, at);
  if (i >= time.length) return column.at(-1);
  const [since, before] = i ? [time[i - 1], column[i - 1]] : [0, 0];
  return before + (share(at - since, time[i] - since) ?? 1) * (column[i] - before);
}

/** Who is first by the clock, and how much of the crawler stood idle. */
function timeFinding(run) {
  const timed = run.results.filter((result) => !result.oracle && result.time);
  if (!timed.length) return [];
  const sentences = [];
  const first = timed.filter((result) => result.time.seconds_at_coverage?.[GOAL] != null)
    .sort((a, b) => a.time.seconds_at_coverage[GOAL] - b.time.seconds_at_coverage[GOAL])[0];
  if (first) {
    sentences.push(` By the simulated clock ${first.strategy} is the first at ${GOAL}%, after ${duration(first.time.seconds_at_coverage[GOAL] * 1000)}.`);
  }
  const byIdle = timed.filter((result) => result.time.idle != null).sort((a, b) => b.time.idle - a.time.idle);
  if (byIdle.length) sentences.push(starvation(byIdle, connectionsOf(run)));
  return sentences;
}

function starvation(byIdle, connections) {
  const [most, least] = [byIdle[0], byIdle.at(-1)];
  const whose = connections ? `the ${connections} connections` : "the connections";
  const start = ` ${most.strategy} leaves ${whose} idle for ${percent(most.time.idle)} of the time`;
  if (least === most) return `${start}.`;
  return `${start}, more than any other; ${least.strategy} for ${percent(least.time.idle)}, the least.`;
}

function loadTable(run) {
  const results = run.results.filter((result) => result.time);
  if (!results.length) return [];
  const ofFetches = (name) => (result) => share(result.time[name], result.fetched);
  const columns = [
    { key: "seconds", title: "whole crawl", spanner: "Simulated time, h:mm:ss", value: (r) => r.time.seconds, format: clockTime },
    ...["50", GOAL, "99"].map((level) => ({
      key: `seconds at ${level}`, title: `until ${level}%`, spanner: "Simulated time, h:mm:ss",
      value: (r) => r.time.seconds_at_coverage?.[level] ?? null, format: clockTime, better: "low",
    })),
    { key: "bytes", title: "MB", value: (r) => r.time.bytes, format: (bytes) => grouped(Math.round(bytes / 1e6)) },
    { key: "idle", title: "Idle", value: (r) => r.time.idle, format: percent, better: "low" },
    { key: "hosts_asked", title: "Hosts asked", value: (r) => r.time.hosts_asked, format: grouped },
    { key: "busiest_host", title: "busiest host", spanner: "Share of the fetches", value: ofFetches("busiest_host"), format: percent },
    { key: "busiest_ten_hosts", title: "busiest ten", spanner: "Share of the fetches", value: ofFetches("busiest_ten_hosts"), format: percent },
    { key: "longest_host_queue", title: "Longest host queue", value: (r) => r.time.longest_host_queue, format: grouped, better: "low" },
  ];
  return sortableTable({
    key: "load", title: "Load", label: run.label, results, columns, order: byMerit,
    note: "Idle: the share of all connections’ time in which they fetched nothing. Bold: the best of a column, oracles apart.",
  });
}
