// The bench: one example, changed by hand. The program scores and knows the words; here is only what the person did.

import { askJson, askText, patiently, pause, say } from "./talk.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text with byte ranges replaced: offsets are those of the program, bytes of UTF-8. */
export function spliced(text, changes) {
  const bytes = encoder.encode(text);
  const parts = [];
  let done = 0;
  for (const { start, end, put } of [...changes].sort((a, b) => a.start - b.start)) {
    parts.push(decoder.decode(bytes.subarray(done, start)), put);
    done = end;
  }
  return parts.join("") + decoder.decode(bytes.subarray(done));
}

/** What was typed, put into the text itself: a text area shows every line end as one newline. */
export function retyped(raw, shownBefore, shownNow) {
  if (!raw.includes("\r")) return shownNow;
  let head = 0;
  const most = Math.min(shownBefore.length, shownNow.length);
  while (head < most && shownBefore[head] === shownNow[head]) head += 1;
  let tail = 0;
  while (tail < most - head && shownBefore.at(-1 - tail) === shownNow.at(-1 - tail)) tail += 1;
  const places = [];
  for (let at = 0; at < raw.length; at += 1) {
    if (!(raw[at] === "\n" && raw[at - 1] === "\r")) places.push(at);
  }
  places.push(raw.length);
  return raw.slice(0, places[head]) + shownNow.slice(head, shownNow.length - tail) + raw.slice(places[shownBefore.length - tail]);
}

class Bench {
  constructor(root) {
    this.root = root;
    this.example = Number(root.dataset.example);
    this.model = Number(root.dataset.model);
    this.heat = "e_max";
    this.reach = "meaning";
    this.kind = "antonym";
    this.recipe = root.querySelector('[data-choice="recipe"] button')?.value;
    this.steps = JSON.parse(root.dataset.steps);
    this.at = this.steps.length - 1;
    this.checked = new Map();
    this.look = patiently(120, () => this.show(true));
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("input", (event) => this.typed(event));
    root.addEventListener("submit", (event) => this.submitted(event));
    root.addEventListener("keydown", (event) => this.pressed(event));
    root.addEventListener("pointerover", (event) => this.rested(event));
    root.addEventListener("focusin", (event) => this.rested(event));
    root.addEventListener("change", (event) => event.target.closest(".together") && this.tryTogether());
    if (this.at > 0) this.fill();
    this.remember();
    this.show();
  }

  get draft() {
    return this.steps[this.at].draft;
  }

  one(selector) {
    return this.root.querySelector(selector);
  }

  // What was done.

  take(draft, words, typing = false) {
    if (draft.text === this.draft.text && draft.pair === this.draft.pair) return;
    const last = this.steps[this.at];
    const goesOn = typing && last.typing && this.at > 0 && Date.now() - last.when < 1500;
    this.steps.length = goesOn ? this.at : this.at + 1;
    this.steps.push({ draft, words, typing, when: Date.now() });
    this.at = this.steps.length - 1;
    this.changed(!typing);
  }

  go(at) {
    if (at < 0 || at >= this.steps.length || at === this.at) return;
    this.at = at;
    this.changed(true);
    say(at === 0 ? "Back at the original." : `Back at step ${at}: ${this.steps[at].words}.`);
  }

  changed(fill) {
    if (fill) this.fill();
    this.closeWord();
    this.remember();
    if (fill) this.show();
    else this.look();
  }

  fill() {
    this.one("#text").value = this.draft.text;
    const pair = this.one("#pair");
    if (pair) pair.value = this.draft.pair ?? "";
  }

  remember() {
    this.one('[data-do="undo"]').disabled = this.at === 0;
    this.one('[data-do="reset"]').disabled = this.at === 0;
    this.one('[data-do="redo"]').disabled = this.at === this.steps.length - 1;
    const list = this.one("#history");
    list.replaceChildren(
      ...this.steps.slice(1).map((step, before) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.step = before + 1;
        button.textContent = step.words;
        if (before + 1 === this.at) button.setAttribute("aria-current", "step");
        item.append(button);
        if (step.answer) {
          const answer = document.createElement("span");
          answer.className = step.turned ? "tag flip" : "tag";
          answer.textContent = step.turned ? `turned: ${step.answer}` : step.answer;
          item.append(" ", answer);
        }
        return item;
      }),
    );
  }

  // What the program says.

  /**
   * Shows the text as it is now: for somebody who types, first the answers, which come at once; then what is seen closely,
   * model by model; then the words around it. Whatever comes next hangs up on all of it.
   */
  async show(typing = false) {
    const step = this.steps[this.at];
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const subjects = [...this.root.querySelectorAll(".subject")];
    this.searching?.abort();
    // What is there belongs to another text now: it can be read, but not used.
    const around = [this.one("#along"), this.one("#together"), this.forecasts && this.one("#threats")];
    for (const place of [...subjects, ...around.filter(Boolean)]) place.ariaBusy = "true";
    const ask = (path, subject) => {
      const body = { example: this.example, model: Number(subject.dataset.model), heat: this.heat, ...step.draft };
      return askText(path, body, asking.signal);
    };
    try {
      if (typing) {
        for (const subject of subjects) {
          const place = subject.querySelector(".answer");
          if (place) place.innerHTML = await ask("/fragment/answer", subject);
        }
        await pause(250, asking.signal);
      }
      for (const subject of subjects) {
        const seen = await ask("/fragment/view", subject);
        const held = subject.contains(document.activeElement) ? document.activeElement.dataset : null;
        subject.innerHTML = seen;
        Object.assign(subject.dataset, subject.firstElementChild.dataset);
        subject.ariaBusy = null;
        this.rove(subject, held);
        if (Number(subject.dataset.model) === this.model) this.answered(step, subject.dataset);
      }
      await this.around();
    } catch (error) {
      if (error.name !== "AbortError") for (const subject of subjects) subject.ariaBusy = null;
    }
  }

  answered(step, { answer, turned }) {
    if (turned === "true" && step.turned === undefined) say(`The answer turned: ${answer}.`);
    step.answer = answer;
    step.turned = turned === "true";
    this.remember();
  }

  async around() {
    this.searching?.abort();
    const searching = new AbortController();
    this.searching = searching;
    const ask = async (path, extra, selector) => {
      const place = this.one(selector);
      place.ariaBusy = "true";
      place.innerHTML = await askText(path, { model: this.model, ...extra, ...this.draft }, searching.signal);
      place.ariaBusy = null;
    };
    try {
      await ask("/fragment/along", { reach: this.reach }, "#along");
      await ask("/fragment/together", { kind: this.kind }, "#together");
      await this.tryTogether();
      if (this.forecasts) await ask("/fragment/threats", { example: this.example }, "#threats");
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  async truth(model, predicted, drafts) {
    const key = (draft) => JSON.stringify([model, predicted, draft.text, draft.pair]);
    const unknown = drafts.filter((draft) => !this.checked.has(key(draft)));
    if (unknown.length > 0) {
      const checked = await askJson("/truth", { model, predicted, drafts: unknown });
      unknown.forEach((draft, at) => this.checked.set(key(draft), checked[at]));
    }
    return drafts.map((draft) => this.checked.get(key(draft)));
  }

  static show(place, checked) {
    place.textContent = checked.turns ? `turns: ${checked.answer} ${checked.probability}` : `${checked.answer} ${checked.probability}`;
    place.classList.toggle("turns", checked.turns);
  }

  /** Beside what was predicted stands what is true, of the same class. */
  static showTrue(place, checked) {
    place.textContent = checked.turns ? `true ${checked.of_now}, turns: ${checked.answer}` : `true ${checked.of_now}`;
    place.classList.toggle("turns", checked.turns);
  }

  // Words.

  put(changes) {
    const draft = { ...this.draft };
    for (const field of [0, 1]) {
      const own = changes.filter((change) => change.field === field);
      if (own.length === 0) continue;
      if (field === 0) draft.text = spliced(draft.text, own);
      else draft.pair = spliced(draft.pair ?? "", own);
    }
    return draft;
  }

  static range(data) {
    return { field: Number(data.field), start: Number(data.start), end: Number(data.end) };
  }

  async openWord(button, byKey) {
    const place = Bench.range(button.dataset);
    const model = Number(button.closest("[data-model]").dataset.model);
    this.root.querySelectorAll(".word.open").forEach((word) => word.classList.remove("open"));
    button.classList.add("open");
    this.place = { ...place, model, written: button.textContent };
    const panel = this.one("#word");
    const draft = this.draft;
    const found = await askText("/fragment/word", { model, ...place, ...draft });
    if (draft !== this.draft || !button.classList.contains("open")) return;
    panel.innerHTML = found;
    panel.hidden = false;
    if (byKey) (panel.querySelector("[data-with]") ?? panel.querySelector("input"))?.focus();
    panel.scrollIntoView({ block: "nearest" });
  }

  closeWord() {
    const panel = this.one("#word");
    if (panel.hidden) return;
    const inside = panel.contains(document.activeElement);
    panel.hidden = true;
    panel.replaceChildren();
    const word = this.one(".word.open") ?? this.one(".word[tabindex='0']");
    this.root.querySelectorAll(".word.open").forEach((open) => open.classList.remove("open"));
    if (inside) word?.focus();
  }

  async rested(event) {
    const button = event.target.closest?.("#word [data-with]");
    if (!button || button.dataset.asked) return;
    button.dataset.asked = "true";
    await this.tellOne([button]);
  }

  async tellOne(buttons) {
    const { predicted, model } = this.one("#word .groups").dataset;
    const place = this.place;
    const drafts = buttons.map((button) => this.put([{ ...place, put: button.dataset.with }]));
    const checked = await this.truth(Number(model), Number(predicted), drafts);
    buttons.forEach((button, at) => Bench.showTrue(button.querySelector(".checked"), checked[at]));
  }

  togetherChanges() {
    return [...this.root.querySelectorAll(".together tbody tr")]
      .map((row) => ({
        row,
        taken: row.querySelector("input").checked,
        change: { ...Bench.range(row.dataset), put: row.querySelector("select").value },
      }));
  }

  async tryTogether() {
    const table = this.one(".together");
    if (!table) return;
    const rows = this.togetherChanges();
    const all = this.put(rows.filter((row) => row.taken).map((row) => row.change));
    const drafts = [...rows.map((row) => this.put([row.change])), all];
    const checked = await this.truth(Number(table.dataset.model), Number(table.dataset.predicted), drafts);
    rows.forEach(({ row }, at) => Bench.show(row.querySelector(".checked"), checked[at]));
    const place = this.one("#all-checked");
    if (place) Bench.show(place, checked.at(-1));
  }

  // The person.

  clicked(event) {
    const button = event.target.closest("button");
    if (!button || (button.closest("[aria-busy]") && !button.dataset.do)) return;
    const { dataset } = button;
    if (button.matches(".word")) this.openWord(button, event.detail === 0);
    else if (button.matches("#word [data-with]")) {
      this.take(this.put([{ ...this.place, put: dataset.with }]), `${this.place.written} → ${dataset.with}`);
    } else if (button.matches(".put")) {
      const written = button.querySelector("s").textContent;
      this.take(this.put([{ ...Bench.range(dataset), put: dataset.with }]), `${written} → ${dataset.with}`);
    } else if (dataset.until) this.replay(Number(dataset.until));
    else if (dataset.step) this.go(Number(dataset.step));
    else if (button.parentElement.dataset.choice) this.chose(button);
    else if (dataset.do) this.does(dataset.do);
  }

  chose(button) {
    const { choice } = button.parentElement.dataset;
    for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button));
    if (choice === "heat") this.colour(button.value);
    else {
      this[choice] = choice === "model" ? Number(button.value) : button.value;
      if (choice !== "recipe") this.around();
    }
  }

  /** Colours the words by another score. */
  colour(heat) {
    this.heat = heat;
    for (const button of this.root.querySelectorAll('[data-choice="heat"] button')) {
      button.setAttribute("aria-pressed", String(button.value === heat));
    }
    for (const scale of this.root.querySelectorAll(".scale")) scale.hidden = (scale.dataset.of === "share") !== (heat === "e_max");
    this.show();
  }

  does(what) {
    if (what === "undo") this.go(this.at - 1);
    if (what === "redo") this.go(this.at + 1);
    if (what === "reset") this.go(0);
    if (what === "close") this.closeWord();
    if (what === "keep") this.keep();
    if (what === "attack") this.attack();
    if (what === "threats") {
      this.forecasts = true;
      this.around();
    }
    if (what === "replay") this.replay(Infinity);
    if (what === "truth-all") {
      const buttons = [...this.root.querySelectorAll("#word [data-with]")];
      this.tellOne(buttons);
    }
    if (what === "delete") this.take(this.put([{ ...this.place, put: "" }]), `${this.place.written} taken out`);
    if (what === "put-all") {
      const taken = this.togetherChanges().filter((row) => row.taken).map((row) => row.change);
      if (taken.length > 0) this.take(this.put(taken), taken.map((change) => change.put).join(", "));
    }
  }

  async attack() {
    const place = this.one("#attack");
    this.attacking?.abort();
    this.attacking = new AbortController();
    place.ariaBusy = "true";
    try {
      const asked = { example: this.example, model: this.model, recipe: this.recipe };
      place.innerHTML = await askText("/fragment/attack", asked, this.attacking.signal);
      place.ariaBusy = null;
    } catch (error) {
      if (error.name !== "AbortError") place.ariaBusy = null;
    }
  }

  /** Puts the first steps of an attack into the history, one after the other, and shows the last of them. */
  replay(count) {
    const steps = JSON.parse(this.one("#attack [data-replay]").dataset.replay).slice(0, count);
    this.steps = [this.steps[0], ...steps];
    this.at = this.steps.length - 1;
    this.changed(true);
  }

  typed(event) {
    const { id, value } = event.target;
    if (id !== "text" && id !== "pair") return;
    const shown = (text) => (text ?? "").replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    const before = this.draft[id] ?? "";
    this.take({ ...this.draft, [id]: retyped(before, shown(before), value) }, "typed", true);
  }

  submitted(event) {
    if (!event.target.matches("[data-own]")) return;
    event.preventDefault();
    const own = event.target.elements.own.value;
    if (own) this.take(this.put([{ ...this.place, put: own }]), `${this.place.written} → ${own}`);
  }

  pressed(event) {
    if (event.key === "Escape") this.closeWord();
    const word = event.target.closest?.(".word");
    if (!word) return;
    const words = [...word.closest(".text").querySelectorAll(".word")];
    const at = words.indexOf(word);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: words.length - 1 }[event.key];
    if (to === undefined || !words[to]) return;
    event.preventDefault();
    word.tabIndex = -1;
    words[to].tabIndex = 0;
    words[to].focus();
  }

  /** One stop of the tab key for a whole text; the arrows go from word to word. The word that had the focus keeps it. */
  rove(subject, held) {
    for (const text of subject.querySelectorAll(".text")) {
      const words = [...text.querySelectorAll(".word")];
      const same = held?.start && words.find((word) => word.dataset.field === held.field && Number(word.dataset.end) > Number(held.start));
      const first = same || words[0];
      if (first) first.tabIndex = 0;
      if (same) same.focus({ preventScroll: true });
    }
  }

  async keep() {
    const choice = this.one("#keep-label").value;
    const body = { example: this.example, model: this.model, steps: this.steps.slice(1, this.at + 1).map((step) => step.draft) };
    if (choice !== "=") body.label = choice.slice(1);
    const { count } = await askJson("/basket/keep", body);
    document.getElementById("basket-count").textContent = count;
    say(this.steps[this.at].turned ? "Kept, with the flip." : "Kept in the basket.");
  }
}

let bench = null;

export function enterBench() {
  const root = document.getElementById("bench");
  if (root && bench?.root !== root) bench = new Bench(root);
  if (!root) bench = null;
}

/** Keys of the bench; tells whether it knew the key. */
export function benchKey(key) {
  if (!bench) return false;
  const what = { u: "undo", r: "redo", s: "keep" }[key];
  if (what) bench.does(what);
  const heat = { 1: "e_max", 2: "ig", 3: "gradient" }[key];
  if (heat) bench.colour(heat);
  return Boolean(what || heat);
}
