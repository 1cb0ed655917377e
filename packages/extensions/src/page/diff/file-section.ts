/** One file of a diff, folded: its patch is drawn, and loaded where it is missing, when it is opened. */
import { actionButton } from "../action-button.ts";
import { element, type Child } from "../elements.ts";
import type { Page } from "../page.ts";
import { clipped, describeError } from "../text.ts";
import { drawPatch, type Layout, type Unseen } from "./diff-table.ts";

/** A file of a diff. */
export interface DiffFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly status?: string;
  readonly additions?: number;
  readonly deletions?: number;
  readonly binary?: boolean;
  /** Undefined: not part of the result. */
  readonly patch?: string;
  /** Why the patch is missing, or that it is cut. */
  readonly note?: string;
  /** The patch is only the beginning. */
  readonly isCut?: boolean;
}

/** A part of a patch; `next` where there are further parts. */
interface PatchPart {
  readonly patch: string;
  readonly next?: string | undefined;
}

/** Loads the patch of a file, or its part that follows. */
export type LoadPatch = (file: DiffFile, next?: string) => Promise<PatchPart>;

const wide = matchMedia("(min-width: 800px)");
const layoutOf = (): Layout => (wide.matches ? "sides" : "unified");

/** Draws one file after another, so that many files opened together do not block the page. */
export class DrawQueue {
  #last: Promise<void> = Promise.resolve();

  async run(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    await turn;
  }
}

interface SectionOptions {
  readonly page: Page;
  readonly file: DiffFile;
  readonly load: LoadPatch | undefined;
  readonly queue: DrawQueue;
  readonly isOpen: boolean;
  readonly unseen: Unseen | undefined;
}

export class FileSection {
  readonly element: HTMLDetailsElement;
  readonly #options: SectionOptions;
  readonly #body = element("div", { class: "patch" });
  readonly #foot = element("div", { class: "foot" });
  #patch: string | undefined;
  #next: string | undefined;
  #drawn: Layout | undefined;

  constructor(options: SectionOptions) {
    const { file, isOpen } = options;
    this.#options = options;
    this.#patch = file.patch;
    const changed = (): void => {
      if (this.element.open) options.page.act(() => options.queue.run(() => this.#draw()));
    };
    this.element = element("details", { class: "file", open: isOpen, ontoggle: changed }, summaryOf(file), this.#body, this.#foot);
    wide.addEventListener("change", () => {
      if (this.element.isConnected) changed();
    });
  }

  async #draw(): Promise<void> {
    const { file, load } = this.#options;
    if (!this.element.isConnected || !this.element.open || this.#drawn === layoutOf()) return;
    if (this.#patch === undefined && load !== undefined && file.binary !== true) await this.#load();
    else if (this.#patch === undefined) this.#body.replaceChildren(element("p", { class: "quiet" }, missing(file)));
    if (this.#patch === undefined) return;
    this.#drawn = layoutOf();
    await drawPatch(this.#body, { patch: this.#patch, path: file.path, layout: this.#drawn, unseen: this.#options.unseen });
    this.#drawFoot();
  }

  async #load(): Promise<void> {
    const { file, load, page } = this.#options;
    const next = this.#next;
    if (next === undefined) this.#body.replaceChildren(element("p", { class: "quiet" }, "Loading…"));
    try {
      const part = await load?.(file, next);
      if (part === undefined) return;
      this.#patch = (next === undefined ? "" : (this.#patch ?? "")) + part.patch;
      this.#next = part.next;
    } catch (error) {
      const message = describeError(error);
      this.#body.replaceChildren(element("p", { class: "message error" }, clipped(message, 1000)));
      page.announce(`Not loaded: ${message}`);
    }
  }

  /** What follows a cut patch. */
  #drawFoot(): void {
    const { file, load, page, queue } = this.#options;
    const isCut = this.#next !== undefined || (file.isCut === true && this.#patch === file.patch);
    this.#foot.replaceChildren();
    if (!isCut) return;
    const successor = () => this.#foot.querySelector("button") ?? this.element.querySelector("summary");
    this.#foot.append(
      element("p", { class: "quiet" }, "The diff of this file is longer than what is shown."),
      ...(load === undefined ? [] : [actionButton("Next", { page, act: () => queue.run(() => this.#showMore()), successor })]),
    );
  }

  async #showMore(): Promise<void> {
    const loadedLength = this.#patch?.length ?? 0;
    await this.#load();
    // The first call loads the patch from its beginning, which may be no more than what was there.
    if (this.#next !== undefined && (this.#patch?.length ?? 0) <= loadedLength) await this.#load();
    this.#drawn = undefined;
    await this.#draw();
  }
}

const missing = ({ binary, note }: DiffFile): string =>
  binary === true
    ? "A binary file: its bytes are not shown."
    : `The changes of this file are not shown${note === undefined ? "." : `: ${note}.`}`;

function summaryOf({ path, oldPath, status, additions, deletions, binary, patch, note }: DiffFile): HTMLElement {
  const isCounted = additions !== undefined && deletions !== undefined && binary !== true;
  const counts: Child[] = isCounted
    ? [
        element("span", { class: "count added-count" }, `+${additions.toLocaleString("en")}`),
        element("span", { class: "count removed-count" }, `−${deletions.toLocaleString("en")}`),
      ]
    : [];
  const kind = [status === "modified" ? undefined : status, binary === true ? "binary" : undefined, patch === undefined ? note : undefined];
  const facts = kind.filter((fact) => fact !== undefined);
  return element(
    "summary",
    {},
    oldPath !== undefined && element("bdi", { class: "path quiet" }, clipped(oldPath, 400)),
    oldPath !== undefined && " → ",
    element("bdi", { class: "path" }, clipped(path, 400)),
    facts.length > 0 && element("span", { class: "quiet fact" }, facts.join(", ")),
    ...counts,
  );
}
