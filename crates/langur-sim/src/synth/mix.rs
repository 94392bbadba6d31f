//! Dividing whole numbers of pages so that prescribed totals come out.

use super::random::Random;

/// Divides every host's pages over four classes. The hosts differ from each other as much as
/// `heterogeneity` says, and the totals over all hosts are in proportion to `shares`.
pub(crate) fn mixes(
    sizes: &[u32],
    shares: [f64; 4],
    heterogeneity: f64,
    random: &mut Random,
) -> Vec<[u32; 4]> {
    let pages: f64 = sizes.iter().map(|&size| f64::from(size)).sum();
    let sum: f64 = shares.iter().sum();
    if pages == 0.0 || sum == 0.0 {
        return vec![[0; 4]; sizes.len()];
    }
    let shares = shares.map(|share| share / sum);
    let taste: Vec<[f64; 4]> = sizes
        .iter()
        .map(|_| {
            std::array::from_fn(|_| 1.0 - heterogeneity + heterogeneity * random.exponential())
        })
        .collect();
    let scale = balance(sizes, &taste, shares, pages);
    let mut owed = [0.0; 4];
    let divide = |(&size, taste): (&u32, &[f64; 4])| {
        let wanted = wanted(f64::from(size), taste, scale, shares);
        round(size, wanted, &mut owed)
    };
    sizes.iter().zip(&taste).map(divide).collect()
}

/// Iterative proportional fitting: a factor for each class such that the totals come out.
fn balance(sizes: &[u32], taste: &[[f64; 4]], shares: [f64; 4], pages: f64) -> [f64; 4] {
    let mut scale = [1.0; 4];
    for _ in 0..12 {
        let mut totals = [0.0; 4];
        for (&size, taste) in sizes.iter().zip(taste) {
            let wanted = wanted(f64::from(size), taste, scale, shares);
            (0..4).for_each(|c| totals[c] += wanted[c]);
        }
        for c in 0..4 {
            if totals[c] > 0.0 {
                scale[c] *= shares[c] * pages / totals[c];
            }
        }
    }
    scale
}

fn wanted(size: f64, taste: &[f64; 4], scale: [f64; 4], shares: [f64; 4]) -> [f64; 4] {
    let weights: [f64; 4] = std::array::from_fn(|c| taste[c] * scale[c] * shares[c]);
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| if sum > 0.0 { weight / sum * size } else { size / 4.0 })
}

/// Rounds to whole pages that add up to `size`, carrying what is owed to the next host.
fn round(size: u32, wanted: [f64; 4], owed: &mut [f64; 4]) -> [u32; 4] {
    let due: [f64; 4] = std::array::from_fn(|c| wanted[c] + owed[c]);
    let mut counts = [0_u32; 4];
    let mut left = size;
    for c in 0..4 {
        counts[c] = (due[c].floor().max(0.0) as u32).min(left);
        left -= counts[c];
    }
    while left > 0 {
        let behind = |c: usize| due[c] - f64::from(counts[c]);
        let most = (0..4).max_by(|&a, &b| behind(a).total_cmp(&behind(b))).expect("four classes");
        counts[most] += 1;
        left -= 1;
    }
    *owed = std::array::from_fn(|c| due[c] - f64::from(counts[c]));
    counts
}

/// Deals things of different sizes to kinds that need so much each, the largest first: every kind
/// that still needs at least half of a thing may have it, in proportion to its need.
pub(crate) fn deal(sizes: &[f64], mut needs: Vec<f64>, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]).then(a.cmp(&b)));
    let mut kinds = vec![0; sizes.len()];
    for thing in order {
        let half = sizes[thing] / 2.0;
        let weights: Vec<f64> =
            needs.iter().map(|&need| if need >= half { need } else { 0.0 }).collect();
        let kind = if weights.iter().any(|&weight| weight > 0.0) {
            random.weighted(&weights)
        } else {
            (0..needs.len())
                .max_by(|&a, &b| needs[a].total_cmp(&needs[b]))
                .expect("there are kinds")
        };
        needs[kind] -= sizes[thing];
        kinds[thing] = kind;
    }
    kinds
}

/// Whole numbers in proportion to `weights` that add up to `total` (rounded), by carrying fractions.
pub(crate) fn largest_remainder(weights: &[f64], total: f64) -> Vec<u32> {
    let sum: f64 = weights.iter().sum();
    let (mut before, mut reached) = (0.0, 0.0);
    let share = |&weight: &f64| {
        reached += weight / sum.max(1.0) * total;
        let here = (reached + 0.5).floor();
        let share = here - before;
        before = here;
        share as u32
    };
    weights.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::super::random::Purpose;
    use super::*;

    #[test]
    fn totals_come_out_and_every_host_keeps_its_size() {
        let sizes: Vec<u32> =
            (0..500).map(|i| 1 + i % 37 + if i == 7 { 5000 } else { 0 }).collect();
        let mixed =
            mixes(&sizes, [5.0, 3.0, 0.5, 1.5], 1.0, &mut Random::new(1, Purpose::Mixes, 0));
        let mut totals = [0; 4];
        for (counts, &size) in mixed.iter().zip(&sizes) {
            assert_eq!(counts.iter().sum::<u32>(), size);
            (0..4).for_each(|c| totals[c] += counts[c]);
        }
        let pages: u32 = sizes.iter().sum();
        for (total, share) in totals.iter().zip([0.5, 0.3, 0.05, 0.15]) {
            assert!((f64::from(*total) / f64::from(pages) - share).abs() < 0.002, "{totals:?}");
        }
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(largest_remainder(&[1.0, 1.0, 2.0, 0.0], 10.0).iter().sum::<u32>(), 10);
        assert_eq!(largest_remainder(&[0.0, 3.0], 7.0), [0, 7]);
    }
}
