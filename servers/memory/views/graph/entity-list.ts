// EntityList: all entities as text, each with a control that expands it; the selected one shows its details.
import { button, clipped, element, searchField, visible } from "@oarlock/extensions/page";
import { Details, type DetailsOptions } from "./details.ts";
import type { GraphNode } from "./graph.ts";
import { typeLabel, type Kinds } from "./kinds.ts";

/** Rows that are added at once; then the page can react. */
const CHUNK = 100;
const MIN_FILTERED = 10;

export interface ListOptions extends DetailsOptions {
  readonly kinds: Kinds;
  expand(node: GraphNode): void;
}

interface Row {
  readonly node: GraphNode;
  readonly item: HTMLLIElement;
  readonly swatch: HTMLElement;
  readonly name: HTMLButtonElement;
  readonly type: HTMLElement;
}

export class EntityList {
  readonly element: HTMLElement;
  readonly #options: ListOptions;
  readonly #rows = new Map<GraphNode, Row>();
  readonly #list = element("ul", { class: "entities" });
  readonly #scroller: HTMLElement;
  readonly #field: HTMLElement;
  #filter = "";
  #open: Row | undefined;
  #details: Details | undefined;

  constructor(options: ListOptions) {
    this.#options = options;
    this.#scroller = element("div", { class: "scroll list", role: "region", "aria-label": "Entities", tabindex: 0 }, this.#list);
    this.#field = searchField("Filter", (text) => this.#setFilter(text));
    this.element = element("div", { class: "side" }, this.#field, this.#scroller);
  }

  /** Adds rows for new entities, and draws those of known ones, with the open details, again. */
  update(nodes: readonly GraphNode[]): void {
    this.#field.hidden = nodes.length < MIN_FILTERED;
    for (const row of this.#rows.values()) this.#draw(row);
    this.#details?.update();
    this.#addAll(nodes.filter((node) => !this.#rows.has(node)));
  }

  #addAll(nodes: readonly GraphNode[]): void {
    const added = nodes.slice(0, CHUNK).filter((node) => !this.#rows.has(node));
    this.#list.append(...added.map((node) => this.#add(node).item));
    if (nodes.length > CHUNK) setTimeout(() => this.#addAll(nodes.slice(CHUNK)));
  }

  /** Opens the row of an entity and scrolls to it. `loads`: missing observations are read. */
  open(node: GraphNode, loads: boolean): void {
    const hadFocus = this.#open?.item.querySelector(".details")?.contains(document.activeElement) === true;
    this.#close();
    const row = this.#rows.get(node) ?? this.#add(node);
    if (!row.item.isConnected) this.#list.append(row.item);
    row.item.hidden = false;
    const details = (this.#details = new Details(node, this.#options));
    if (loads) details.load();
    row.item.append(details.element);
    row.item.classList.add("open");
    row.name.setAttribute("aria-pressed", "true");
    this.#open = row;
    if (hadFocus) row.name.focus(); // what had it is removed
    const { offsetTop } = row.item;
    const { scrollTop, clientHeight } = this.#scroller;
    if (offsetTop < scrollTop || offsetTop > scrollTop + clientHeight / 2) this.#scroller.scrollTop = offsetTop;
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { item, name } = this.#open;
    item.querySelector(".details")?.remove();
    item.classList.remove("open");
    name.setAttribute("aria-pressed", "false");
    this.#open = undefined;
    this.#details = undefined;
  }

  #add(node: GraphNode): Row {
    const { select, expand, page } = this.#options;
    const shown = clipped(node.name);
    const name = button(shown, () => select(node), { class: "plain name", dir: "auto", "aria-pressed": "false" });
    const [swatch, type] = [element("span"), element("bdi", { class: "quiet" })];
    const grow = page.canCallTools && button("+", () => expand(node), { class: "grow", "aria-label": `Expand ${shown}` });
    const item = element("li", {}, element("div", { class: "row" }, swatch, name, type, grow));
    const row = { node, item, swatch, name, type };
    this.#rows.set(node, row);
    this.#draw(row);
    return row;
  }

  #draw({ node, item, swatch, type }: Row): void {
    const look = `swatch kind-${this.#options.kinds.of(node)}${node.isResult ? "" : " beyond"}`;
    const label = node.entityType === undefined ? "" : typeLabel(node.entityType);
    // To write the same again would make the browser compute styles of thousands of rows.
    if (swatch.className !== look) swatch.className = look;
    if (type.textContent !== label) type.textContent = label;
    if (item.hidden === this.#matches(node)) item.hidden = !item.hidden;
  }

  #matches({ name, entityType = "" }: GraphNode): boolean {
    return this.#filter === "" || `${visible(name.slice(0, 500))} ${entityType}`.toLowerCase().includes(this.#filter);
  }

  #setFilter(text: string): void {
    this.#filter = text.trim().toLowerCase();
    for (const { node, item } of this.#rows.values()) item.hidden = !this.#matches(node);
  }
}
