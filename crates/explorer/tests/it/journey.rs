//! The way of a person through the page, in a real browser.

use fissure_data::{ReadOptions, Samples, layouts};
use serde_json::Value;

use crate::browser::Browser;
use crate::served::{Served, reviews};

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
    page.until("document.querySelector('#word button[data-with] .told').textContent !== ''");

    // Put in one that turns the answer.
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
    let options = ReadOptions::new(layouts::find("sa").unwrap());
    let read =
        Samples::of_bytes("basket.jsonl", std::io::Cursor::new(file.into_bytes()), options).unwrap().batch(9).unwrap();
    assert_eq!(read.len(), 1);
    assert_eq!(page.complaints, [] as [&str; 0]);
}

/// Everything that a mouse can do, keys can do.
#[test]
fn keys_alone_will_do() {
    let Some(mut page) = Browser::start() else { return };
    let served = Served::new(reviews(60, 600, 2));
    page.open(&served.url());
    served.finished();
    page.press("g");
    page.press("e");
    page.until("location.pathname === '/list' && document.querySelector('.examples') !== null");
    page.press("/");
    page.until("document.activeElement.matches('[data-search]')");
    page.write("the");
    page.press("Enter");
    page.until("location.search.includes('q=the')");
    page.value("document.querySelector('.examples td.text a').focus()");
    page.press("Enter");
    page.until("document.getElementById('bench') !== null");
    let first = page.value("location.pathname");
    page.press("n");
    page.until(&format!("location.pathname !== {first} && document.getElementById('bench') !== null"));
    // One stop of the tab key for the text; arrows go on from there.
    page.until("document.querySelectorAll('.subject .text .word[tabindex=\"0\"]').length === 1");
    page.value("document.querySelector('.subject .text .word[tabindex=\"0\"]').focus()");
    page.press("ArrowRight");
    assert_eq!(page.value("[...document.querySelectorAll('.text .word')].indexOf(document.activeElement)"), 1);
    page.press("Enter");
    page.until(
        "!document.getElementById('word').hidden && document.getElementById('word').contains(document.activeElement)",
    );
    page.press("Escape");
    page.until("document.getElementById('word').hidden && document.activeElement.matches('.word')");
    page.press("2");
    page.until("document.querySelector('[data-choice=heat] [value=ig]').getAttribute('aria-pressed') === 'true' && document.querySelector('.word.pos') !== null");
    // Type, and it is scored.
    let answer = "document.querySelector('.subject table.classes').textContent";
    let was = page.value(answer);
    page.value("(() => { const t = document.getElementById('text'); t.focus(); t.select(); })()");
    page.write("A dull, dull film.");
    page.until("document.querySelector('.subject .text').textContent === 'A dull, dull film.'");
    assert_ne!(page.value(answer), was);
    page.until("document.querySelectorAll('#history li').length === 1");
    page.value("document.activeElement.blur()");
    page.press("?");
    page.until("document.getElementById('keys').open");
    page.press("Escape");
    page.until("!document.getElementById('keys').open");
    assert_eq!(page.complaints, [] as [&str; 0]);
}

/// No page is wider than its window, however narrow.
#[test]
fn pages_fit_their_windows() {
    let Some(mut page) = Browser::start() else { return };
    let served = Served::new(reviews(60, 600, 2));
    served.finished();
    served.ask("POST", "/basket/keep", "{\"example\":1,\"steps\":[{\"text\":\"A dull film.\"}]}");
    page.open(&served.url());
    for (width, dark) in [(360, true), (1300, false), (2560, true)] {
        page.size(width, 900, dark);
        for path in ["/", "/list", "/example/3", "/basket"] {
            page.open(&format!("http://{}{path}", served.address));
            let widest = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(widest <= u64::from(width), "{path} is {widest} wide in a window of {width}");
        }
    }
    assert_eq!(page.complaints, [] as [&str; 0]);
}

/// Pictures of every page at three sizes, light and dark, for eyes to judge:
/// `cargo test -p fissure-explorer -- --ignored pictures`.
#[test]
#[ignore = "makes pictures for people"]
fn pictures() {
    let Some(mut page) = Browser::start() else { return };
    let served = Served::new(reviews(1000, 3000, 6));
    served.finished();
    served.ask("POST", "/basket/keep", "{\"example\":1,\"steps\":[{\"text\":\"A dull film.\"}]}");
    page.open(&served.url());
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("explorer");
    std::fs::create_dir_all(&folder).unwrap();
    for (width, height) in [(360, 760), (1300, 900), (2560, 1400)] {
        for dark in [false, true] {
            page.size(width, height, dark);
            for (name, path) in [
                ("overview", "/"),
                ("chosen", "/?forecast_from=0.01"),
                ("list", "/list"),
                ("flips", "/list?view=flips"),
                ("example", "/example/3"),
                ("basket", "/basket"),
            ] {
                page.open(&format!("http://{}{path}", served.address));
                if name == "example" {
                    page.click(".subject .word.h5");
                    page.until("document.querySelectorAll('#word button[data-with]').length > 0 && document.querySelector('#all-told') !== null");
                    page.value("scrollTo(0, 0)");
                }
                let shade = if dark { "dark" } else { "light" };
                page.picture(&folder.join(format!("{name}-{width}-{shade}.png")));
            }
        }
    }
    eprintln!("pictures are in {}", folder.display());
}
