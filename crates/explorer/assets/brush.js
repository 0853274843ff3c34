// Drawing over a chart chooses the examples under it: the ends go into the address, and every page follows.

import { swap } from "./talk.js";

const SVG = "http://www.w3.org/2000/svg";
let drawing = null;

export const isDrawing = () => drawing !== null;

function place(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const { left, right, top, bottom } = svg.dataset;
  return {
    x: Math.min(Math.max(point.x, Number(left)), Number(right)),
    y: Math.min(Math.max(point.y, Number(top)), Number(bottom)),
  };
}

function start(event) {
  const svg = event.target.closest?.("svg[data-brush]");
  if (!svg || event.button !== 0) return;
  event.preventDefault();
  const frame = document.createElementNS(SVG, "rect");
  frame.setAttribute("class", "brush");
  svg.append(frame);
  drawing = { svg, frame, from: place(svg, event) };
  svg.setPointerCapture(event.pointerId);
}

function span(drawing, event) {
  const { svg, from } = drawing;
  const to = place(svg, event);
  const whole = svg.dataset.brush === "x";
  const top = whole ? Number(svg.dataset.top) : Math.min(from.y, to.y);
  const bottom = whole ? Number(svg.dataset.bottom) : Math.max(from.y, to.y);
  return { left: Math.min(from.x, to.x), right: Math.max(from.x, to.x), top, bottom };
}

function move(event) {
  if (!drawing) return;
  const { left, right, top, bottom } = span(drawing, event);
  const { frame } = drawing;
  frame.setAttribute("x", left);
  frame.setAttribute("y", top);
  frame.setAttribute("width", right - left);
  frame.setAttribute("height", bottom - top);
}

/** The value at a share of an axis of powers of ten; an end of the axis is left open, since all beyond lies there too. */
function value(from, to, share) {
  if (share <= 0.002 || share >= 0.998) return "";
  return (10 ** (Number(from) + (Number(to) - Number(from)) * share)).toPrecision(3);
}

async function end(event) {
  if (!drawing) return;
  const { svg, frame } = drawing;
  const { left, right, top, bottom } = span(drawing, event);
  drawing = null;
  frame.remove();
  if (right - left < 3) return;
  const data = svg.dataset;
  const address = new URL(location.href);
  const set = (name, words) => (words ? address.searchParams.set(name, words) : address.searchParams.delete(name));
  const across = (x) => (x - Number(data.left)) / (Number(data.right) - Number(data.left));
  set(`${data.x}_from`, value(data.xFrom, data.xTo, across(left)));
  set(`${data.x}_to`, value(data.xFrom, data.xTo, across(right)));
  if (data.brush === "xy") {
    const up = (y) => (Number(data.bottom) - y) / (Number(data.bottom) - Number(data.top));
    set(`${data.y}_from`, value(data.yFrom, data.yTo, up(bottom)));
    set(`${data.y}_to`, value(data.yFrom, data.yTo, up(top)));
  }
  address.searchParams.delete("page");
  await swap(address.pathname + address.search);
}

document.addEventListener("pointerdown", start);
document.addEventListener("pointermove", move);
document.addEventListener("pointerup", end);
document.addEventListener("pointercancel", () => {
  drawing?.frame.remove();
  drawing = null;
});
