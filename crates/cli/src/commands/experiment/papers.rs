//! The figures of the papers, to show beside ours. Fisher information of text classifiers: arXiv 2010.07212 and its
//! later version; the tables are theirs.

/// Correlations of log lambda_max: data, model, r with p_flip and its p-value, r with the smallest perturbation and its
/// p-value.
pub const CORRELATIONS: [[&str; 6]; 9] = [
    ["Yelp polarity", "CNN", "0.30", "1.3e-11", "-0.41", "5.8e-42"],
    ["Yelp polarity", "FastText", "0.38", "2.7e-18", "-0.36", "7.7e-32"],
    ["Yelp polarity", "LSTM", "0.38", "1.2e-18", "-0.40", "7.8e-39"],
    ["AG News", "CNN", "0.24", "1.4e-11", "-0.31", "6.4e-30"],
    ["AG News", "FastText", "0.21", "3.8e-16", "-0.30", "6.2e-28"],
    ["AG News", "LSTM", "0.26", "2.4e-10", "-0.27", "5.9e-29"],
    ["Sogou News", "CNN", "0.22", "7.3e-8", "-0.26", "7.8e-32"],
    ["Sogou News", "FastText", "0.23", "2.2e-15", "-0.19", "7.4e-32"],
    ["Sogou News", "LSTM", "0.31", "4.2e-18", "-0.21", "7.7e-39"],
];

/// p_flip of the 200 to 1200 texts with the lowest and the highest lambda_max.
pub const ENDS: [[&str; 3]; 3] =
    [["AG News", "0.05", "0.5"], ["Sogou News", "0", "0.38"], ["Yelp polarity", "0.1", "0.85"]];

/// lambda(original) - lambda(revised): model, set, mean and standard deviation.
pub const DIFFERENCES: [[&str; 4]; 8] = [
    ["CNN", "counterfactual, dev", "-0.55", "1.17"],
    ["CNN", "counterfactual, test", "-0.57", "1.22"],
    ["CNN", "contrast, dev", "0.56", "0.89"],
    ["CNN", "contrast, test", "0.65", "1.15"],
    ["BERT", "counterfactual, dev", "0.004", "0.10"],
    ["BERT", "counterfactual, test", "0.003", "0.11"],
    ["BERT", "contrast, dev", "0.02", "0.10"],
    ["BERT", "contrast, test", "-0.01", "0.11"],
];

/// Rows of words as rows of a table.
pub fn rows<const N: usize>(rows: &[[&str; N]]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
}
