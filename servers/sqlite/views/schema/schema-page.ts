// SchemaPage: the list of tables, the diagram of some of them, and the details of the selected one.
import { button, clipped, counted, element, inBatches, searchField, type Page } from "@oarlock/extensions/page";
import { boxOf } from "./boxes.ts";
import { Diagram } from "./diagram.ts";
import { layOut } from "./layout.ts";
import { Relations } from "./relations.ts";
import type { Schema, SchemaTable } from "./schema-data.ts";
import { tableDetails } from "./table-details.ts";

/** Tables in the diagram at once: more take too long to lay out, and cannot be read. */
const MAX_DRAWN = 40;

export class SchemaPage {
  readonly #page: Page;
  readonly #schema: Schema;
  readonly #relations: Relations;
  readonly #list = element("ul", { class: "tables" });
  readonly #place = element("div", { class: "place" });
  readonly #details = element("div");
  readonly #summary = element("p", { class: "quiet" });
  #diagram: Diagram | undefined;

  constructor(schema: Schema, page: Page) {
    this.#page = page;
    this.#schema = schema;
    this.#relations = new Relations(schema.tables);
  }

  async open(): Promise<void> {
    const { named, described } = this.#schema;
    this.#fillList("");
    const table = described === undefined ? undefined : this.#relations.table(described);
    const first = table === undefined ? named.flatMap((name) => this.#relations.table(name) ?? []) : this.#relations.around(table);
    const side = element(
      "nav",
      { class: "side", "aria-label": "Tables" },
      searchField("Find", (text) => this.#fillList(text)),
      this.#list,
    );
    await this.#draw(first);
    this.#page.show(this.#summary, element("div", { class: "schema" }, side, this.#place), this.#details);
    if (table !== undefined) this.#mark(table);
  }

  async #draw(tables: readonly SchemaTable[]): Promise<void> {
    const drawn = tables.slice(0, MAX_DRAWN);
    const layout = await layOut(drawn.map(boxOf), this.#relations.among(drawn));
    this.#diagram = new Diagram(layout, (table) => this.#mark(table));
    this.#place.replaceChildren(this.#diagram.element);
    this.#summary.textContent = this.#describe(drawn.length);
  }

  #describe(drawn: number): string {
    const { tables, omitted, isPage = false, note } = this.#schema;
    const all = tables.length + omitted;
    return [
      drawn < all
        ? `The diagram has ${drawn.toLocaleString("en")} of ${counted(all, "table")}. A table of the list is drawn with those next to it.`
        : `${counted(all, "table")}.`,
      isPage && "More tables follow: this is one page of the list.",
      omitted > 0 && `${counted(omitted, "table")} left out of the list: use list_tables and describe_table for them.`,
      note !== undefined && clipped(note, 300),
    ]
      .filter((sentence) => sentence !== false)
      .join(" ");
  }

  /** Selects a table, which is drawn with its neighbours where the diagram lacks it. */
  #select(table: SchemaTable): void {
    this.#page.act(async () => {
      if (this.#diagram?.has(table) !== true) await this.#draw(this.#relations.around(table));
      this.#mark(table);
    });
  }

  #mark(table: SchemaTable): void {
    this.#diagram?.mark(table);
    this.#details.replaceChildren(tableDetails(table, this.#relations));
  }

  #fillList(text: string): void {
    const wanted = text.trim().toLowerCase();
    const found = this.#relations.tables.filter(({ name }) => name.toLowerCase().includes(wanted));
    const sorted = found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const item = (table: SchemaTable): HTMLElement =>
      element(
        "li",
        {},
        button(clipped(table.name, 80), () => this.#select(table), { class: "plain" }),
      );
    this.#list.replaceChildren();
    const more = element("li");
    inBatches({
      items: sorted,
      append: (some) => {
        this.#list.append(...some.map(item));
        if (more.isConnected || more.hasChildNodes()) this.#list.append(more);
      },
      placeControl: (control) => {
        more.append(control);
        this.#list.append(more);
      },
    });
  }
}
