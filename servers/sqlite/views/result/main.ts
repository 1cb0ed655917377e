// The result view: rows of read_query and matches of search_text as a grid, and as a chart.
import { clipped, startView, textOf, type Page, type ToolResult } from "@oarlock/extensions/page";
import { PageSource } from "./page-source.ts";
import { ResultPage } from "./result-page.ts";

let shown: ResultPage | undefined;

void startView({ label: "Query result", render, onAppearance: () => shown?.redraw() });

async function render(result: ToolResult, page: Page): Promise<void> {
  const source = await PageSource.open(result, page);
  if (source === undefined) return page.fail(`The rows are in a form that this page cannot show:\n${textOf(result).slice(0, 10_000)}`);
  const { columns, rows, gaps } = source.current;
  if (rows.length === 0 && !source.hasMore) {
    const names = columns.length === 0 ? "" : clipped(` Columns: ${columns.map(({ name }) => name).join(", ")}`, 500);
    return page.empty([`No rows.${names}`, ...gaps].join(" "));
  }
  shown = new ResultPage(source, page);
}
