//! Brings one file into the cache: to a draft first, then, whole and checked, under its name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use ureq::Body;
use ureq::http::Response;

use super::cache::{Cached, make_folder_of};
use super::client::{About, Client, header};
use super::{HubError, Result};

/// How often a broken download is taken up again, as long as it gets on.
const ATTEMPTS: usize = 3;

/// The path of a file in the cache; fetched unless it is there.
pub(super) fn fetch(client: &Client<'_>, cached: &Cached, commit: &str, file: &str) -> Result<PathBuf> {
    let path = cached.path(commit, file);
    if path.is_file() {
        return Ok(path);
    }
    let about = client.about(commit, file)?;
    let blob = cached.blob(&about.etag);
    if !blob.is_file() {
        let draft = blob.with_file_name(format!("{}.fissure.incomplete", about.etag));
        let download = Download { client, file, about: &about, draft: &draft, blob: &blob };
        download.run()?;
    }
    cached.link(commit, file, &about.etag)
}

struct Download<'a> {
    client: &'a Client<'a>,
    file: &'a str,
    about: &'a About,
    /// Named after the content, so a later run goes on where this one ended.
    draft: &'a Path,
    blob: &'a Path,
}

impl Download<'_> {
    fn run(&self) -> Result<()> {
        let cannot = |why| HubError::Cache { path: self.draft.into(), why };
        make_folder_of(self.draft).map_err(cannot)?;
        let mut draft =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(self.draft).map_err(cannot)?;
        // One process at a time; the second one finds the complete file.
        draft.lock().map_err(cannot)?;
        if self.blob.is_file() {
            // The draft we opened may no longer be needed.
            let _ = fs::remove_file(self.draft);
            return Ok(());
        }
        for attempt in 1.. {
            let before = draft.seek(SeekFrom::End(0)).map_err(cannot)?;
            let why = match self.fill(&mut draft, before) {
                Ok(()) => break,
                Err(Broken::Server(why)) => why,
                Err(Broken::Here(why)) => return Err(cannot(why)),
                Err(Broken::Hub(why)) => return Err(why),
            };
            let got = draft.seek(SeekFrom::End(0)).map_err(cannot)?;
            if attempt == ATTEMPTS || got <= before {
                let size = self.about.size.map_or_else(|| "an unknown number of".into(), |size| size.to_string());
                let (repository, file) = (self.client.address.repository.clone(), self.file.into());
                return Err(HubError::BrokenOff { repository, file, got, size, why: why.to_string() });
            }
        }
        self.check(&mut draft).map_err(cannot)?.map_err(|why| {
            // A damaged draft must not be taken up again. Emptied rather than deleted: another process may wait for it.
            let _ = draft.set_len(0);
            HubError::Damaged { repository: self.client.address.repository.clone(), file: self.file.into(), why }
        })?;
        draft.sync_all().and_then(|()| fs::rename(self.draft, self.blob)).map_err(cannot)
    }

    /// Fetches what the draft lacks.
    fn fill(&self, draft: &mut File, have: u64) -> std::result::Result<(), Broken> {
        if self.about.size.is_some_and(|size| have == size) {
            return Ok(());
        }
        let have = if self.about.size.is_some_and(|size| have > size) { 0 } else { have };
        let mut response = self.client.bytes(self.about, have).map_err(Broken::Hub)?;
        if response.status() == 416 {
            // The server has nothing after what we have, and did not send the size before: start again.
            response = self.client.bytes(self.about, 0).map_err(Broken::Hub)?;
        }
        let start = if goes_on(&response, have) { have } else { 0 };
        draft.set_len(start).and_then(|()| draft.seek(SeekFrom::Start(start))).map_err(Broken::Here)?;
        let promised = response.body().content_length().map(|length| start + length);
        let mut body = response.body_mut().with_config().limit(u64::MAX).reader();
        let mut buffer = vec![0; 1 << 16];
        let mut got = start;
        loop {
            let read = match body.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
                Err(why) => return Err(Broken::Server(why)),
            };
            draft.write_all(&buffer[..read]).map_err(Broken::Here)?;
            got += read as u64;
        }
        match self.about.size.or(promised) {
            Some(size) if got < size => Err(Broken::Server(io::ErrorKind::UnexpectedEof.into())),
            _ => Ok(()),
        }
    }

    /// Whether the draft is what the hub promised: its length, and where the ETag is a SHA-256, that too.
    fn check(&self, draft: &mut File) -> io::Result<std::result::Result<(), String>> {
        let length = draft.seek(SeekFrom::End(0))?;
        if let Some(size) = self.about.size.filter(|size| *size != length) {
            return Ok(Err(format!("it has {length} bytes, not {size}")));
        }
        let wanted = self.about.etag.to_ascii_lowercase();
        if wanted.len() != 64 || !wanted.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Ok(()));
        }
        draft.seek(SeekFrom::Start(0))?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match draft.read(&mut buffer)? {
                0 => break,
                read => hash.update(&buffer[..read]),
            }
        }
        let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(if found == wanted { Ok(()) } else { Err(format!("its SHA-256 is {found}, not {wanted}")) })
    }
}

/// Who is to blame for a broken download.
enum Broken {
    Server(io::Error),
    Here(io::Error),
    Hub(HubError),
}

/// Whether an answer goes on exactly where the draft ends.
fn goes_on(response: &Response<Body>, have: u64) -> bool {
    let range = header(response.headers(), "content-range");
    response.status() == 206 && range.is_some_and(|range| range.starts_with(&format!("bytes {have}-")))
}
