// Makes every table sortable and copyable, and lists the sections. The page is whole
// without it.
"use strict";

const SIZES = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

// The number a cell starts with; null when it has none.
function numberOf(text) {
  const found = /^(-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([KMGT])?(?=$|[\s,%])/i.exec(text);
  return found ? Number(found[1]) * (SIZES[found[2]] || 1) : null;
}

function cellsOf(row) {
  return Array.from(row.cells, (cell) => cell.textContent.trim());
}

// Empty cells stay last, numbers are compared as numbers where the whole column has them.
function sortRows(table, column, direction) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows).map((row) => ({ row, text: row.cells[column].textContent.trim() }));
  const isNumeric = rows.every(({ text }) => text === "" || numberOf(text) !== null);
  rows.sort((a, b) => {
    if (a.text === "" || b.text === "") return (a.text === "") - (b.text === "");
    const order = isNumeric ? numberOf(a.text) - numberOf(b.text)
      : a.text.localeCompare(b.text, "en", { numeric: true });
    return direction * order;
  });
  body.append(...rows.map(({ row }) => row));
}

function addSorting(table) {
  const heads = Array.from(table.tHead.rows[0].cells);
  const written = Array.from(table.tBodies[0].rows);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (was === "descending") {
        table.tBodies[0].append(...written);
        return;
      }
      head.setAttribute("aria-sort", was ? "descending" : "ascending");
      sortRows(table, column, was ? -1 : 1);
    });
  });
}

// Says each cell's column where the head is not above it: on a phone and in print.
function addLabels(frame, table) {
  const names = cellsOf(table.tHead.rows[0]);
  Array.from(table.tHead.rows[0].cells).forEach((cell, column) => { cell.dataset.label = names[column]; });
  if (names.length < 4 || !table.querySelector("td.long")) return;
  frame.classList.add("cards");
  for (const row of table.tBodies[0].rows) {
    Array.from(row.cells).forEach((cell, column) => { cell.dataset.label = names[column]; });
  }
}

// A column is set as numbers only when all of it is.
function alignColumns(table) {
  const rows = Array.from(table.tBodies[0].rows);
  Array.from(table.tHead.rows[0].cells).forEach((_, column) => {
    const cells = rows.map((row) => row.cells[column]).filter((cell) => cell.textContent);
    if (cells.some((cell) => !cell.classList.contains("n"))) {
      cells.forEach((cell) => cell.classList.remove("n"));
    }
  });
}

function rowsOf(table) {
  return Array.from(table.rows, cellsOf);
}

// Columns stand below each other in a mail.
function alignedText(table) {
  const rows = rowsOf(table);
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => (row[column] || "").length)));
  return rows.map((row) => row.map((text, column) => {
    const isNumber = numberOf(text) !== null && /^[-.\d]+[KMGT]?$/.test(text);
    return isNumber ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  }).join("  ").trimEnd()).join("\n") + "\n";
}

function tabbedText(table) {
  return rowsOf(table).map((row) => row.join("\t")).join("\n") + "\n";
}

// Where the clipboard is refused, the way of older browsers.
function copyBySelection(text) {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused) focused.focus();
  return isCopied;
}

let quiet;
function say(text) {
  const said = document.getElementById("said");
  said.textContent = text;
  clearTimeout(quiet);
  quiet = setTimeout(() => { said.textContent = ""; }, 4000);
}

async function copy(table, text) {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copyBySelection(text);
  }
  const rows = table.tBodies[0].rows.length;
  say(isCopied ? `${rows} ${rows === 1 ? "row" : "rows"} copied` : "The browser does not allow copying");
}

function addTools(frame, table, name) {
  const tools = document.createElement("div");
  tools.className = "tools";
  for (const [label, make] of [["Copy as text", alignedText], ["Copy for a spreadsheet", tabbedText]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.setAttribute("aria-label", `${label}: ${name}`);
    button.addEventListener("click", () => copy(table, make(table)));
    tools.append(button);
  }
  frame.prepend(tools);
}

// What scrolls can be reached by keyboard.
function makeReachable(box, name) {
  if (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight) {
    box.removeAttribute("tabindex");
    return;
  }
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", name);
}

function nameOf(element) {
  let name = "Summary";
  for (const heading of document.querySelectorAll("h2")) {
    if (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) {
      name = heading.textContent;
    }
  }
  return name;
}

document.querySelectorAll(".table").forEach((frame) => {
  const table = frame.querySelector("table");
  addLabels(frame, table);
  alignColumns(table);
  addSorting(table);
  addTools(frame, table, nameOf(table));
});
document.querySelectorAll("h2").forEach((heading, number) => {
  const link = document.createElement("a");
  heading.id = `section-${number + 1}`;
  link.href = `#${heading.id}`;
  link.textContent = heading.textContent;
  document.querySelector("nav").append(link);
});
function reach() {
  document.querySelectorAll(".scroll").forEach((box) => makeReachable(box, nameOf(box)));
}
addEventListener("resize", reach);
reach();
