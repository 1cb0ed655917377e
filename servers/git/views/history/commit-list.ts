// The rows of the history. Of a long one only those are in the page that are to be seen.
import { clipped, element } from "@oarlock/extensions/page";
import { refNames, type Commit } from "../commit/commit-facts.ts";
import { graphCell, lanesOf, ROW_HEIGHT } from "./graph-cell.ts";
import { LaneLayout, type GraphRow } from "./lanes.ts";

/** Shorter lists are in the page as a whole. */
const MAX_UNVIRTUALIZED_ROWS = 200;
/** Rows above and below those in sight. */
const MARGIN = 20;
const MAX_HEIGHT_PX = 15 * ROW_HEIGHT;
const MAX_REFS = 4;

export interface CommitListOptions {
  /** Lines between the rows; false where the list has only some of the commits. */
  readonly hasLanes: boolean;
  readonly firstParent: boolean;
  select(commit: Commit): void;
}

export class CommitList {
  readonly element: HTMLElement;
  readonly commits: Commit[] = [];
  readonly #options: CommitListOptions;
  readonly #list = element("ol", { class: "commits" });
  readonly #layout = new LaneLayout();
  readonly #graph: GraphRow[] = [];
  #drawn = "";
  #lanes = 1;
  #selected: string | undefined;

  constructor(options: CommitListOptions) {
    this.#options = options;
    this.element = element(
      "div",
      {
        class: "scroll history",
        role: "region",
        "aria-label": "Commits",
        tabindex: 0,
        onscroll: () => this.#draw(),
        onkeydown: (event) => this.#move(event),
      },
      this.#list,
    );
    this.element.style.maxHeight = `${MAX_HEIGHT_PX}px`;
  }

  add(commits: readonly Commit[]): void {
    const { hasLanes, firstParent } = this.#options;
    const rows = this.#layout.add(
      commits.map(({ hash, parents = [] }) => ({ hash, parents: hasLanes ? parents.slice(0, firstParent ? 1 : undefined) : [] })),
    );
    this.commits.push(...commits);
    this.#graph.push(...rows);
    this.#lanes = Math.max(this.#lanes, lanesOf(rows));
    this.#drawn = "";
    this.#draw();
  }

  #draw(): void {
    const count = this.commits.length;
    const first = Math.floor(this.element.scrollTop / ROW_HEIGHT);
    const from = count <= MAX_UNVIRTUALIZED_ROWS ? 0 : Math.max(0, first - MARGIN);
    const to = count <= MAX_UNVIRTUALIZED_ROWS ? count : Math.min(count, first + MAX_HEIGHT_PX / ROW_HEIGHT + MARGIN);
    // Rows are drawn anew only when those in sight come near the end of what is there.
    const [drawnFrom = -1, drawnTo = -1] = this.#drawn === "" ? [] : this.#drawn.split(" ").map(Number);
    const isDrawn = drawnFrom <= Math.max(0, first - 2) && drawnTo >= Math.min(count, first + MAX_HEIGHT_PX / ROW_HEIGHT + 2);
    if (this.#drawn !== "" && isDrawn) return;
    this.#drawn = `${from} ${to}`;
    const focused = this.#focusedRow();
    this.#list.style.paddingTop = `${from * ROW_HEIGHT}px`;
    this.#list.style.paddingBottom = `${(count - to) * ROW_HEIGHT}px`;
    this.#list.replaceChildren(...this.commits.slice(from, to).map((commit, index) => this.#row(commit, from + index)));
    if (focused !== undefined) this.#button(focused)?.focus({ preventScroll: true });
  }

  #row(commit: Commit, index: number): HTMLElement {
    const { hash, subject, author, date, refs = [] } = commit;
    const select = (): void => {
      this.#list.querySelector("[aria-current]")?.removeAttribute("aria-current");
      this.#selected = hash;
      this.#button(index)?.setAttribute("aria-current", "true");
      this.#options.select(commit);
    };
    const row = this.#graph[index] ?? { lane: 0, edges: [] };
    return element(
      "li",
      { "aria-setsize": this.commits.length, "aria-posinset": index + 1 },
      graphCell(row, this.#graph[index - 1], this.#lanes),
      element(
        "button",
        { type: "button", class: "plain subject", "data-row": index, "aria-current": this.#selected === hash && "true", onclick: select },
        element("bdi", {}, clipped(subject, 300) || "(no subject)"),
      ),
      refs.length > 0 &&
        element("span", { class: "refs" }, ...refNames(refs.slice(0, MAX_REFS)), refs.length > MAX_REFS && `+${refs.length - MAX_REFS}`),
      element("bdi", { class: "quiet author" }, clipped(author, 60)),
      element("span", { class: "quiet date" }, clipped(date.slice(0, 10))),
    );
  }

  #button(index: number): HTMLElement | null {
    return this.#list.querySelector<HTMLElement>(`button[data-row="${index}"]`);
  }

  #focusedRow(): number | undefined {
    const { activeElement } = document;
    return activeElement instanceof HTMLElement && this.#list.contains(activeElement) ? Number(activeElement.dataset["row"]) : undefined;
  }

  /** Arrow keys, Home and End move from row to row. */
  #move(event: Event): void {
    const { key } = event as KeyboardEvent; // of keydown
    const row = this.#focusedRow();
    const last = this.commits.length - 1;
    const targets: Record<string, number> = { ArrowDown: (row ?? -1) + 1, ArrowUp: (row ?? 1) - 1, Home: 0, End: last };
    const target = targets[key];
    if (target === undefined) return;
    event.preventDefault();
    const index = Math.min(last, Math.max(0, target));
    const top = index * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.element.scrollTop = top + ROW_HEIGHT - clientHeight;
    this.#draw();
    this.#button(index)?.focus({ preventScroll: true });
  }
}
