//! Tornado plots as SVG, for pages.

use crate::outcome::Tornado;
use crate::page::number;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 20.0;
const ROW: f64 = 20.0;
const TOP: f64 = 46.0;
/// Factors that are shown; the rest does less.
const SHOWN: usize = 10;

/// How sensitive a number is to every factor, as a picture: the default as a line, what was expected
/// as a band, and for each factor a bar between its extremes.
pub fn svg(tornado: &Tornado) -> String {
    let bars: Vec<_> = tornado.bars.iter().take(SHOWN).collect();
    let height = TOP + ROW * bars.len() as f64 + 30.0;
    let ends = bars.iter().flat_map(|bar| [bar.low, bar.high]).chain([tornado.base]);
    let expected = tornado.expected.into_iter().flatten();
    let (least, most) = ends
        .chain(expected)
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| (least.min(v), most.max(v)));
    let margin = ((most - least) * 0.08).max(1e-9);
    let (least, most) = (least - margin, most + margin);
    let x = |value: f64| {
        LEFT + (value.clamp(least, most) - least) / (most - least) * (WIDTH - LEFT - RIGHT)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"600\" fill=\"#1b1f24\">{}: {}</text>\n",
        escape(&tornado.outcome),
        escape(&tornado.what)
    );
    let bottom = TOP + ROW * bars.len() as f64;
    let (from, to) = (tornado.expected[0].unwrap_or(least), tornado.expected[1].unwrap_or(most));
    let mut add = |line: String| text += &(line + "\n");
    add(format!(
        "<rect x=\"{:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#dcefe2\"/>",
        x(from),
        (x(to) - x(from)).max(0.0),
        bottom - TOP
    ));
    for (i, bar) in bars.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let (low, high) = (x(bar.low), x(bar.high));
        add(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#1b1f24\">{}</text>",
            LEFT - 10.0,
            y + 14.0,
            escape(&bar.factor)
        ));
        add(format!(
            "<rect x=\"{low:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#3b6ea8\"><title>{}: {} to {}: {}</title></rect>",
            y + 4.0,
            (high - low).max(1.0),
            ROW - 8.0,
            escape(&bar.low_setting),
            number(bar.low, tornado.unit),
            escape(&bar.high_setting),
            number(bar.high, tornado.unit)
        ));
    }
    add(format!(
        "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"#1b1f24\" stroke-width=\"1.5\"/>",
        x(tornado.base)
    ));
    add(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#1b1f24\">{}</text>",
        x(tornado.base),
        TOP - 6.0,
        number(tornado.base, tornado.unit)
    ));
    for (value, anchor) in [(least + margin, "start"), (most - margin, "end")] {
        add(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"#57606a\">{}</text>",
            x(value),
            bottom + 18.0,
            number(value, tornado.unit)
        ));
    }
    text + "</svg>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
