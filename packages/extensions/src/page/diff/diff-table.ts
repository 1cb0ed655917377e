/** The table of one patch: side by side where there is room, else one column. Drawn in slices. */
import { inBatches } from "../batches.ts";
import { element, type Child } from "../elements.ts";
import { inSlices } from "../slices.ts";
import { isLongLine, lineText, visible } from "../text.ts";
import { hunksOf, linesOf, sidesOf, splitLaterPart, type DiffLine, type Hunk, type Sides } from "./patch.ts";
import { splitWords } from "./words.ts";

export type Layout = "sides" | "unified";

type Row = { readonly hunk: Hunk } | Sides;

const MAX_RAW_LENGTH = 60_000;
const ROWS_PER_BATCH = 300;

const HEADS: Readonly<Record<Layout, readonly string[]>> = {
  sides: ["Old line", "Old text", "New line", "New text"],
  unified: ["Old line", "New line", "Text"],
};

/** Called while a patch is drawn: why some changed part of it is not on the page; empty when all of them are. */
export type Unseen = (reason: string) => void;

const NOT_BY_LINES = "The changes are not shown line by line.";
const LONG_LINE = "A changed line is too long to be shown to its end.";

export interface PatchDrawing {
  readonly patch: string;
  readonly path: string;
  readonly layout: Layout;
  readonly unseen?: Unseen | undefined;
}

/** Draws a patch into `target`, in place of what is there. Resolves when its first rows are drawn. */
export async function drawPatch(target: HTMLElement, { patch, path, layout, unseen = () => undefined }: PatchDrawing): Promise<void> {
  target.replaceChildren();
  unseen(NOT_BY_LINES);
  const { start, rest } = splitLaterPart(patch);
  if (start !== "") target.append(element("p", { class: "quiet" }, "This is a later part of the diff."), rawPatch(start));
  const hunks = tryParse(rest);
  if (hunks === undefined || hunks.length === 0) {
    if (rest !== "") target.append(rawPatch(rest));
    return;
  }
  const rows = hunks.flatMap((hunk): Row[] => {
    const lines = linesOf(hunk);
    const sides = layout === "sides" ? sidesOf(lines) : lines.map((line) => ({ left: line.sign === "+" ? undefined : line, right: line }));
    return [{ hunk }, ...sides];
  });
  const body = element("tbody");
  const heads = HEADS[layout].map((name) => element("th", { scope: "col" }, element("span", { class: "hidden-name" }, name)));
  const table = element("table", { class: `diff ${layout}`, "aria-label": `Changes in ${visible(path)}` });
  table.append(element("thead", {}, element("tr", {}, ...heads)), body);
  target.append(table);
  let drawing = Promise.resolve();
  let drawn = 0;
  const draw = async (some: readonly Row[]): Promise<void> => {
    await drawing;
    await inSlices(
      some,
      (row) => {
        body.append("hunk" in row ? hunkRow(row.hunk, layout) : lineRow(row, layout));
        drawn += 1;
      },
      () => body.isConnected,
    );
    if (!body.isConnected || start !== "") return;
    unseen(drawn < rows.length ? `${drawn} of ${rows.length} rows of the diff are shown.` : hasLongChange(hunks) ? LONG_LINE : "");
  };
  inBatches({
    items: rows,
    size: ROWS_PER_BATCH,
    noun: ["row", "rows"],
    append: (some) => {
      drawing = draw(some);
    },
    placeControl: (control) => target.append(control),
  });
  await drawing;
}

const hasLongChange = (hunks: readonly Hunk[]): boolean =>
  hunks.some(({ lines }) => lines.some((line) => /^[-+]/.test(line) && isLongLine(line.slice(1))));

function tryParse(patch: string): Hunk[] | undefined {
  try {
    return hunksOf(patch);
  } catch {
    return undefined; // such as git's combined format of a conflict
  }
}

/** What has no hunks: new modes, renames, binary files, conflicts. */
function rawPatch(patch: string): HTMLElement {
  const isCut = patch.length > MAX_RAW_LENGTH;
  const text = visible(isCut ? patch.slice(0, MAX_RAW_LENGTH) : patch, "lines");
  return element("pre", { class: "raw" }, isCut ? `${text}…\nShown up to character ${MAX_RAW_LENGTH.toLocaleString("en")}.` : text);
}

function hunkRow({ oldStart, oldLines, newStart, newLines }: Hunk, layout: Layout): HTMLElement {
  const text = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return element("tr", { class: "hunk" }, element("td", { colspan: HEADS[layout].length }, text));
}

function lineRow({ left, right }: Sides, layout: Layout): HTMLElement {
  const line = right ?? left;
  if (layout === "sides") return element("tr", {}, numberCell(left, "old"), textCell(left), numberCell(right, "new"), textCell(right));
  return element("tr", {}, numberCell(line, "old"), numberCell(line, "new"), textCell(line));
}

const CLASSES = { " ": "same", "-": "removed", "+": "added" } as const;

const classOf = (line: DiffLine | undefined): string => (line === undefined ? "nothing" : CLASSES[line.sign]);

const numberCell = (line: DiffLine | undefined, side: "old" | "new"): HTMLElement =>
  element("td", { class: `line-number ${classOf(line)}` }, line?.[side]);

function textCell(line: DiffLine | undefined): HTMLElement {
  if (line === undefined) return element("td", { class: "nothing" });
  const changed = line.sign === "-" ? "del" : "ins";
  const parts = splitWords(line).map(({ text, isChanged }): Child => (isChanged ? element(changed, {}, lineText(text)) : lineText(text)));
  const end = line.isUnended === true && element("span", { class: "quiet" }, " (no newline at the end)");
  return element("td", { class: `line ${CLASSES[line.sign]}` }, element("span", { class: "sign" }, line.sign), ...parts, end);
}
