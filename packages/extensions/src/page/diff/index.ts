/** Diffs, as several views draw them. The style sheet of such a view imports `diff.css`. */
export { fileList, totalsText, type FileListOptions } from "./file-list.ts";
export type { DiffFile, LoadPatch } from "./file-section.ts";
