// ------------------------------------------------------------------------------ scores on topics

function hasScores(run) {
  return run.results.some((result) => result.curve.overall_relevancy?.length);
}

/** What Gogar (2015) measures: relevant pages so far, and mean scores of the pages fetched. */
function topicFigures(run) {
  if (!hasScores(run)) return [];
  return RELEVANCY.map((measure) => ({
    ...measure,
    omits: (result) => isBound(result) && measure.key !== "relevant", // it is no crawl and fetches no page
    value: (one, curve, i) => curve[measure.key]?.[i] ?? null,
  }));
}

function relevancyColumns(results) {
  if (!results.some((result) => result.relevancy)) return [];
  const column = (key, title) => ({
    key: `${key} relevancy`, title, spanner: "Relevancy", value: (r) => r.relevancy?.[key] ?? null, format: threeDigits, better: "high",
  });
  return [column("overall", "overall"), column("recent", `last ${WINDOW}`)];
}
