/** Diffs, as several views draw them. The style sheet of such a view imports `diff.css`. */
export { fileList, totalsText, type DiffFile, type FileListOptions, type PatchPart } from "./file-list.ts";
