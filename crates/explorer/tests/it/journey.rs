//! The way of a person through the page, in a real browser.

use fissure_data::{ReadOptions, Samples};
use serde_json::Value;

use crate::browser::Browser;
use crate::served::{Served, reviews, two_models_and_pairs};

/// Load, brush, open an example, click a word, see a flip, undo, keep, export, and read what was exported.
#[test]
fn a_person_finds_a_flip_and_takes_it_home() {
    let Some(mut page) = Browser::start() else { return };
    let served = Served::new(reviews(150, 1500, 4));
    page.size(1300, 900, false);
    page.open(&served.url());
    page.until("!location.search.includes('token')");
    page.until("document.getElementById('progress').hidden");
    page.until(
        "document.querySelectorAll('svg.plot').length === 4 && document.querySelectorAll('svg.chart').length === 1",
    );
    assert!(page.text("main").contains("150 of 150"));

    // Brush the fragile half of the forecast.
    page.draw("svg[data-x=forecast]", 0.5, 0.99);
    page.until("location.search.includes('forecast_from')");
    page.until("document.querySelectorAll('.bar.pale').length > 0");
    let chosen: usize = page.value("Number([...document.querySelectorAll('dl.figures div')].find(d => d.textContent.startsWith('Chosen')).querySelector('dd').textContent)").as_u64().unwrap() as usize;
    assert!(chosen > 0 && chosen < 150, "{chosen}");

    // The choice holds in the list.
    page.click(".actions a.strong");
    page.until("location.pathname === '/list' && document.querySelector('.found') !== null");
    assert!(page.text(".found").starts_with(&chosen.to_string()));

    // Those with a flip found; open the first.
    page.click(".tabs a:nth-child(4)");
    page.until("location.search.includes('view=flips') && document.querySelectorAll('.examples .tag.flip').length > 0");
    page.click(".examples td.text a");
    page.until("document.getElementById('bench') !== null");
    let before = page.text(".subject .text");
    let answer = page.value("document.querySelector('.subject').dataset.answer");

    // Click a word: others stand there, and resting on one tells the truth.
    page.click(".subject .word.h5");
    page.until("document.querySelectorAll('#word button[data-with]').length > 0");
    page.rest_on("#word button[data-with]");
    page.until("document.querySelector('#word button[data-with] .checked').textContent !== ''");

    // Put in one that flips the answer.
    page.until("document.querySelector('#along tr.turns .put') !== null");
    page.click("#along tr.turns .put");
    page.until("document.querySelector('.flipped') !== null");
    assert_ne!(page.value("document.querySelector('.subject').dataset.answer"), answer);
    let made = page.text(".subject .text");
    assert_ne!(made, before);
    page.click("[data-do=keep]");
    page.until("document.getElementById('basket-count').textContent === '1'");

    // Undo, by key, and it is as it was; redo.
    page.value("document.activeElement.blur()");
    page.press("u");
    page.until("document.querySelector('.flipped') === null");
    assert_eq!(page.text(".subject .text"), before);
    page.press("r");
    page.until("document.querySelector('.flipped') !== null");

    // Take it home, and read it as data.
    page.press("g");
    page.press("b");
    page.until("location.pathname === '/basket' && document.querySelector('.export') !== null");
    page.click(".export a");
    let file = page.downloaded("fissure-basket.jsonl");
    let row: Value = serde_json::from_str(file.lines().next().unwrap()).unwrap();
    assert_eq!(row["text"], made);
    assert_eq!(row["fissure"]["flipped"], true);
    assert_eq!(row["fissure"]["edits"].as_array().unwrap().len(), 1);
    let options = ReadOptions::new(fissure_tasks::find("sa").unwrap());
    let read =
        Samples::of_bytes("basket.jsonl", std::io::Cursor::new(file.into_bytes()), options).unwrap().batch(9).unwrap();
    assert_eq!(read.len(), 1);
    assert_eq!(page.complaints, [] as [&str; 0]);
}

/// The main journey without a mouse: choose, open, replace a word, see the flip, go back, keep, take home.
#[test]
fn keys_alone_will_do() {
    let Some(mut page) = Browser::start() else { return };
    let served = Served::new(reviews(60, 1500, 4));
    served.finished();
    page.open(&served.url());
    page.until("!location.search.includes('token')");

    // The first stop jumps over the head of the page.
    page.press("Tab");
    assert_eq!(page.value("document.activeElement.className"), "skip");
    page.press("Enter");
    page.until("location.hash === '#main'");

    // What the mouse brushes, the ends say.
    page.submit("input[name=forecast_from]", "0.0001", "location.search.includes('forecast_from=0.0001')");
    page.tab_to(".actions a.strong");
    page.press("Enter");
    page.until("location.pathname === '/list' && document.querySelector('.examples') !== null");
    page.press("/");
    page.until("document.activeElement.matches('[data-search]')");
    page.write("e");
    page.press("Enter");
    page.until("location.search.includes('q=e')");
    page.tab_to(".tabs a[href*='view=flips']");
    page.press("Enter");
    page.until("document.querySelectorAll('.examples .tag.flip').length > 1");
    page.tab_to(".examples td.text a");
    page.press("Enter");
    page.until("document.querySelector('#along tr.turns .put') !== null");
    let first = page.value("location.pathname");
    page.press("n");
    page.until(&format!("location.pathname !== {first} && document.querySelector('#along tr.turns .put') !== null"));
    let before = page.text(".subject .text");

    // One stop of the tab key for the text; arrows go on from there.
    page.until("document.querySelectorAll('.subject .text .word[tabindex=\"0\"]').length === 1");
    page.tab_to(".subject .word");
    page.press("ArrowRight");
    assert_eq!(page.value("[...document.querySelectorAll('.text .word')].indexOf(document.activeElement)"), 1);
    page.press("Enter");
    page.until(
        "!document.getElementById('word').hidden && document.getElementById('word').contains(document.activeElement)",
    );
    page.press("Escape");
    page.until("document.getElementById('word').hidden && document.activeElement.matches('.word')");
    assert_eq!(page.value("[...document.querySelectorAll('.text .word')].indexOf(document.activeElement)"), 1);
    page.press("2");
    page.until("document.querySelector('[data-choice=heat] [value=ig]').getAttribute('aria-pressed') === 'true' && document.querySelector('.word.pos') !== null && document.querySelector('#all-checked, #together .empty') !== null");

    // Put in what flips the answer; keep it; go back.
    page.until("document.querySelector('#along:not([aria-busy]) tr.turns .put') !== null");
    page.tab_to("#along tr.turns .put");
    page.press("Enter");
    page.until("document.querySelector('.flipped [data-do=keep]') !== null");
    page.press("s");
    page.until("document.getElementById('basket-count').textContent === '1'");
    page.press("u");
    page.until("document.querySelector('.flipped') === null && !document.querySelector('.subject[aria-busy]')");
    assert_eq!(page.text(".subject .text"), before);

    // Type, and it is scored.
    let answer = "document.querySelector('.subject table.classes').textContent";
    let was = page.value(answer);
    page.tab_to("#text");
    page.value("document.activeElement.select()");
    page.write("A dull, dull film.");
    page.until("document.querySelector('.subject .text').textContent === 'A dull, dull film.'");
    assert_ne!(page.value(answer), was);
    page.until("document.querySelectorAll('#history li').length === 1");
    page.tab_to("[data-do=keep]");
    page.press("?");
    page.until("document.getElementById('keys').open");
    page.press("Escape");
    page.until("!document.getElementById('keys').open");

    // Home with it.
    page.press("g");
    page.press("b");
    page.until("location.pathname === '/basket' && document.querySelector('.export') !== null");
    page.tab_to(".export a");
    page.press("Enter");
    let row: Value = serde_json::from_str(page.downloaded("fissure-basket.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!(row["fissure"]["flipped"], true);
    page.tab_to("form[action='/basket/remove'] button");
    page.press("Enter");
    page.until("document.getElementById('basket-count').textContent === '0'");
    assert_eq!(page.complaints, [] as [&str; 0]);
}

/// Every control has a name, and every chart its numbers.
#[test]
fn nothing_is_without_a_name() {
    let Some(mut page) = Browser::start() else { return };
    let served = Served::new(reviews(60, 600, 2));
    served.finished();
    served.ask("POST", "/basket/keep", "{\"example\":1,\"steps\":[{\"text\":\"A dull film.\"}]}");
    page.open(&served.url());
    for path in ["/", "/list", "/example/3", "/basket"] {
        page.open(&format!("http://{}{path}", served.address));
        if path == "/example/3" {
            page.until("document.querySelector('#all-checked, #together .empty') !== null");
            page.click(".subject .word.h5");
            page.until("!document.getElementById('word').hidden");
        }
        let nameless = page.value(
            "[...document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea')].filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map(e => e.outerHTML)",
        );
        assert_eq!(nameless, Value::Array(Vec::new()), "{path}");
        let bare = page.value("[...document.querySelectorAll('svg.plot, svg.chart')].filter(chart => !(chart.getAttribute('role') === 'img' && chart.closest('.card').querySelector('details.numbers table'))).length");
        assert_eq!(bare, 0, "{path}: a chart without a name or a table");
    }
}

/// No page is wider than its window, however narrow.
#[test]
fn pages_fit_their_windows() {
    let Some(mut page) = Browser::start() else { return };
    let served = Served::new(two_models_and_pairs(60));
    served.finished();
    served.ask("POST", "/basket/keep", "{\"example\":1,\"steps\":[{\"text\":\"A dull film.\"}]}");
    page.open(&served.url());
    for (width, dark) in [(360, true), (1280, false), (2560, true)] {
        page.size(width, 900, dark);
        for path in ["/", "/list", "/example/3", "/pairs", "/models", "/basket"] {
            page.open(&format!("http://{}{path}", served.address));
            if path == "/example/3" {
                page.until("document.querySelector('#all-checked, #together .empty') !== null");
                let cut = page.value("[...document.querySelectorAll('.right .card')].filter(card => card.scrollWidth > card.clientWidth).length");
                assert_eq!(cut, 0, "a table is cut at {width}");
            }
            // Letters of a chart shrink and grow with it.
            let smallest = page.value(
                "Math.min(99, ...[...document.querySelectorAll('svg[viewBox] text')].map(text => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getBoundingClientRect().width / text.ownerSVGElement.viewBox.baseVal.width))",
            );
            assert!(smallest.as_f64().unwrap() >= 10.5, "{path} has letters of {smallest} px in a window of {width}");
            let widest = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(widest <= u64::from(width), "{path} is {widest} wide in a window of {width}");
        }
    }
    assert_eq!(page.complaints, [] as [&str; 0]);
}

/// Pictures of every page at three sizes, light and dark, for eyes to judge:
/// `cargo test --workspace --test it -- --ignored pictures`.
#[test]
#[ignore = "makes pictures for people"]
fn pictures() {
    let Some(mut page) = Browser::start() else { return };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("explorer");
    std::fs::create_dir_all(&folder).unwrap();
    let one = Served::new(reviews(1000, 3000, 6));
    let two = Served::new(two_models_and_pairs(100));
    one.finished().ask("POST", "/basket/keep", "{\"example\":1,\"steps\":[{\"text\":\"A dull film.\"}]}");
    two.finished();
    for (served, name, path) in [
        (&one, "overview", "/"),
        (&one, "chosen", "/?forecast_from=0.01"),
        (&one, "list", "/list"),
        (&one, "flips", "/list?view=flips"),
        (&one, "example", "/example/3"),
        (&one, "basket", "/basket"),
        (&two, "pairs", "/pairs"),
        (&two, "models", "/models"),
        (&two, "example-two", "/example/3"),
        (&two, "basket-empty", "/basket"),
    ] {
        page.open(&served.url());
        for (width, height, dark) in
            [(360, 760), (1280, 900), (2560, 1400)].into_iter().flat_map(|(w, h)| [(w, h, false), (w, h, true)])
        {
            page.size(width, height, dark);
            page.open(&format!("http://{}{path}", served.address));
            if path.starts_with("/example") {
                page.until("document.querySelector('#all-checked, #together .empty') !== null");
                page.click("#along .put");
                page.until(
                    "document.querySelectorAll('#history li').length === 1 && !document.querySelector('[aria-busy]')",
                );
                page.click(".subject .word.h5");
                page.until("!document.getElementById('word').hidden");
                page.value("scrollTo(0, 0)");
            }
            let shade = if dark { "dark" } else { "light" };
            page.picture(&folder.join(format!("{name}-{width}-{shade}.png")));
        }
    }
    eprintln!("pictures are in {}", folder.display());
}
