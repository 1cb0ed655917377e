// FolderList: the entries of one directory, with those of the open directories below.
import { bytes, counted, describeError, element, inBatches, visible, type Page } from "@oarlock/extensions/page";
import type { LoadSizes, TreeNode } from "./tree-data.ts";

export type Order = "name" | "size";

/** What all lists of a tree share. */
export interface TreeState {
  order: Order;
  readonly loadSizes: LoadSizes;
  readonly page: Page;
  readonly lists: FolderList[];
}

interface Folder {
  readonly nodes: readonly TreeNode[];
  /** The path below the top of the tree; empty for the top. */
  readonly position: string;
  /** False when the tree leaves out some of the entries. */
  readonly isComplete: boolean;
}

export class FolderList {
  readonly element: HTMLUListElement = element("ul", { class: "tree" });
  readonly #state: TreeState;
  readonly #position: string;
  readonly #open = new Map<string, FolderList>();
  #nodes: readonly TreeNode[];
  /** Undefined: some, whose number is unknown. */
  #omitted: number | undefined;
  #isLoaded = false;

  constructor(state: TreeState, { nodes, position, isComplete }: Folder) {
    this.#state = state;
    this.#position = position;
    this.#nodes = nodes;
    this.#omitted = isComplete ? 0 : undefined;
    state.lists.push(this);
    this.draw();
  }

  /** Whether entries, or their sizes, are missing. */
  get isPart(): boolean {
    return this.#omitted !== 0 || this.#nodes.some(({ size, isPart }) => size === undefined || isPart === true);
  }

  get nodes(): readonly TreeNode[] {
    return this.#nodes;
  }

  /** Asks the server for the entries and their sizes, once. */
  async loadSizes(): Promise<void> {
    const { loadSizes, page } = this.#state;
    if (this.#isLoaded || loadSizes === undefined) return;
    this.#isLoaded = true;
    try {
      const { entries, omitted } = await loadSizes(this.#position);
      const known = new Map(this.#nodes.map((node) => [node.name, node]));
      const sized = entries.map((entry) => ({ ...known.get(entry.name), ...entry }));
      for (const { name } of entries) known.delete(name);
      // A reply with sizes may have fewer entries than the tree.
      const others = omitted > 0 ? [...known.values()] : [];
      this.#nodes = [...sized, ...others];
      this.#omitted = Math.max(0, omitted - others.length);
      this.draw();
    } catch (error) {
      page.announce(`No sizes: ${describeError(error)}`);
    }
  }

  draw(): void {
    const bySize = this.#state.order === "size";
    const items = bySize ? [...this.#nodes].sort((a, b) => (b.size ?? 0) - (a.size ?? 0)) : this.#nodes;
    const largest = Math.max(1, ...items.map(({ size = 0 }) => size));
    this.element.replaceChildren();
    const place = (node: HTMLElement): void => this.element.append(element("li", { class: "more" }, node));
    inBatches({
      items,
      append: (some) => {
        const more = this.element.querySelector(":scope > .more");
        for (const node of some) this.element.insertBefore(this.#item(node, largest), more);
      },
      placeControl: place,
    });
    if (this.#omitted !== 0) place(element("span", { class: "quiet" }, omittedText(this.#omitted)));
  }

  #item(node: TreeNode, largest: number): HTMLLIElement {
    const { name, type, size, isPart } = node;
    const shown = visible(name);
    const isFolder = type === "directory";
    const children = isFolder ? this.#open.get(name) : undefined;
    const item = element("li");
    const toggle =
      isFolder &&
      element(
        "button",
        {
          type: "button",
          class: "plain toggle",
          "aria-label": `Expand ${shown}`,
          "aria-expanded": children === undefined ? "false" : "true",
          onclick: ({ currentTarget }) => this.#toggle(node, item, currentTarget as HTMLElement), // the button
        },
        "▸",
      );
    const amount = size === undefined ? "" : `${isPart === true ? "≥ " : ""}${bytes(size)}`;
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String((size ?? 0) / largest));
    const label = element("bdi", { class: `name ${type}` }, shown + (isFolder ? "/" : ""));
    const kind =
      (type === "symlink" || type === "other") && element("span", { class: "quiet" }, type === "symlink" ? " (link)" : " (special)");
    item.append(element("div", { class: "row" }, toggle, label, kind, element("span", { class: "size" }, amount), bar));
    if (children !== undefined) item.append(children.element);
    return item;
  }

  #toggle({ name, children = [], truncated }: TreeNode, item: HTMLElement, toggle: HTMLElement): void {
    const open = this.#open.get(name);
    toggle.setAttribute("aria-expanded", String(open === undefined));
    if (open !== undefined) {
      this.#open.delete(name);
      open.close();
      return;
    }
    const position = this.#position === "" ? name : `${this.#position}/${name}`;
    const list = new FolderList(this.#state, { nodes: children, position, isComplete: truncated !== true });
    this.#open.set(name, list);
    item.append(list.element);
    this.#state.page.act(async () => {
      await list.loadSizes();
      if (list.nodes.length === 0 && list.#omitted === 0) list.element.append(element("li", { class: "quiet" }, "Empty"));
    });
  }

  /** Removes the list, and those below. */
  close(): void {
    for (const list of this.#open.values()) list.close();
    this.element.remove();
    this.#state.lists.splice(this.#state.lists.indexOf(this), 1);
  }
}

const omittedText = (count: number | undefined): string =>
  count === undefined ? "Further entries are not shown." : `${counted(count, "further entry is", "further entries are")} not shown.`;
