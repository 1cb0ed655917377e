// The reply to edit_file with lineEnding: how many line endings of one file or of several were converted.
import { clip, counted, escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { Sandbox } from "../disk/access/sandbox.ts";
import { editText, type EditOptions } from "../disk/edit/file-editor.ts";
import { factsLine } from "./text-facts.ts";
import type { Edit } from "../disk/edit/replacements.ts";
import { DiskError } from "../disk/errors.ts";

const MAX_FILES = 1000;
/** Of more converted files only the number is given. */
const MAX_LISTED = 20;
/** Of all lines about files that were not converted. */
const MAX_BYTES = 20_000;

interface ConvertedFile {
  readonly path: string;
  readonly converted: number;
  readonly encoding?: string;
  readonly etag?: string;
  readonly undo?: string | undefined;
  readonly error?: string;
}

/** One sentence. */
export function convertedText(count: number, { lineEnding = "lf", dryRun }: EditOptions, where = ""): string {
  const act = dryRun === true ? "Would convert" : "Converted";
  return `${act} ${counted(count, "line ending")} to ${lineEnding.toUpperCase()}${where}.`;
}

export interface ConvertOptions extends EditOptions {
  /** The id by which the trash brings back all files. */
  readonly group: string;
}

/** Converts file by file. A file that cannot be converted says why, and does not stop the others. Throws where no file would change. */
export async function convertFiles(sandbox: Sandbox, paths: readonly string[], edits: readonly Edit[], options: ConvertOptions) {
  checkArguments(paths, edits, options);
  const files: ConvertedFile[] = [];
  let loss: string | undefined;
  for (const path of new Set(paths)) {
    options.signal?.throwIfAborted();
    try {
      const { converted = 0, form, etag, undo, loss: lost } = await editText(sandbox, path, [], options);
      loss ??= lost;
      const { encoding, bom } = form;
      files.push({ path, converted, encoding: factsLine({ encoding, bom }).slice(1, -1), etag, undo });
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      // The line begins with the path.
      const { message } = error;
      const end = `: ${clip(path)}`;
      files.push({ path, converted: 0, error: message.endsWith(end) ? message.slice(0, -end.length) : message });
    }
  }
  const done = files.filter(({ error }) => error === undefined);
  const problems = problemLines(files);
  if (done.length === 0) throw new DiskError("invalid", `No file was converted:\n${problems.join("\n")}`);
  const count = done.reduce((sum, { converted }) => sum + converted, 0);
  const content = [
    convertedText(count, options, ` in ${counted(done.length, "file")}`),
    ...(done.length > MAX_LISTED ? [] : done.map(convertedLine)),
    ...problems,
    ...(options.trash === undefined ? [] : [undoText(done, options.group)]),
    ...(loss === undefined ? [] : [loss]),
  ].join("\n");
  const structured = { content, applied: options.dryRun !== true, replacements: 0, converted: count, etag: done[0]?.etag ?? "", files };
  return { content, structured };
}

const convertedLine = ({ path, converted, encoding }: ConvertedFile): string => `${escapeControls(path)}: ${converted}, ${encoding}`;

function checkArguments(paths: readonly string[], edits: readonly Edit[], { lineEnding, expectedEtag }: EditOptions): void {
  if (lineEnding === undefined || edits.length > 0 || expectedEtag !== undefined)
    throw new DiskError(
      "invalid",
      "paths is for lineEnding alone, without edits and expectedEtag. Edit file by file, or by replace_in_files where it is on.",
    );
  if (paths.length > MAX_FILES) throw new DiskError("too-large", `Too many files: expected at most ${MAX_FILES}, got ${paths.length}.`);
}

function undoText(done: readonly ConvertedFile[], group: string): string {
  const lost = done.filter(({ undo }) => undo === undefined);
  const [first] = lost;
  if (lost.length === done.length) return "This cannot be undone: what was there before could not be kept.";
  const more = lost.length > 1 ? ` and ${counted(lost.length - 1, "more file")}` : "";
  const except = first === undefined ? "" : `, except of ${escapeControls(first.path)}${more}, which could not be kept`;
  return `To undo this, call undo_change with the id ${group}${except}.`;
}

/** As many as fit; the others are counted. */
function problemLines(files: readonly ConvertedFile[]): string[] {
  const problems = files.flatMap(({ path, error }) => (error === undefined ? [] : [`${escapeControls(path)}: ${error}`]));
  let bytes = 0;
  const listed = problems.filter((line) => (bytes += jsonStringBytes(line)) <= MAX_BYTES);
  return listed.length === problems.length ? problems : [...listed, `${problems.length - listed.length} more files were not converted.`];
}
