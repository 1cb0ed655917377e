// The blame view: the lines of a file, each with the commit that changed it last and its age.
import { actionButton, clipped, element, inSlices, lineText, startView, type Page, type ToolResult } from "@oarlock/extensions/page";
import { showDetails } from "../commit/commit-details.ts";
import { AgeScale, ageOf } from "./ages.ts";
import { loadBlame, readBlame, type BlamePart } from "./blame-lines.ts";
import type { Hunk } from "./blame-text.ts";

const ROWS_PER_TABLE = 100;
const NOT_COMMITTED = /^0+$/;

void startView({ label: "Blame", render });

async function render(result: ToolResult, page: Page): Promise<void> {
  const isWhole = result.structuredContent?.["hunks"] !== undefined;
  const part = !isWhole && page.canCallTools ? await loadBlame(page) : readBlame(result);
  if (part === undefined || part.hunks.length === 0) return page.empty("This file has no lines.");
  const lines = element("div");
  const foot = element("div", { class: "foot", tabindex: -1 });
  const details = element("div", { class: "details" });
  page.show(element("h2", { class: "mono" }, element("bdi", {}, clipped(part.path, 400) || "File")), lines, foot, details);
  await addPart(part, { lines, foot, details, page, ages: new AgeScale() });
}

/** Appends a table, whose body is returned. The browser lays out short tables quickly. */
function tableFor(lines: HTMLElement, first: number): HTMLTableSectionElement {
  const heads = ["Age and commit", "Line", "Text"].map((name) =>
    element("th", { scope: "col" }, element("span", { class: "hidden-name" }, name)),
  );
  const body = element("tbody");
  const label = `Lines from ${first}`;
  lines.append(element("table", { class: "blame", "aria-label": label }, element("thead", {}, element("tr", {}, ...heads)), body));
  return body;
}

interface Blame {
  readonly lines: HTMLElement;
  readonly foot: HTMLElement;
  readonly details: HTMLElement;
  readonly page: Page;
  readonly ages: AgeScale;
}

interface Line {
  readonly hunk: Hunk;
  readonly number: number;
  readonly text: string;
}

async function addPart({ hunks, lines: texts, totalLines, next }: BlamePart, blame: Blame): Promise<void> {
  const { lines, foot, page, ages } = blame;
  const first = hunks[0]?.startLine ?? 1;
  const dates = new Set(hunks.map(({ date }) => date));
  ages.add(dates);
  const rows = hunks.flatMap((hunk): Line[] =>
    Array.from({ length: hunk.endLine - hunk.startLine + 1 }, (_, at) => {
      const number = hunk.startLine + at;
      return { hunk, number, text: texts.get(number) ?? "" };
    }),
  );
  const now = Date.now();
  const shares = new Map(Array.from(dates, (date) => [date, ages.shareOf(date)]));
  let body = tableFor(lines, first);
  await inSlices(
    rows,
    (line) => {
      if (body.rows.length === ROWS_PER_TABLE) body = tableFor(lines, line.number);
      body.append(lineRow(line, { now, share: shares.get(line.hunk.date) ?? 1 }, blame));
    },
    () => body.isConnected,
  );
  const last = rows.at(-1)?.number ?? first;
  const of = totalLines > 0 ? ` of ${totalLines.toLocaleString("en")}` : "";
  foot.replaceChildren(
    element("span", { class: "quiet" }, `Lines up to ${last.toLocaleString("en")}${of}${next === undefined ? "." : "; more follow."}`),
  );
  if (next === undefined || !page.canCallTools) return;
  const control = actionButton("Next", {
    page,
    act: async () => addPart(await loadBlame(page, next), blame),
    successor: () => foot.querySelector("button") ?? foot,
  });
  foot.prepend(control, " ");
}

function lineRow({ hunk, number, text }: Line, { now, share }: { now: number; share: number }, { details, page }: Blame): HTMLElement {
  const isFirst = number === hunk.startLine;
  const { hash, author, date, summary } = hunk;
  const commit = { hash, author, date, subject: summary };
  const isCommitted = !NOT_COMMITTED.test(hash);
  const select = (): void => page.act(() => showDetails(commit, details, page));
  const cell = element("td", { class: "origin" });
  cell.style.setProperty("--age", `${Math.round(share * 100)}%`);
  if (isFirst && isCommitted)
    cell.append(
      element("span", { class: "age" }, ageOf(date, now)),
      element(
        "button",
        { type: "button", class: "plain summary", onclick: select },
        element("bdi", {}, clipped(summary, 200) || "(no subject)"),
      ),
      element("bdi", { class: "quiet author" }, clipped(author, 60)),
    );
  else if (isFirst) cell.append(element("span", { class: "age" }, "not committed"));
  return element(
    "tr",
    { class: isFirst && "first" },
    cell,
    element("td", { class: "line-number" }, number),
    element("td", { class: "line" }, lineText(text)),
  );
}
