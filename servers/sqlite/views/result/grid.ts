// Grid: a table of rows of which only those in sight are elements, so that many rows stay quick.
import { button, clipped, element } from "@oarlock/extensions/page";
import type { ResultColumn, Row } from "./rows.ts";
import { isNull, textOfValue, type Kind } from "./values.ts";

export type Sort = { readonly at: number; readonly isDescending: boolean } | undefined;

export interface GridOptions {
  readonly label: string;
  readonly columns: readonly ResultColumn[];
  readonly kinds: readonly Kind[];
  /** Called with the column of a header that was chosen. Without it headers are text. */
  sort?(at: number): void;
  /** Shows a value that the cell shortens. */
  open?(value: unknown, column: ResultColumn): void;
}

const ROW_PIXELS = 28;
/** Elements for cells at once, at most; rows in sight are always complete. */
const MAX_CELLS = 1500;
const MIN_OVERSCAN_ROWS = 2;
/** Characters of a cell, and of a name. */
const MAX_CHARACTERS = 120;
const MAX_COLUMNS = 100;
const WIDTH_SAMPLE_ROWS = 100;
/** Padding and border of a cell, about. */
const PADDING_CHARACTERS = 2;

export class Grid {
  readonly element: HTMLElement;
  readonly #options: GridOptions;
  readonly #shown: readonly ResultColumn[];
  readonly #table: HTMLTableElement;
  readonly #heads: HTMLTableCellElement[];
  /** Characters that the columns have room for. */
  #widths: readonly number[] = [];
  readonly #body: HTMLTableSectionElement = element("tbody");
  #rows: readonly Row[] = [];
  #first = -1;
  #last = -1;
  #isQueued = false;

  constructor(options: GridOptions) {
    this.#options = options;
    const { label, columns, kinds, sort } = options;
    this.#shown = columns.slice(0, MAX_COLUMNS);
    this.#heads = this.#shown.map(({ name }, at) => {
      const text = name === "" ? "(no name)" : clipped(name, MAX_CHARACTERS);
      const content = sort === undefined ? text : element("button", { type: "button", class: "plain" }, text);
      // The whole header sorts: a click on its button reaches it, too.
      return element("th", { scope: "col", class: kinds[at] === "number" && "number", onclick: () => sort?.(at) }, content);
    });
    const head = element("thead", {}, element("tr", { "aria-rowindex": 1 }, ...this.#heads));
    this.#table = element("table", { class: "grid", "aria-colcount": columns.length }, head, this.#body);
    this.element = element(
      "div",
      { class: "scroll rows", role: "region", "aria-label": label, tabindex: 0, onscroll: () => this.#queue() },
      this.#table,
    );
    new ResizeObserver(() => this.#queue()).observe(this.element);
  }

  /** Columns beyond those that are shown. */
  get omittedColumns(): number {
    return this.#options.columns.length - this.#shown.length;
  }

  show(rows: readonly Row[], sort?: Sort): void {
    this.#rows = rows;
    this.#table.setAttribute("aria-rowcount", String(rows.length + 1));
    this.#heads.forEach((head, at) => {
      if (sort?.at === at) head.setAttribute("aria-sort", sort.isDescending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.#sizeColumns();
    this.element.scrollTop = 0;
    this.#first = -1;
    this.#draw();
  }

  #queue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    requestAnimationFrame(() => {
      this.#isQueued = false;
      this.#draw();
    });
  }

  /** Replaces the rows when those in sight are no longer complete. */
  #draw(): void {
    const height = this.element.clientHeight || 420;
    const top = Math.floor(this.element.scrollTop / ROW_PIXELS);
    const inSight = Math.ceil(height / ROW_PIXELS) + 1;
    const isEnough = this.#first >= 0 && top >= this.#first && Math.min(top + inSight, this.#rows.length) <= this.#last;
    if (isEnough) return;
    const overscan = Math.max(MIN_OVERSCAN_ROWS, Math.floor((MAX_CELLS / Math.max(1, this.#shown.length) - inSight) / 2));
    this.#first = Math.max(0, top - overscan);
    this.#last = Math.min(this.#rows.length, top + inSight + overscan);
    const rows = this.#rows.slice(this.#first, this.#last).map((row, index) => this.#row(row, this.#first + index));
    this.#body.replaceChildren(this.#space(this.#first), ...rows, this.#space(this.#rows.length - this.#last));
  }

  #space(rows: number): HTMLTableRowElement {
    const space = element("tr", { "aria-hidden": "true", class: "space" });
    space.style.height = `${rows * ROW_PIXELS}px`;
    return space;
  }

  #row(row: Row, index: number): HTMLTableRowElement {
    return element("tr", { "aria-rowindex": index + 2 }, ...this.#shown.map((column, at) => this.#cell(row[at], at, index)));
  }

  #cell(value: unknown, at: number, index: number): HTMLTableCellElement {
    const column = this.#shown[at];
    if (column === undefined || isNull(value)) return element("td", { class: "null" }, "NULL");
    const text = textOfValue(value);
    const { open } = this.#options;
    const cell = element("td", { class: typeof value === "number" && "number" }, clipped(text, MAX_CHARACTERS));
    const isLong = text.length > (this.#widths[at] ?? 0) || text.includes("\n");
    if (!isLong || open === undefined) return cell;
    const name = `Show all of ${clipped(column.name, 40)}, row ${index + 1}`;
    cell.prepend(button("…", () => open(value, column), { class: "more", "aria-label": name }));
    return cell;
  }

  /** Fixed widths, by the lengths of names and first values: otherwise columns would move while rows come and go. */
  #sizeColumns(): void {
    const sample = this.#rows.slice(0, WIDTH_SAMPLE_ROWS);
    this.#widths = this.#shown.map(({ name }, at) => {
      const longest = Math.max(name.length + 3, ...sample.map((row) => Math.min(60, textOfValue(row[at]).length)));
      return Math.min(38, Math.max(6, longest));
    });
    const columns = this.#widths.map((width) => {
      const column = element("col");
      column.style.width = `${width + PADDING_CHARACTERS}ch`;
      return column;
    });
    this.#table.querySelector("colgroup")?.remove();
    this.#table.prepend(element("colgroup", {}, ...columns));
    this.#table.style.width = `${this.#widths.reduce((sum, width) => sum + width + PADDING_CHARACTERS, 0)}ch`;
  }
}
