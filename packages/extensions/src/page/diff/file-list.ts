/** The files of a diff, folded. */
import { inBatches } from "../batches.ts";
import { button, toolbar } from "../controls.ts";
import { element } from "../elements.ts";
import type { Page } from "../page.ts";
import { counted } from "../text.ts";
import type { Unseen } from "./diff-table.ts";
import { DrawQueue, FileSection, type DiffFile, type LoadPatch } from "./file-section.ts";

/** The files of a diff, and where they are shown. */
export interface FileListOptions {
  readonly page: Page;
  readonly files: readonly DiffFile[];
  /** Absent where the host calls no tools. */
  readonly load?: LoadPatch | undefined;
  /** Files are opened from the first on until they have so many changed lines. Default 300. */
  readonly openLines?: number;
  /** Called with the reason why a changed part of a file is not on the page, while it is drawn; empty when all of them are. */
  readonly unseen?: Unseen;
}

const MAX_OPEN_FILES = 5;

/** The changed files with their counts, each of which opens to its patch. */
export function fileList({ page, files, load, openLines = 300, unseen }: FileListOptions): HTMLElement {
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
      for (const { file, isOpen } of some) list.insertBefore(new FileSection({ page, file, load, queue, isOpen, unseen }).element, more);
    },
    placeControl: (control) => list.append(element("div", { class: "more" }, control)),
  });
  return element("div", {}, controls, list);
}

/** `3 files, +10 −2`. */
export const totalsText = (files: number, additions: number, deletions: number): string =>
  `${counted(files, "file")}, +${additions.toLocaleString("en")} −${deletions.toLocaleString("en")}`;
