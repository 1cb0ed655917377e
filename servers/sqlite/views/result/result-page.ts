// ResultPage: the controls of the page around grid and chart.
import { button, clipped, counted, element, searchField, toolbar, type Page } from "@oarlock/extensions/page";
import { ChartPanel } from "./chart-panel.ts";
import { FORMULA_WARNING } from "../../src/db/csv/formulas.ts";
import { csvText, hasFormulas, tabbedText } from "./delimited-text.ts";
import { Grid, type Sort } from "./grid.ts";
import type { Row } from "./rows.ts";
import { MAX_ROWS, type PageSource } from "./page-source.ts";
import { Tabs } from "./tabs.ts";
import { TextPanel } from "./text-panel.ts";
import { filteredBy, kindOf, sortedBy, textOfValue, type Kind } from "./values.ts";

export class ResultPage {
  readonly #source: PageSource;
  readonly #page: Page;
  readonly #panel = new TextPanel();
  readonly #summary = element("p", { class: "quiet" });
  readonly #gridPlace = element("div");
  readonly #chartPlace = element("div");
  readonly #previous = button("Previous", () => this.#changePage(async () => this.#source.previous()));
  readonly #next = button("Next", () => this.#changePage(() => this.#source.next()));
  readonly #grow = button(`Load ${MAX_ROWS.toLocaleString("en")} rows`, () => this.#changePage(() => this.#source.grow()));
  #grid!: Grid;
  #chart: ChartPanel | undefined;
  #hasChart = false;
  #isChangingPage = false;
  #kinds: Kind[] = [];
  #sort: Sort;
  #filter = "";
  #rows: readonly Row[] = [];

  constructor(source: PageSource, page: Page) {
    this.#source = source;
    this.#page = page;
    const filter = searchField("Filter", (text) => {
      this.#filter = text;
      this.#update();
    });
    const pages = [this.#previous, this.#next, this.#grow];
    const tools = toolbar(
      "Rows",
      filter,
      button("Copy", () => this.#copy()),
      button("Export CSV", () => page.act(() => this.#export())),
      ...(source.hasMore || source.canGrow ? pages : []),
    );
    this.#open();
    const tabs = new Tabs("Form of the result", { Grid: this.#gridPlace, Chart: this.#chartPlace }, (index) =>
      this.#showChart(index === 1),
    );
    page.show(tabs.element, tools, this.#gridPlace, this.#chartPlace, this.#summary, this.#panel.element);
  }

  /** After a change of the theme. */
  redraw(): void {
    if (this.#hasChart) this.#chart?.draw();
  }

  /** The chart is drawn only while it is in sight. */
  #showChart(isShown: boolean): void {
    this.#hasChart = isShown;
    if (!isShown) return;
    if (this.#chart === undefined) {
      this.#chart = new ChartPanel(this.#source.current.columns, this.#kinds);
      this.#chartPlace.replaceChildren(this.#chart.element);
    }
    this.#chart.show(this.#rows);
  }

  /** Shows the current page of the source. */
  #open(): void {
    const { columns, rows } = this.#source.current;
    this.#kinds = columns.map((_, at) => kindOf(rows, at));
    this.#grid = new Grid({
      label: "Rows of the result",
      columns,
      kinds: this.#kinds,
      sort: (at) => this.#sortBy(at),
      open: (value, { name }) => this.#panel.show(clipped(name, 60), textOfValue(value)),
    });
    this.#gridPlace.replaceChildren(this.#grid.element);
    this.#chart = undefined;
    this.#update();
  }

  #sortBy(at: number): void {
    const isSame = this.#sort?.at === at;
    if (isSame && this.#sort?.isDescending === true) this.#sort = undefined;
    else this.#sort = { at, isDescending: isSame };
    this.#update();
  }

  #update(): void {
    const { rows } = this.#source.current;
    const filtered = filteredBy(rows, this.#filter);
    const sort = this.#sort;
    this.#rows = sort === undefined ? filtered : sortedBy(filtered, { ...sort, kind: this.#kinds[sort.at] ?? "text" });
    this.#grid.show(this.#rows, sort);
    this.#showChart(this.#hasChart);
    this.#summary.textContent = this.#describe(rows.length);
    this.#previous.disabled = !this.#source.hasPrevious;
    this.#next.disabled = !this.#source.hasMore || !this.#source.canLoad;
    this.#grow.hidden = !this.#source.canGrow;
  }

  #describe(count: number): string {
    const { skipped, hasMore, hasPrevious, canLoad, current } = this.#source;
    const isPart = hasMore || hasPrevious || skipped === undefined;
    const range = isPart && count > 0 && skipped !== undefined ? rangeText(skipped + 1, skipped + count) : counted(count, "row");
    const { omittedColumns } = this.#grid;
    return [
      `${range}${skipped === undefined ? " of a later page" : ""}${hasMore ? "; more follow" : ""}.`,
      ...current.gaps,
      this.#rows.length < count && `${counted(this.#rows.length, "row")} of them match the filter.`,
      hasMore && !canLoad && "This host does not let the page ask for them.",
      isPart && "Sorting, filter, chart, copy and export use the rows of this page.",
      omittedColumns > 0 && `${counted(omittedColumns, "further column")} not shown; the export has them.`,
      current.clippedCount > 0 && `The server truncated ${counted(current.clippedCount, "value")}.`,
      current.hasChanged && "The data has changed since the previous page: rows may be missing or repeated.",
    ]
      .filter((sentence) => sentence !== false)
      .join(" ");
  }

  /** Changes the page; further clicks count for nothing until it is there. */
  #changePage(change: () => Promise<void>): void {
    if (this.#isChangingPage) return;
    this.#isChangingPage = true;
    this.#page.act(async () => {
      try {
        await change();
        this.#page.announce("");
        this.#open();
        if (document.activeElement === document.body) this.#grid.element.focus(); // the control has gone
      } finally {
        this.#isChangingPage = false;
      }
    });
  }

  /** By the copy command on a selected text: hosts rarely permit the Clipboard API. */
  #copy(): void {
    this.#panel.select("Rows to copy", tabbedText(this.#source.current.columns, this.#rows));
    if (!document.execCommand("copy")) return this.#page.announce("The rows are selected: copy them with the copy command.");
    this.#panel.close();
    this.#page.announce(`Copied ${counted(this.#rows.length, "row")}.`);
  }

  async #export(): Promise<void> {
    const { columns } = this.#source.current;
    const text = csvText(columns, this.#rows);
    const warning = hasFormulas(columns, this.#rows) ? ` ${FORMULA_WARNING}` : "";
    if (await this.#page.host.download({ name: "result.csv", mimeType: "text/csv", text }))
      return this.#page.announce(`Exported ${counted(this.#rows.length, "row")}.${warning}`);
    this.#panel.select("CSV", text);
    this.#page.announce(`No file was saved. The CSV is selected: copy it with the copy command.${warning}`);
  }
}

const rangeText = (first: number, last: number): string => `Rows ${first.toLocaleString("en")}–${last.toLocaleString("en")}`;
