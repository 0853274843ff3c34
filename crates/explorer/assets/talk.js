// Talking to the program, and telling the person.

/** Sends `body` as JSON and gives the response; a refusal is shown and thrown. */
async function send(path, body, signal) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) {
    const words = await response.text();
    say(words || `The program refused (${response.status}).`);
    throw new Error(words);
  }
  return response;
}

export const askText = async (path, body, signal) => (await send(path, body, signal)).text();
export const askJson = async (path, body, signal) => (await send(path, body, signal)).json();

let saying;

/** Tells something in the status line, which is read aloud where that is wanted. */
export function say(words) {
  const status = document.getElementById("status");
  status.textContent = words;
  status.classList.add("shown");
  clearTimeout(saying);
  saying = setTimeout(() => status.classList.remove("shown"), 4000);
}

/** Shows another address of this program without losing the place on the page. */
export async function swap(address, remember = true) {
  const response = await fetch(address);
  if (!response.ok) {
    say(await response.text());
    return false;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.getElementById("main").replaceWith(page.getElementById("main"));
  document.querySelector("header nav").replaceWith(page.querySelector("header nav"));
  document.title = page.title;
  if (remember) history.pushState(null, "", address);
  return true;
}

/** Runs `work` once nobody has called for a while. */
export function patiently(milliseconds, work) {
  let waiting;
  return (...details) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(...details), milliseconds);
  };
}

/** Waits a moment, unless it is called off. */
export function pause(milliseconds, signal) {
  return new Promise((done, failed) => {
    const waiting = setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(waiting);
      failed(new DOMException("called off", "AbortError"));
    });
  });
}
