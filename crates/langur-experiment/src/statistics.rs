//! Means and how sure one can be of them.

use serde::Serialize;

/// A mean over random seeds with its 95% interval by Student's t. With one seed there is no telling,
/// and the interval is the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
    /// Half of the interval, before its ends were kept within what is possible.
    pub half: f64,
    /// The number of seeds.
    pub n: usize,
}

/// Student's t for a two-sided 95% interval, by degrees of freedom from 1.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];
/// With more than thirty degrees of freedom.
const T_MANY: f64 = 2.0;

impl Estimate {
    /// From one value for each seed; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Estimate> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = match n {
            1 => 0.0,
            _ => {
                let t = T.get(n - 2).copied().unwrap_or(T_MANY);
                t * (squares / (n - 1) as f64).sqrt() / (n as f64).sqrt()
            }
        };
        Some(Estimate { mean, low: mean - half, high: mean + half, half, n })
    }

    /// The same for values that are shares: no interval of theirs leaves 0 to 1.
    pub fn of_shares(values: &[f64]) -> Option<Estimate> {
        let all = Estimate::of(values)?;
        Some(Estimate { low: all.low.max(0.0), high: all.high.min(1.0), ..all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_as_in_the_textbook() {
        // Mean 3, standard deviation 1.5811, standard error 0.7071, t(4) = 2.776.
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!(estimate.mean, 3.0);
        assert!((estimate.high - 3.0 - 1.963).abs() < 0.001, "{estimate:?}");
        assert_eq!(
            Estimate::of(&[7.0]).unwrap(),
            Estimate { mean: 7.0, low: 7.0, high: 7.0, half: 0.0, n: 1 }
        );
        assert_eq!(Estimate::of(&[]), None);
        let shares = Estimate::of_shares(&[0.1, 0.9]).unwrap();
        assert_eq!((shares.low, shares.mean, shares.high), (0.0, 0.5, 1.0));
    }
}
