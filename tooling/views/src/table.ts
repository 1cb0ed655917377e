/** A table in a scrolling region that the keyboard reaches; sortable columns have a button with their name. */
import { button } from "./controls.ts";
import { element, type Child } from "./elements.ts";

export interface Column<Row> {
  readonly name: string;
  cell(row: Row): Child;
  /** Cells are aligned to the right. Default false. */
  readonly isNumber?: boolean;
  /** How the column is sorted now; `sort` makes its name a button. */
  readonly sorted?: "ascending" | "descending" | undefined;
  sort?(): void;
}

export function dataTable<Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement {
  const heads = columns.map(({ name, isNumber, sorted, sort }) =>
    element(
      "th",
      { scope: "col", class: isNumber === true && "number", "aria-sort": sorted },
      sort === undefined ? name : button(name, () => sort(), { class: "plain" }),
    ),
  );
  const cells = (row: Row) => columns.map((column) => element("td", { class: column.isNumber === true && "number" }, column.cell(row)));
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
  );
  return element("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, table);
}
