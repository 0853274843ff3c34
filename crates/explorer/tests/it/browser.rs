//! A real browser, driven over its DevTools protocol: Chromium and a websocket, nothing else.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// How long anything on a page may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    /// The page's session.
    session: Option<String>,
    asked: u64,
    /// What the page complained of: uncaught errors, refusals of the content policy.
    pub complaints: Vec<String>,
    pub downloads: TempDir,
    _profile: TempDir,
}

impl Browser {
    /// `None`, told loudly, where no browser is installed.
    pub fn start() -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let there = |name: &&&str| {
            Command::new(name)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        };
        let Some(name) = names.iter().find(there) else {
            eprintln!(
                "SKIPPED: there is no Chromium here (Debian: apt-get install chromium); the page was not tested in a browser"
            );
            return None;
        };
        let profile = TempDir::new().unwrap();
        let mut child = Command::new(name)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .args([
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.strip_prefix("DevTools listening on ")?.trim().to_owned()))
            .unwrap();
        // The browser goes on talking; somebody must listen, or it stops.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let host = address.strip_prefix("ws://").unwrap().split('/').next().unwrap().to_owned();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(address, stream).unwrap();
        let mut browser = Self {
            child,
            socket,
            session: None,
            asked: 0,
            complaints: Vec::new(),
            downloads: TempDir::new().unwrap(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        let folder = browser.downloads.path().to_str().unwrap().to_owned();
        browser.call("Page.setDownloadBehavior", json!({ "behavior": "allow", "downloadPath": folder }));
        Some(browser)
    }

    #[allow(clippy::needless_pass_by_value, reason = "what is asked is written where it is asked")]
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == id {
                // A click may lead to another page before it is answered.
                if answer["error"]["message"] == "Inspected target navigated or closed" {
                    return json!({});
                }
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            match answer["method"].as_str() {
                Some("Runtime.exceptionThrown") => {
                    self.complaints.push(answer["params"]["exceptionDetails"].to_string());
                }
                Some("Log.entryAdded") if answer["params"]["entry"]["level"] == "error" => {
                    self.complaints.push(answer["params"]["entry"].to_string());
                }
                _ => {}
            }
        }
    }

    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.until("document.readyState === 'complete' && document.getElementById('main') !== null");
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", asked);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    pub fn text(&mut self, selector: &str) -> String {
        self.value(&format!("document.querySelector({}).textContent", json!(selector))).as_str().unwrap().to_owned()
    }

    /// Waits until an expression is true, and the page whole: a key pressed before its modules have run is lost.
    pub fn until(&mut self, expression: &str) {
        if self.comes_true(expression, PATIENCE) {
            return;
        }
        let page = self.value("document.body.innerText");
        panic!("it never came true: {expression}\ncomplaints: {:?}\n{page}", self.complaints);
    }

    fn comes_true(&mut self, expression: &str, patience: Duration) -> bool {
        let began = Instant::now();
        let expression = format!("document.readyState === 'complete' && ({expression})");
        while began.elapsed() < patience {
            // While a page is being left there is nobody to answer.
            let asked = json!({ "expression": expression, "returnByValue": true });
            if self.call("Runtime.evaluate", asked)["result"]["value"] == true {
                return true;
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        false
    }

    /// Goes to a field by the tab key, fills it in and presses Enter, until an expression is true. A browser on a busy machine may
    /// lose a key, so it is tried three times.
    pub fn submit(&mut self, selector: &str, text: &str, expression: &str) {
        for _ in 0..2 {
            self.tab_to(selector);
            self.value("document.activeElement.value = ''");
            self.write(text);
            self.press("Enter");
            if self.comes_true(expression, PATIENCE / 4) {
                return;
            }
        }
        self.tab_to(selector);
        self.write(text);
        self.press("Enter");
        self.until(expression);
    }

    /// The middle of an element; of its first line, where a link runs over several: between lines there is nothing to hit.
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        self.until(&format!("document.querySelector({}) !== null", json!(selector)));
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const r = e.getClientRects()[0]; return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), buttons: u32) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        self.call(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 }),
        );
    }

    pub fn rest_on(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse("mouseMoved", place, 0);
    }

    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse("mouseMoved", place, 0);
        self.mouse("mousePressed", place, 1);
        self.mouse("mouseReleased", place, 0);
    }

    /// Draws over the middle of an element, from one share of its width to another.
    pub fn draw(&mut self, selector: &str, from: f64, to: f64) {
        self.middle(selector);
        let frame = self.value(&format!("(() => {{ const r = document.querySelector({}).getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }})()", json!(selector)));
        let at = |index: usize| frame[index].as_f64().unwrap();
        let place = |share: f64, down: f64| (at(0) + share * at(2), at(1) + down * at(3));
        self.mouse("mouseMoved", place(from, 0.3), 0);
        self.mouse("mousePressed", place(from, 0.3), 1);
        for step in 1..=4 {
            self.mouse("mouseMoved", place(from + (to - from) * f64::from(step) / 4.0, 0.3 + 0.1 * f64::from(step)), 1);
        }
        self.mouse("mouseReleased", place(to, 0.7), 0);
    }

    /// Presses a key: a letter, or `Enter`, `Tab`, `Escape`, `ArrowRight`.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            " " => 32,
            letter => letter.to_uppercase().bytes().next().map_or(0, u32::from),
        };
        let text = match key {
            "Enter" => "\r",
            letter if letter.chars().count() == 1 => letter,
            _ => "",
        };
        for kind in [if text.is_empty() { "rawKeyDown" } else { "keyDown" }, "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "text": if kind == "keyUp" { "" } else { text }, "windowsVirtualKeyCode": code }));
        }
    }

    /// Goes on with the tab key until the focus is where the selector says.
    pub fn tab_to(&mut self, selector: &str) {
        let there = format!("document.activeElement?.matches({}) ?? false", json!(selector));
        for _ in 0..400 {
            if self.value(&there) == true {
                // Whoever sees the page sees where the focus is.
                let ring = self.value("getComputedStyle(document.activeElement).outlineStyle");
                assert_ne!(ring, "none", "no ring around {selector}");
                return;
            }
            self.press("Tab");
        }
        panic!("the tab key never reaches {selector}");
    }

    /// Types into what has the focus.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    pub fn size(&mut self, width: u32, height: u32, dark: bool) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 }),
        );
        let scheme = if dark { "dark" } else { "light" };
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
    }

    pub fn picture(&mut self, file: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png", "captureBeyondViewport": true }));
        let bytes = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }

    /// The file that a click brought home.
    pub fn downloaded(&mut self, name: &str) -> String {
        let path: PathBuf = self.downloads.path().join(name);
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Ok(text) = std::fs::read_to_string(&path)
                && text.ends_with('\n')
            {
                return text;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{name} never came");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
