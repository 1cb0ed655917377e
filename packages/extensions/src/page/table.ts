/** A table in a scrolling region that the keyboard reaches. */
import { element, type Child } from "./elements.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  cell(row: Row): Child;
}

/** A table in a scrolling region with an accessible name. */
export function dataTable<Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement {
  const heads = columns.map(({ name }) => element("th", { scope: "col" }, name));
  const cells = (row: Row) => columns.map(({ cell }) => element("td", {}, cell(row)));
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
  );
  return element("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, table);
}
