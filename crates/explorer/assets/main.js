// Every page: progress of the background work, keys, and moving about without losing the place.

import { benchKey, enterBench } from "./bench.js";
import { isDrawing } from "./brush.js";
import { say, swap } from "./talk.js";

// The token has done its work: it is in the cookie now, and need not stand in the address or the history.
const here = new URL(location.href);
if (here.searchParams.has("token")) {
  here.searchParams.delete("token");
  history.replaceState(null, "", here.pathname + here.search);
}

async function move(address, remember = true) {
  if (await swap(address, remember)) {
    enterBench();
    return true;
  }
  return false;
}

// Forms that choose examples leave out what is empty, and keep the place on the page.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form.filter")) return;
  event.preventDefault();
  const chosen = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  const action = form.getAttribute("action");
  move(chosen.size > 0 ? `${action}?${chosen}` : action);
});
document.addEventListener("change", (event) => {
  if (event.target.matches("form.filter select")) event.target.form.requestSubmit();
});
window.addEventListener("popstate", () => move(location.pathname + location.search, false));

// Progress.
const strip = document.getElementById("progress");
let refreshed = Date.now();

function idle() {
  const active = document.activeElement;
  return !isDrawing() && !active?.matches("input, select, textarea") && !document.querySelector("main details[open]");
}

function show(report) {
  strip.hidden = report.finished && !report.trouble;
  strip.querySelector(".phase").textContent = report.trouble ?? report.phase;
  const bar = strip.querySelector("progress");
  bar.max = Math.max(report.total, 1);
  bar.value = report.done;
  strip.querySelector(".figures").textContent = `${report.done} / ${report.total}`;
  const button = strip.querySelector("button");
  button.dataset.do = report.running ? "stop" : "go";
  button.textContent = report.running ? "Stop" : "Go on";
  button.hidden = report.finished;
}

async function watch() {
  let wait = 700;
  try {
    const response = await fetch("/progress");
    if (response.ok) {
      const report = await response.json();
      const ended = !report.running && strip.dataset.running === "true";
      strip.dataset.running = String(report.running);
      show(report);
      // What is being read is left alone; the overview and an empty list fill up by themselves.
      const wanting = location.pathname === "/" || (location.pathname === "/list" && document.querySelector("main .empty"));
      if (wanting && idle() && (ended || (report.running && Date.now() - refreshed > 2000))) {
        refreshed = Date.now();
        await move(location.pathname + location.search, false);
      }
      if (!report.running) wait = 3000;
    }
  } catch {
    strip.hidden = false;
    strip.querySelector(".phase").textContent = "The program has ended.";
    wait = 5000;
  }
  setTimeout(watch, wait);
}

strip.querySelector("button").addEventListener("click", async (event) => {
  const response = await fetch(`/${event.target.dataset.do}`, { method: "POST" });
  if (response.ok) show(await response.json());
});

// Keys.
document.addEventListener("click", (event) => {
  if (event.target.closest('[data-do="keys"]')) document.getElementById("keys").showModal();
});
let waitsForPlace = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  if (waitsForPlace) {
    waitsForPlace = false;
    const place = { o: "/", e: "/list", b: "/basket", p: "/pairs", m: "/models", r: "/run" }[event.key];
    const link = place && document.querySelector(`header nav a[href^="${place}"]${place === "/" ? ":first-child" : ""}`);
    if (link) link.click();
    return;
  }
  if (event.key === "g") waitsForPlace = true;
  else if (event.key === "?") document.getElementById("keys").showModal();
  else if (event.key === "/") {
    const search = document.querySelector("[data-search]");
    if (search) {
      event.preventDefault();
      search.focus();
    } else location.assign("/list");
  } else if (event.key === "n" || (event.key === "ArrowRight" && !event.target.closest(".text"))) {
    document.querySelector("main a[rel=next]")?.click();
  } else if (event.key === "p" || (event.key === "ArrowLeft" && !event.target.closest(".text"))) {
    document.querySelector("main a[rel=prev]")?.click();
  } else if (benchKey(event.key)) event.preventDefault();
});

window.addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof TypeError) say("The program does not answer.");
});

enterBench();
watch();
