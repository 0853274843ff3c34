//! The figures of Gupta, Kvernadze and Srikumar (2021), in per cent.

/// What the paper has for one data set.
pub struct Paper {
    name: &'static str,
    /// Table 5.
    pub accuracy: f64,
    /// Tables 5 and 7: mean confidence on valid data, and on destroyed.
    pub confidence: (f64, f64),
    /// Table 6.
    pub agreement: &'static [(&'static str, f64)],
    /// Table 11: trained on shuffled texts, and on the originals.
    pub shuffled: (f64, f64),
    /// Table 12: right on valid data, and recognised, for threshold, entropy with threshold, and the invalid class.
    pub mitigation: [(f64, f64); 3],
}

impl Paper {
    pub fn of(data: &str) -> Option<&'static Self> {
        PAPERS.iter().find(|paper| paper.name == data)
    }
}

static PAPERS: [Paper; 3] = [
    Paper {
        name: "sst2",
        accuracy: 94.04,
        confidence: (99.75, 99.13),
        agreement: &[
            ("sort", 83.3),
            ("reverse", 82.5),
            ("shuffle", 84.8),
            ("mean, lexical", 83.5),
            ("replace", 78.1),
            ("repeat", 81.3),
            ("drop", 82.5),
            ("mean, by importance", 80.6),
            ("pbsmt", 75.2),
        ],
        shuffled: (91.97, 94.04),
        mitigation: [(90.37, 35.79), (92.66, 95.41), (92.78, 96.35)],
    },
    Paper {
        name: "mrpc",
        accuracy: 89.46,
        confidence: (98.40, 97.77),
        agreement: &[
            ("sort", 81.1),
            ("reverse", 77.9),
            ("shuffle", 80.4),
            ("copy_sort", 96.8),
            ("mean, lexical", 84.1),
            ("replace", 56.6),
            ("repeat", 68.1),
            ("drop", 76.7),
            ("copy_one", 100.0),
            ("mean, by importance", 75.4),
        ],
        shuffled: (84.80, 89.46),
        mitigation: [(89.46, 36.82), (88.24, 99.43), (88.73, 99.78)],
    },
    Paper {
        name: "snli",
        accuracy: 90.87,
        confidence: (98.38, 92.46),
        agreement: &[
            ("sort", 82.6),
            ("reverse", 75.1),
            ("shuffle", 81.1),
            ("copy_sort", 81.3),
            ("mean, lexical", 80.1),
            ("replace", 51.9),
            ("repeat", 68.5),
            ("drop", 72.7),
            ("copy_one", 83.7),
            ("mean, by importance", 69.2),
            ("pbsmt", 65.6),
        ],
        shuffled: (89.44, 90.70),
        mitigation: [(88.01, 54.68), (89.65, 93.54), (90.88, 98.41)],
    },
];
