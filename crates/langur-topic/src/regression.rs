//! Logistic regression, small and the same on every machine.

/// A sample: its features in order, and whether it is an example.
pub struct Row {
    pub features: Vec<(u32, f64)>,
    pub positive: bool,
}

/// A weight for every feature, and one for the feature that all samples have.
#[derive(Clone, Debug)]
pub struct Fit {
    pub weights: Vec<f64>,
    pub bias: f64,
}

impl Fit {
    /// The logarithm of the odds that a sample is an example.
    pub fn margin(&self, row: &Row) -> f64 {
        let sum: f64 = row.features.iter().map(|&(at, x)| self.weights[at as usize] * x).sum();
        sum + self.bias
    }
}

/// Passes over the samples; a few dozen are enough.
const MOST_PASSES: usize = 300;
const PRECISION: f64 = 1e-4;

/// Regression with an L2 penalty, `cost` being what a sample's loss weighs against it; examples and
/// counter-examples weigh the same in sum, however many there are. This is the dual coordinate
/// descent of Yu, Huang and Lin (2011), as in liblinear, in a shuffled order that is always the same.
///
/// Each sample has a multiplier between 0 and its cost. One at a time is set to its best value, given
/// the others, by Newton's method; the weights are the samples summed by their multipliers.
pub fn fit(rows: &[&Row], features: usize, cost: f64) -> Fit {
    let positives = rows.iter().filter(|row| row.positive).count();
    let share = |count: usize| cost * rows.len() as f64 / (2.0 * count.max(1) as f64);
    let costs = [share(rows.len() - positives), share(positives)];
    let mut fit = Fit { weights: vec![0.0; features], bias: 0.0 };
    let start = |c: f64| (1e-3 * c).min(1e-8);
    // The multiplier and what it lacks to the cost, kept apart since one of them may be tiny.
    let mut multipliers: Vec<[f64; 2]> = Vec::with_capacity(rows.len());
    for row in rows {
        let c = costs[usize::from(row.positive)];
        multipliers.push([start(c), c - start(c)]);
        step(&mut fit, row, start(c));
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..MOST_PASSES {
        shuffle(&mut order, &mut random);
        let mut steepest = 0f64;
        for &at in &order {
            let row = rows[at];
            let c = costs[usize::from(row.positive)];
            let curvature = 1.0 + row.features.iter().map(|(_, x)| x * x).sum::<f64>();
            let margin = fit.margin(row) * if row.positive { 1.0 } else { -1.0 };
            let [low, high] = multipliers[at];
            // The smaller of the two is the one that is moved.
            let (old, slope, side) = if 0.5 * curvature * (high - low) + margin < 0.0 {
                (high, -margin, 1)
            } else {
                (low, margin, 0)
            };
            let gradient = |z: f64| curvature * (z - old) + slope + (z / (c - z)).ln();
            let mut z = if c - old < 0.5 * c { 0.1 * old } else { old };
            let mut g = gradient(z);
            steepest = steepest.max(g.abs());
            for _ in 0..100 {
                if g.abs() < 0.1 * PRECISION {
                    break;
                }
                let next = z - g / (curvature + c / (c - z) / z);
                z = if next <= 0.0 { 0.1 * z } else { next.min(c * (1.0 - 1e-12)) };
                g = gradient(z);
            }
            multipliers[at][side] = z;
            multipliers[at][1 - side] = c - z;
            step(&mut fit, row, if side == 0 { z - old } else { old - z });
        }
        if steepest < PRECISION {
            break;
        }
    }
    fit
}

fn step(fit: &mut Fit, row: &Row, by: f64) {
    let by = if row.positive { by } else { -by };
    row.features.iter().for_each(|&(at, x)| fit.weights[at as usize] += by * x);
    fit.bias += by;
}

fn shuffle(order: &mut [usize], random: &mut u64) {
    for at in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        order.swap(at, (*random % (at as u64 + 1)) as usize);
    }
}

/// The slope and the shift that turn margins of samples not learned from into probabilities: Platt's
/// scaling (1999), by Newton's method, examples and counter-examples again weighing the same in
/// sum. None if the margins do not tell them apart.
pub fn calibrate(margins: &[(f64, bool)]) -> Option<(f64, f64)> {
    let positives = margins.iter().filter(|(_, positive)| *positive).count();
    let negatives = margins.len() - positives;
    if positives == 0 || negatives == 0 {
        return None;
    }
    // Platt's targets: not quite 0 and 1, or separable samples would be certain.
    let target = |positive| {
        if positive {
            (positives as f64 + 1.0) / (positives as f64 + 2.0)
        } else {
            1.0 / (negatives as f64 + 2.0)
        }
    };
    let weight = |positive| 0.5 / if positive { positives as f64 } else { negatives as f64 };
    let (mut slope, mut shift) = (0.0, 0.0);
    let loss = |slope: f64, shift: f64| -> f64 {
        let of = |&(m, positive): &(f64, bool)| {
            let x = slope * m + shift;
            weight(positive) * (x.max(0.0) + (-x.abs()).exp().ln_1p() - target(positive) * x)
        };
        margins.iter().map(of).sum()
    };
    for _ in 0..100 {
        let (mut g, mut h) = ([0.0; 2], [1e-12, 0.0, 1e-12]);
        for &(m, positive) in margins {
            let p = sigmoid(slope * m + shift);
            let error = weight(positive) * (p - target(positive));
            let spread = weight(positive) * p * (1.0 - p);
            g[0] += error * m;
            g[1] += error;
            h[0] += spread * m * m;
            h[1] += spread * m;
            h[2] += spread;
        }
        let determinant = h[0] * h[2] - h[1] * h[1];
        if g[0].abs().max(g[1].abs()) < 1e-10 || determinant <= 0.0 {
            break;
        }
        let by =
            ((h[2] * g[0] - h[1] * g[1]) / determinant, (h[0] * g[1] - h[1] * g[0]) / determinant);
        let before = loss(slope, shift);
        let mut size = 1.0;
        while size > 1e-10 && loss(slope - size * by.0, shift - size * by.1) > before {
            size *= 0.5;
        }
        (slope, shift) = (slope - size * by.0, shift - size * by.1);
    }
    (slope > 0.0 && slope.is_finite() && shift.is_finite()).then_some((slope, shift))
}

/// From log-odds to a probability.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f64, positive: bool) -> Row {
        Row { features: vec![(0, x)], positive }
    }

    /// At the minimum the gradient vanishes: each weight is the sum of what the samples still pull.
    #[test]
    fn finds_the_minimum() {
        let rows =
            [row(1.0, true), row(0.4, true), row(0.6, false), row(-1.0, false), row(-0.2, false)];
        let rows: Vec<&Row> = rows.iter().collect();
        let cost = 3.0;
        let fit = fit(&rows, 1, cost);
        let (mut weight, mut bias) = (0.0, 0.0);
        for row in &rows {
            let c = cost * 5.0 / (2.0 * if row.positive { 2.0 } else { 3.0 });
            let y = if row.positive { 1.0 } else { -1.0 };
            let pull = c * y * sigmoid(-y * fit.margin(row));
            weight += pull * row.features[0].1;
            bias += pull;
        }
        assert!((weight - fit.weights[0]).abs() < 1e-3, "{weight} {fit:?}");
        assert!((bias - fit.bias).abs() < 1e-3, "{bias} {fit:?}");
    }

    #[test]
    fn calibrates_margins_that_are_too_sure() {
        // Of margin 4 three in four are examples, of margin -4 one in four.
        let mut margins = Vec::new();
        for _ in 0..100 {
            margins.extend([(4.0, true), (4.0, true), (4.0, true), (4.0, false)]);
            margins.extend([(-4.0, false), (-4.0, false), (-4.0, false), (-4.0, true)]);
        }
        let (slope, shift) = calibrate(&margins).unwrap();
        assert!((sigmoid(4.0 * slope + shift) - 0.75).abs() < 0.01, "{slope} {shift}");
        assert!(calibrate(&[(1.0, false), (-1.0, true)]).is_none());
    }
}
