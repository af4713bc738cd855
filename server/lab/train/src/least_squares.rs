//! Levenberg's and Marquardt's method for numbers that all groups of measurements share, and two that each has of its own.

/// A problem of least squares.
pub(crate) trait Problem {
    /// How many numbers all groups share.
    fn shared(&self) -> usize;
    /// How many groups there are.
    fn groups(&self) -> usize;
    /// The errors of a group; always as many, whatever the numbers are.
    fn errors(&self, shared: &[f64], own: [f64; 2], group: usize, out: &mut Vec<f64>);
    /// Errors above this count in proportion, and not as squares.
    fn limit(&self) -> f64;
}

/// The step for derivatives; all numbers are of the order of one.
const DERIVATIVE_STEP: f64 = 1e-4;
/// No number moves farther in one round.
const LONGEST_STEP: f64 = 0.7;
const MOST_ROUNDS: usize = 80;
/// An improvement by a smaller part ends the search.
const ENOUGH: f64 = 1e-9;

/// The best numbers from a first guess: the shared ones, and each group's own.
pub(crate) fn solve(
    problem: &dyn Problem,
    mut shared: Vec<f64>,
    mut own: Vec<[f64; 2]>,
) -> (Vec<f64>, Vec<[f64; 2]>) {
    let count = shared.len();
    debug_assert_eq!((count, own.len()), (problem.shared(), problem.groups()));
    let mut damping = 1e-2;
    let mut loss = total(problem, &shared, &own);
    for _ in 0..MOST_ROUNDS {
        let (matrix, gradient) = normal_equations(problem, &shared, &own);
        let mut is_better = false;
        while damping < 1e8 {
            let mut damped = matrix.clone();
            for (index, row) in damped.iter_mut().enumerate() {
                row[index] += damping * row[index].max(1e-9);
            }
            let step = eliminate(damped, gradient.clone());
            let bounded = |step: f64| step.clamp(-LONGEST_STEP, LONGEST_STEP);
            let new_shared: Vec<f64> =
                shared.iter().zip(&step).map(|(value, step)| value - bounded(*step)).collect();
            let new_own: Vec<[f64; 2]> = own
                .iter()
                .enumerate()
                .map(|(group, [a, b])| {
                    let at = count + 2 * group;
                    [a - bounded(step[at]), b - bounded(step[at + 1])]
                })
                .collect();
            let new_loss = total(problem, &new_shared, &new_own);
            if new_loss < loss {
                is_better = loss - new_loss > ENOUGH * loss;
                (shared, own, loss) = (new_shared, new_own, new_loss);
                damping = (damping / 5.0).max(1e-9);
                break;
            }
            damping *= 4.0;
        }
        if !is_better {
            break;
        }
    }
    (shared, own)
}

/// Sum of Huber's loss over all errors.
fn total(problem: &dyn Problem, shared: &[f64], own: &[[f64; 2]]) -> f64 {
    let (limit, mut errors) = (problem.limit(), Vec::new());
    let mut sum = 0.0;
    for (group, own) in own.iter().enumerate() {
        problem.errors(shared, *own, group, &mut errors);
        for error in errors.iter().map(|error| error.abs()) {
            sum += if error <= limit { error * error } else { limit * (2.0 * error - limit) };
        }
    }
    if sum.is_finite() { sum } else { f64::INFINITY }
}

/// Jacobian's square and the gradient, with the shared numbers first; large errors weigh less.
fn normal_equations(problem: &dyn Problem, shared: &[f64], own: &[[f64; 2]]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let count = shared.len();
    let size = count + 2 * own.len();
    let (mut matrix, mut gradient) = (vec![vec![0.0; size]; size], vec![0.0; size]);
    let (mut errors, mut moved) = (Vec::new(), Vec::new());
    for (group, &numbers) in own.iter().enumerate() {
        problem.errors(shared, numbers, group, &mut errors);
        let columns: Vec<usize> = (0..count).chain([count + 2 * group, count + 2 * group + 1]).collect();
        let slopes: Vec<Vec<f64>> = (0..columns.len())
            .map(|index| {
                let (mut shared, mut numbers) = (shared.to_vec(), numbers);
                match index.checked_sub(count) {
                    Some(of_own) => numbers[of_own] += DERIVATIVE_STEP,
                    None => shared[index] += DERIVATIVE_STEP,
                }
                problem.errors(&shared, numbers, group, &mut moved);
                moved.iter().zip(&errors).map(|(moved, error)| (moved - error) / DERIVATIVE_STEP).collect()
            })
            .collect();
        for (row, error) in errors.iter().enumerate() {
            let weight = (problem.limit() / error.abs().max(1e-12)).min(1.0);
            for (i, &a) in columns.iter().enumerate() {
                let slope = weight * slopes[i][row];
                gradient[a] += slope * error;
                for (j, &b) in columns.iter().enumerate() {
                    matrix[a][b] += slope * slopes[j][row];
                }
            }
        }
    }
    (matrix, gradient)
}

/// Solves linear equations with a positive definite matrix.
fn eliminate(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let pivot_row = &above[pivot];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[pivot] / pivot_row[pivot];
            if factor != 0.0 {
                for column in pivot..size {
                    row[column] -= factor * pivot_row[column];
                }
                right[pivot + 1 + offset] -= factor * right[pivot];
            }
        }
    }
    for index in (0..size).rev() {
        let known: f64 = (index + 1..size).map(|column| matrix[index][column] * right[column]).sum();
        right[index] = (right[index] - known) / matrix[index][index];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each group is a line y = (own 0) + (own 1) x + (shared) x^2.
    struct Parabolas;

    const X: [f64; 5] = [-2.0, -1.0, 0.0, 1.0, 2.0];

    impl Problem for Parabolas {
        fn shared(&self) -> usize {
            1
        }
        fn groups(&self) -> usize {
            2
        }
        fn errors(&self, shared: &[f64], own: [f64; 2], group: usize, out: &mut Vec<f64>) {
            out.clear();
            let truth = [[1.0, 2.0], [-1.0, 0.5]][group];
            let value = |[a, b]: [f64; 2], c: f64, x: f64| a + b * x + c * x * x;
            // One measurement is far off.
            let outlier = |x: f64| if group == 0 && x == 2.0 { 50.0 } else { 0.0 };
            out.extend(X.map(|x| value(own, shared[0], x) - value(truth, 0.3, x) - outlier(x)));
        }
        fn limit(&self) -> f64 {
            0.01
        }
    }

    #[test]
    fn shared_and_own_numbers_are_found_in_spite_of_an_outlier() {
        let (shared, own) = solve(&Parabolas, vec![0.0], vec![[0.0; 2]; 2]);
        assert!((shared[0] - 0.3).abs() < 0.02, "{shared:?}");
        assert!((own[0][0] - 1.0).abs() < 0.05 && (own[1][1] - 0.5).abs() < 0.05, "{own:?}");
    }
}
