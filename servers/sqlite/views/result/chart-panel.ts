// ChartPanel: a chart of the rows with its controls, and its data as a table.
import { choice, clipped, element, toolbar, visible } from "@oarlock/extensions/page";
import type uPlot from "uplot";
import { CHARTS, columnsFor, suggestChart, withKind, type ChartChoice, type ChartKind } from "./chart-choice.ts";
import { chartData, type ChartData } from "./chart-data.ts";
import { drawChart } from "./chart.ts";
import { Grid } from "./grid.ts";
import type { ResultColumn, Row } from "./rows.ts";
import { textOfValue, type Kind } from "./values.ts";

export class ChartPanel {
  readonly element: HTMLElement = element("div");
  readonly #columns: readonly ResultColumn[];
  readonly #kinds: readonly Kind[];
  readonly #place = element("div", { class: "chart", role: "img" });
  readonly #reading = element("p", { class: "quiet reading" });
  #rows: readonly Row[] = [];
  #choice: ChartChoice | undefined;
  #plot: uPlot | undefined;

  constructor(columns: readonly ResultColumn[], kinds: readonly Kind[]) {
    this.#columns = columns;
    this.#kinds = kinds;
    this.#choice = suggestChart(columns, kinds);
    new ResizeObserver(() => this.#fit()).observe(this.#place);
  }

  show(rows: readonly Row[]): void {
    this.#rows = rows;
    this.draw();
  }

  draw(): void {
    if (this.#choice === undefined)
      return this.element.replaceChildren(element("p", { class: "message" }, "A chart needs a column of numbers; this result has none."));
    const data = chartData(this.#choice, { columns: this.#columns, kinds: this.#kinds, rows: this.#rows });
    const table = new Grid({ label: "Data of the chart", columns: data.columns, kinds: ["text", "number"] });
    const title = element("p", { class: "title" }, `${data.title}. ${data.note}`);
    this.element.replaceChildren(this.#controls(this.#choice), title, this.#place, this.#reading, table.element);
    table.show(data.rows);
    this.#plot?.destroy();
    this.#place.replaceChildren();
    this.#place.setAttribute("aria-label", `${data.title}. The table below has its data.`);
    this.#reading.textContent = "";
    this.#plot = data.xs.length === 0 ? undefined : drawChart(this.#place, data, (index) => this.#read(data, index));
  }

  #controls(chosen: ChartChoice): HTMLElement {
    const change = (changed: ChartChoice): void => {
      this.#choice = changed;
      const focused = document.activeElement?.closest("label")?.textContent;
      this.draw();
      for (const label of this.element.querySelectorAll("label")) if (label.textContent === focused) label.querySelector("select")?.focus();
    };
    const { kind, x, y } = chosen;
    const usable = Object.entries(CHARTS).filter(([name]) => columnsFor("x", name as ChartKind, this.#kinds).length > 0); // a key of CHARTS
    const axis = (label: string, name: "x" | "y", at: number): HTMLElement =>
      choice(label, this.#names(columnsFor(name, kind, this.#kinds)), String(at), (value) => change({ ...chosen, [name]: Number(value) }));
    return toolbar(
      "Chart",
      choice("Kind", Object.fromEntries(usable), kind, (value) => change(withKind(chosen, value as ChartKind, this.#kinds))), // a key of CHARTS
      axis(kind === "histogram" ? "Column" : "X", "x", x),
      kind !== "histogram" && axis("Y", "y", y),
    );
  }

  #names(indexes: readonly number[]): Record<string, string> {
    return Object.fromEntries(indexes.map((at) => [String(at), clipped(this.#columns[at]?.name ?? "", 40)]));
  }

  #read({ columns, rows }: ChartData, index: number | undefined): void {
    const row = index === undefined ? undefined : rows[index];
    this.#reading.textContent =
      row === undefined ? "" : columns.map(({ name }, at) => `${visible(name)}: ${clipped(textOfValue(row[at]), 60)}`).join(", ");
  }

  #fit(): void {
    const { clientWidth: width } = this.#place;
    const plot = this.#plot;
    if (plot !== undefined && width > 0 && plot.width !== width) plot.setSize({ width, height: plot.height });
  }
}
