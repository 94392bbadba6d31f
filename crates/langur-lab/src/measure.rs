//! What is measured of a crawl.

use langur_crawl::{Ended, Load, Passed, Time};
use langur_observe::{
    Coverage, Curve, Harvest, MILESTONES, Point, QueueSize, Relevancy, RelevantHosts,
    StrategyResult, TimeResult, VisitLog,
};
use langur_strategy::{Spec, UpperBound};

use crate::simulation::{LabError, Progress, Simulation};

/// What one strategy did.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The numbers.
    pub result: StrategyResult,
    /// The curve.
    pub points: Vec<Point>,
}

/// What is measured of every crawl.
pub(crate) type Measures = (Harvest, (Coverage, (QueueSize, (RelevantHosts, Curves))));

/// A crawl as curves, the second only where a topic is wanted.
type Curves = (Curve, Option<Relevancy>);

/// What came of a crawl.
pub(crate) struct Crawled {
    pub measures: Measures,
    pub visits: Option<VisitLog>,
    pub ended: Ended,
    /// In simulated time: what it came to, and how busy the crawl was at every point of the curve.
    pub passed: Option<(Passed, Vec<Load>)>,
}

impl Simulation<'_> {
    pub(crate) fn measured(&self, spec: &Spec, crawled: Crawled) -> Result<Measured, LabError> {
        crawled.visits.map(VisitLog::finish).transpose()?;
        let (harvest, (coverage, (queue, (hosts, (curve, relevancy))))) = crawled.measures;
        let mut points = curve.points();
        let passed = crawled.passed;
        if let Some((passed, loads)) = &passed {
            let loads = loads.iter().copied().chain([passed.load]);
            points.iter_mut().zip(loads).for_each(|(point, load)| point.load = Some(load));
        }
        if let Some(relevancy) = relevancy {
            let samples = relevancy.samples();
            points.iter_mut().zip(samples).for_each(|(point, it)| point.relevancy = Some(it));
        }
        let time = passed.map(|(passed, _)| self.time_result(&passed, &coverage, &points));
        let result = StrategyResult {
            fetched: harvest.fetched,
            ok_html: harvest.ok_html,
            relevant: harvest.relevant,
            missing: harvest.missing,
            harvest: harvest.rate(),
            harvest_html: harvest.rate_html(),
            max_queue: queue.largest,
            relevant_hosts: hosts.count,
            relevancy: points.last().and_then(|point| point.relevancy),
            time,
            ended: match crawled.ended {
                Ended::Exhausted => "exhausted".to_owned(),
                Ended::Budget => "budget".to_owned(),
            },
            ..self.blank_result(spec, &coverage)
        };
        Ok(Measured { result, points })
    }

    /// A result that says what coverage came to, and nothing else yet.
    fn blank_result(&self, spec: &Spec, coverage: &Coverage) -> StrategyResult {
        let milestones = MILESTONES.iter().map(u64::to_string).zip(coverage.fetched_at());
        let arguments = spec.arguments().iter();
        StrategyResult {
            strategy: spec.to_string(),
            oracle: spec.is_oracle(),
            parameters: arguments.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            coverage: coverage.coverage(),
            pages_at_coverage: milestones.collect(),
            area: coverage.area(self.budget()),
            ..StrategyResult::default()
        }
    }

    fn time_result(&self, passed: &Passed, coverage: &Coverage, points: &[Point]) -> TimeResult {
        let pace = self.switches.clock.pace().expect("time passed, so there is a pace");
        let idle = |load: Load| {
            let there_was = load.time_ms * pace.connections as u64;
            if there_was == 0 { 0.0 } else { 1.0 - load.busy_ms as f64 / there_was as f64 }
        };
        // At the first point of the curve at which so much had been found.
        let idle_at = coverage.fetched_at().map(|fetched| {
            let point = points.iter().find(|point| Some(point.fetched) >= fetched);
            fetched.and(point).and_then(|point| point.load).map(idle)
        });
        let milestones = || MILESTONES.iter().map(u64::to_string);
        let seconds = |Time(ms)| ms as f64 / 1000.0;
        let reached = coverage.time_at().map(|time| time.map(seconds));
        TimeResult {
            seconds: seconds(Time(passed.load.time_ms)),
            bytes: passed.load.bytes,
            idle: idle(passed.load),
            seconds_at_coverage: milestones().zip(reached).collect(),
            idle_at_coverage: milestones().zip(idle_at).collect(),
            requests: passed.requests,
            hosts_asked: passed.hosts_asked,
            busiest_host: passed.busiest_host,
            busiest_ten_hosts: passed.busiest_ten_hosts,
            longest_host_queue: passed.longest_host_queue,
        }
    }

    /// What no crawl can exceed, in the form of a crawl.
    pub(crate) fn upper_bound(
        &self,
        spec: &Spec,
        progress: Progress,
    ) -> Result<Measured, LabError> {
        let mut coverage = Coverage::new(self.relevant());
        let mut curve = Curve::new(self.budget());
        let (mut found, mut fetched) = (0, 0);
        for bound in UpperBound::new(self).found().take(self.budget() as usize) {
            coverage.count(bound > found, Time(0));
            curve.count(true, bound > found, 0);
            (found, fetched) = (bound, fetched + 1);
        }
        progress(fetched);
        let rate = if fetched == 0 { 0.0 } else { found as f64 / fetched as f64 };
        let result = StrategyResult {
            bound: true,
            fetched,
            ok_html: fetched,
            relevant: found,
            harvest: rate,
            harvest_html: rate,
            ended: "exhausted".to_owned(),
            ..self.blank_result(spec, &coverage)
        };
        Ok(Measured { result, points: curve.points() })
    }
}
