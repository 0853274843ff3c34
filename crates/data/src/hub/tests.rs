//! The hub against a small server on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use self::server::{COMMIT, Server, Shelf};
use super::*;

mod server;

/// A large file: longer than one read, and no two parts of it alike.
fn large() -> Vec<u8> {
    (0..200_000u32).flat_map(|number| number.to_le_bytes()).collect()
}

fn shelf() -> Shelf {
    let files = vec![
        ("README.md", b"# Reviews".to_vec(), false),
        ("data/test-00000-of-00001.parquet", large(), true),
        ("data/train.jsonl", b"{\"text\": \"good\"}\n".to_vec(), false),
    ];
    Shelf { files, ..Shelf::default() }
}

fn options(server: &Server, cache: &TempDir) -> HubOptions {
    HubOptions { endpoint: server.endpoint.clone(), ..HubOptions::new(cache.path()) }
}

/// The data files of an address, from this server into this cache.
fn data(server: &Server, cache: &TempDir, address: &str) -> Result<Vec<PathBuf>> {
    Hub::new(options(server, cache)).data(&address.parse()?)
}

fn error(server: &Server, cache: &TempDir, address: &str) -> String {
    data(server, cache, address).expect_err("an error").to_string()
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The drafts left in a repository's blobs, and how long they are.
fn drafts(cache: &TempDir) -> Vec<u64> {
    let blobs = fs::read_dir(cache.path().join("datasets--a--b/blobs")).expect("blobs").flatten();
    let drafts = blobs.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "incomplete"));
    drafts.map(|entry| entry.metadata().expect("its size").len()).collect()
}

#[test]
fn a_file_comes_once_and_is_then_found_without_a_network() {
    let (server, cache) = (Server::new(shelf()), folder());
    let fetched = data(&server, &cache, "hf:a/b:test").expect("the split");
    assert_eq!(
        fetched,
        [cache.path().join(format!("datasets--a--b/snapshots/{COMMIT}/data/test-00000-of-00001.parquet"))]
    );
    assert_eq!(fs::read(&fetched[0]).expect("the file"), large());
    let asked = server.seen();
    assert_eq!(asked.len(), 4, "{asked:?}");
    assert_eq!(data(&server, &cache, "hf:a/b:test").expect("from the cache"), fetched);
    assert_eq!(data(&server, &cache, &format!("hf:a/b@{COMMIT}:test")).expect("by its commit"), fetched);
    assert_eq!(server.seen(), asked);
    let nobody = HubOptions { endpoint: "http://127.0.0.1:1".into(), offline: true, ..options(&server, &cache) };
    assert_eq!(Hub::new(nobody).data(&"hf:a/b:test".parse().expect("an address")).expect("offline"), fetched);
}

#[test]
fn the_cache_is_the_one_that_python_keeps() {
    let (server, cache) = (Server::new(shelf()), folder());
    data(&server, &cache, "hf:a/b@refs/pr/1:train").expect("the split");
    let repository = cache.path().join("datasets--a--b");
    assert_eq!(fs::read_to_string(repository.join("refs/refs/pr/1")).expect("the reference"), COMMIT);
    let file = repository.join(format!("snapshots/{COMMIT}/data/train.jsonl"));
    if cfg!(unix) {
        let target = fs::read_link(&file).expect("a link");
        assert!(target.starts_with("../../../blobs"), "{target:?}");
        assert_eq!(target.file_name().expect("a name").len(), 40);
    }
    assert_eq!(fs::read_to_string(&file).expect("the file"), "{\"text\": \"good\"}\n");
    assert!(drafts(&cache).is_empty());
    // The same bytes under another name are not fetched again.
    let asked = server.seen().len();
    fs::remove_file(&file).expect("the link goes");
    data(&server, &cache, "hf:a/b:data/train.jsonl").expect("linked again");
    assert_eq!(server.seen().len(), asked + 2, "{:?}", server.seen());
}

#[test]
fn a_cache_that_python_filled_is_read() {
    let cache = folder();
    let snapshot = cache.path().join(format!("models--a--b/snapshots/{COMMIT}"));
    fs::create_dir_all(&snapshot).expect("folders");
    fs::write(snapshot.join("config.json"), "{}").expect("a file");
    fs::create_dir_all(cache.path().join("models--a--b/refs")).expect("folders");
    fs::write(cache.path().join("models--a--b/refs/main"), COMMIT).expect("a reference");
    let hub = Hub::new(HubOptions { offline: true, ..HubOptions::new(cache.path()) });
    let address: Address = "hf:a/b".parse().expect("an address");
    assert_eq!(hub.files(Kind::Model, &address, &["config.json"]).expect("a hit"), [snapshot.join("config.json")]);
    let missing = hub.files(Kind::Model, &address, &["model.safetensors"]).expect_err("a miss").to_string();
    let looked = cache.path().join("models--a--b");
    assert_eq!(
        missing,
        format!(
            "`hf:a/b` is not in the cache, and this run is offline. Looked in `{}`: `a/b` has no file \
             `model.safetensors`. There are: config.json. Run once with a network, or set HF_HOME to the folder that has it",
            looked.display()
        )
    );
}

#[test]
fn a_checkpoint_comes_from_one_commit() {
    let files = vec![("config.json", b"{}".to_vec(), false), ("model 1.safetensors", large(), true)];
    let (server, cache) = (Server::new(Shelf { files, ..Shelf::default() }), folder());
    let hub = Hub::new(options(&server, &cache));
    let address: Address = "hf:a/b".parse().expect("an address");
    let paths = hub.files(Kind::Model, &address, &["config.json", "model 1.safetensors"]).expect("both");
    assert_eq!(fs::read(&paths[1]).expect("the weights"), large());
    assert!(
        paths.iter().all(|path| path.starts_with(cache.path().join("models--a--b").join("snapshots").join(COMMIT)))
    );
}

#[test]
fn a_broken_download_goes_on_where_it_broke() {
    let cut = 300_000;
    let (server, cache) = (Server::new(Shelf { cut: (cut, 1), ..shelf() }), folder());
    let fetched = data(&server, &cache, "hf:a/b:test").expect("taken up within the run");
    assert_eq!(fs::read(&fetched[0]).expect("the file"), large());
    assert!(server.seen().iter().any(|line| line.starts_with("GET /store/") && line.ends_with(" from 300000")));

    // A server that always breaks off: the run ends, what came is kept, and the next run goes on.
    let (server, cache) = (Server::new(Shelf { cut: (100_000, 3), ..shelf() }), folder());
    let why = error(&server, &cache, "hf:a/b:test");
    assert!(why.contains("`data/test-00000-of-00001.parquet` of `a/b` ended after 300000 of 800000 bytes"), "{why}");
    assert_eq!(drafts(&cache), [300_000]);
    assert!(!cache.path().join("datasets--a--b/refs/main").exists());
    let fetched = data(&server, &cache, "hf:a/b:test").expect("the rest");
    assert_eq!(fs::read(&fetched[0]).expect("the file"), large());
    assert!(server.seen().last().expect("requests").ends_with(" from 300000"));
    assert!(drafts(&cache).is_empty());
}

#[test]
fn a_server_without_ranges_starts_again() {
    let (server, cache) = (Server::new(Shelf { cut: (100_000, 1), no_ranges: true, ..shelf() }), folder());
    let fetched = data(&server, &cache, "hf:a/b:test").expect("the file");
    assert_eq!(fs::read(&fetched[0]).expect("the file"), large());
}

#[test]
fn damaged_bytes_never_enter_the_cache() {
    let (server, cache) = (Server::new(Shelf { damaged: true, ..shelf() }), folder());
    let why = error(&server, &cache, "hf:a/b:test");
    assert!(why.contains("arrived damaged: its SHA-256 is ") && why.contains("run again"), "{why}");
    assert_eq!(drafts(&cache), [0]);
    server.shelf.lock().expect("the shelf").damaged = false;
    let fetched = data(&server, &cache, "hf:a/b:test").expect("the right bytes");
    assert_eq!(fs::read(&fetched[0]).expect("the file"), large());
    // A draft that is longer than the file, or wrong from the start, does not stay either.
    let (server, cache) = (Server::new(shelf()), folder());
    let draft = |bytes: &[u8]| {
        let blobs = cache.path().join("datasets--a--b/blobs");
        fs::create_dir_all(&blobs).expect("a folder");
        let etag = Path::new(&fetched[0]).canonicalize().expect("the blob");
        let name = etag.file_name().expect("its name").to_str().expect("hexadecimal").to_owned();
        fs::write(blobs.join(format!("{name}.fissure.incomplete")), bytes).expect("a draft");
    };
    draft(&[7; 900_000]);
    assert_eq!(fs::read(&data(&server, &cache, "hf:a/b:test").expect("again")[0]).expect("the file"), large());
    fs::remove_dir_all(cache.path().join("datasets--a--b")).expect("the cache goes");
    draft(&[7; 10]);
    assert!(error(&server, &cache, "hf:a/b:test").contains("arrived damaged"));
    assert_eq!(fs::read(&data(&server, &cache, "hf:a/b:test").expect("again")[0]).expect("the file"), large());
}

#[test]
fn the_token_goes_to_the_hub_and_not_to_the_store() {
    let (server, cache) = (Server::new(Shelf { token: Some("secret"), ..shelf() }), folder());
    let why = error(&server, &cache, "hf:a/b:test");
    let wanted = format!(
        "{} has no data set `a/b`, or keeps it private. Check its name; for a private one set HF_TOKEN",
        server.endpoint
    );
    assert_eq!(why, wanted);
    let with_token = HubOptions { token: Some("secret".into()), ..options(&server, &cache) };
    Hub::new(with_token).data(&"hf:a/b:test".parse().expect("an address")).expect("let in");
    let seen = server.seen();
    assert!(seen.iter().any(|line| line.starts_with("GET /store/")), "{seen:?}");
    assert!(seen.iter().skip(1).all(|line| line.contains(" token") != line.contains("/store/")), "{seen:?}");
}

#[test]
fn a_renamed_repository_is_followed() {
    let (server, cache) = (Server::new(shelf()), folder());
    let fetched = data(&server, &cache, "hf:old/name:train").expect("under its new name");
    assert!(fetched[0].starts_with(cache.path().join("datasets--old--name")));
}

#[test]
fn refusals_name_the_next_step() {
    let (server, cache) = (Server::new(shelf()), folder());
    assert!(error(&server, &cache, "hf:a/b@v9:test").contains("`a/b` has no revision `v9`"));
    assert!(error(&server, &cache, "hf:no/such:test").contains("has no data set `no/such`"));
    assert!(
        error(&server, &cache, "hf:a/b:tset")
            .contains("`a/b` has no file `tset`. There are: data/test-00000-of-00001.parquet")
    );
    assert!(error(&server, &cache, "hf:a/b").contains("`hf:a/b` could be several tables"));
    let refuse = |status, code| {
        server.shelf.lock().expect("the shelf").refusal = Some((status, code));
        error(&server, &cache, "hf:a/b:test")
    };
    assert!(refuse(403, "GatedRepo").contains("accepted its terms"));
    assert!(refuse(503, "Busy").contains("answers 503"));
    let answer = |list| {
        let (server, cache) = (Server::new(Shelf { list: Some(list), ..shelf() }), folder());
        error(&server, &cache, "hf:a/b:test")
    };
    assert!(answer("<html>").contains("does not answer as a Hugging Face hub does: no JSON"));
    assert!(answer("{}").contains("no commit"));
    assert!(answer("{\"sha\":\"../../x\"}").contains("no commit"));
    // A list that tries to lead out of the cache is as good as empty.
    let out =
        "{\"sha\":\"0123456789abcdef0123456789abcdef01234567\",\"siblings\":[{\"rfilename\":\"../../../test.csv\"}]}";
    assert!(answer(out).contains("has no data file"));
    let nobody = HubOptions { endpoint: "http://127.0.0.1:1".into(), ..options(&server, &cache) };
    let why = Hub::new(nobody).data(&"hf:a/b:test".parse().expect("an address")).expect_err("nobody").to_string();
    assert!(
        why.contains("cannot reach http://127.0.0.1:1 for `hf:a/b:test`") && why.contains("datasets--a--b"),
        "{why}"
    );
}

#[test]
fn two_at_once_fetch_one_file() {
    let (server, cache) = (Server::new(shelf()), folder());
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| data(&server, &cache, "hf:a/b:test"))).collect();
        for run in runs {
            let fetched = run.join().expect("no panic").expect("the file");
            assert_eq!(fs::read(&fetched[0]).expect("the file"), large());
        }
    });
    assert!(drafts(&cache).is_empty());
}
