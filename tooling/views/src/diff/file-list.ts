/** The files of a diff, folded: a patch is drawn, and loaded where it is missing, when its file is opened. */
import { inBatches } from "../batches.ts";
import { button, toolbar } from "../controls.ts";
import { element, type Child } from "../elements.ts";
import type { Page } from "../page.ts";
import { clipped, counted, describeError } from "../text.ts";
import { drawPatch, type Layout } from "./diff-table.ts";

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
export interface PatchPart {
  readonly patch: string;
  readonly next?: string | undefined;
}

export interface FileListOptions {
  readonly page: Page;
  readonly files: readonly DiffFile[];
  /** Loads the patch of a file, or its part that follows. Absent where the host calls no tools. */
  readonly load?: ((file: DiffFile, next?: string) => Promise<PatchPart>) | undefined;
  /** Files are opened from the first on until they have so many changed lines. Default 300. */
  readonly openLines?: number;
}

const wide = matchMedia("(min-width: 800px)");
const layoutOf = (): Layout => (wide.matches ? "sides" : "unified");

const MAX_OPEN_FILES = 5;

export function fileList({ page, files, load, openLines = 300 }: FileListOptions): HTMLElement {
  const list = element("div", { class: "files" });
  const foldable = files.length > 1;
  const every = (): HTMLDetailsElement[] => [...list.querySelectorAll<HTMLDetailsElement>("details.file")];
  const setAll = (isOpen: boolean): void => {
    // Most of many open files are out of sight: the browser lays them out when they come into sight.
    list.classList.toggle("all", isOpen);
    for (const details of every()) details.open = isOpen;
  };
  const controls =
    foldable &&
    toolbar(
      "Files",
      button("Expand all", () => setAll(true)),
      button("Fold all", () => setAll(false)),
    );
  let lines = 0;
  const isOpenAtFirst = (file: DiffFile, index: number): boolean => {
    lines += (file.additions ?? 0) + (file.deletions ?? 0);
    return index === 0 || (index < MAX_OPEN_FILES && file.patch !== undefined && lines <= openLines);
  };
  const queue = new DrawQueue();
  inBatches({
    items: files.map((file, index) => ({ file, isOpen: isOpenAtFirst(file, index) })),
    noun: ["file", "files"],
    append: (some) => {
      const more = list.querySelector(":scope > .more");
      for (const { file, isOpen } of some) list.insertBefore(new FileSection({ page, file, load, queue, isOpen }).element, more);
    },
    placeControl: (control) => list.append(element("div", { class: "more" }, control)),
  });
  return element("div", {}, controls, list);
}

/** Draws one file after another, so that many files opened together do not block the page. */
class DrawQueue {
  #last: Promise<void> = Promise.resolve();

  async run(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    await turn;
  }
}

interface SectionOptions extends Omit<FileListOptions, "files"> {
  readonly file: DiffFile;
  readonly queue: DrawQueue;
  readonly isOpen: boolean;
}

class FileSection {
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
    await drawPatch(this.#body, this.#patch, file.path, this.#drawn);
    this.#drawFoot();
  }

  async #load(): Promise<void> {
    const { file, load, page } = this.#options;
    this.#body.replaceChildren(element("p", { class: "quiet" }, "Loading…"));
    try {
      const part = await load?.(file, this.#next);
      if (part === undefined) return;
      this.#patch = (this.#next === undefined ? "" : (this.#patch ?? "")) + part.patch;
      this.#next = part.next;
    } catch (error) {
      const message = describeError(error);
      this.#body.replaceChildren(element("p", { class: "message error" }, clipped(message, 1000)));
      page.announce(`Not loaded: ${message}`);
    }
  }

  /** What follows a cut patch. */
  #drawFoot(): void {
    const { file, load, page } = this.#options;
    const isCut = this.#next !== undefined || (file.isCut === true && this.#patch === file.patch);
    this.#foot.replaceChildren();
    if (!isCut) return;
    const more = async (): Promise<void> => {
      const loadedLength = this.#patch?.length ?? 0;
      await this.#load();
      // The first call loads the patch from its beginning, which may be no more than what was there.
      if (this.#next !== undefined && (this.#patch?.length ?? 0) <= loadedLength) await this.#load();
      this.#drawn = undefined;
      await this.#draw();
    };
    this.#foot.append(
      element("p", { class: "quiet" }, "The diff of this file is longer than what is shown."),
      ...(load === undefined ? [] : [button("Next", () => page.act(more))]),
    );
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

/** `3 files, +10 −2`. */
export const totalsText = (files: number, additions: number, deletions: number): string =>
  `${counted(files, "file")}, +${additions.toLocaleString("en")} −${deletions.toLocaleString("en")}`;
