//! How much memory reading takes at its peak: Parquet files that are small on disk and large once they are read.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray};
use fissure_data::{ReadOptions, Samples};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use tempfile::TempDir;

/// The system's allocator, with the bytes that are taken now, and the most that ever were.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn taken(bytes: usize) {
    MOST.fetch_max(NOW.fetch_add(bytes, Ordering::Relaxed) + bytes, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came; the counters do not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        taken(size);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const ROWS: usize = 40;
const TEXT: usize = 16 << 20;

fn write(folder: &TempDir, columns: Vec<(&str, ArrayRef)>) -> std::path::PathBuf {
    let path = folder.path().join("data.parquet");
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(Default::default()))
        .set_dictionary_page_size_limit(usize::MAX)
        .build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(File::create(&path).unwrap(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path
}

fn samples(path: &std::path::Path) -> Samples {
    Samples::open([path], ReadOptions::new(fissure_tasks::find("sa").unwrap())).unwrap()
}

/// One test, because the counters belong to the process.
#[test]
fn parquet_is_read_by_bytes_and_not_numbers_are_no_labels() {
    let folder = TempDir::new().unwrap();
    let words: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(TEXT)]));
    let texts = DictionaryArray::<Int32Type>::new(Int32Array::from(vec![0; ROWS]), words);
    let labels = Int32Array::from(vec![1; ROWS]);
    let path = write(&folder, vec![("text", Arc::new(texts)), ("label", Arc::new(labels))]);
    assert!(path.metadata().unwrap().len() < 1 << 20);
    MOST.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
    let before = NOW.load(Ordering::Relaxed);
    let mut count = 0;
    for sample in samples(&path) {
        assert_eq!(sample.unwrap().fields[0].text.len(), TEXT);
        count += 1;
    }
    assert_eq!(count, ROWS);
    let most = (MOST.load(Ordering::Relaxed) - before) >> 20;
    assert!(most < 400, "{most} MB for {ROWS} rows of one text of {} MB", TEXT >> 20);

    let texts = StringArray::from(vec!["fine", "good"]);
    let labels = Float64Array::from(vec![1.0, f64::NAN]);
    let others = Float64Array::from(vec![f64::NAN, 2.0]);
    let path = write(&folder, vec![("text", Arc::new(texts)), ("label", Arc::new(labels)), ("more", Arc::new(others))]);
    let mut samples = samples(&path);
    let said = samples.next().unwrap().unwrap_err().to_string();
    assert!(said.contains("row 1: column `label`: not a number"), "{said}");
}
