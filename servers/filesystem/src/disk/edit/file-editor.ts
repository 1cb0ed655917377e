// The file editor: replaces text in a file, all edits or none, and changes no other bytes. The file keeps its encoding, its byte order
// mark, and the line ending of each line.
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { displayPathFrom } from "../access/path-syntax.ts";
import type { Sandbox, Entry, FileHandle } from "../access/sandbox.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { withoutSecondMark } from "./byte-order-mark.ts";
import { lineRange, wholeFile, type Rewrite } from "./edit-part.ts";
import { parseLineRange, replacedLines } from "./line-range.ts";
import { decodeLossless, encodeLossless } from "./lossless-text.ts";
import { applyEdits, type Edit, type Edited } from "./replacements.ts";
import { DiskError } from "../errors.ts";
import { toLf } from "./lf-view.ts";
import { convertLineEndings, type LineEndingTarget } from "../text/line-ending-conversion.ts";
import { withLock } from "../write/name-lock.ts";
import { replace } from "../write/atomic-replace.ts";
import { missingEntry } from "../access/similar-name.ts";
import { writeTarget } from "../write/write-target.ts";
import { encode, encodingNamed, isBinary, type Encoding, type TextForm } from "../text/encoding.ts";
import { lineEndingOf, type LineEnding } from "../text/lines.ts";
import { mustMatch } from "../write/expected-etag.ts";
import { withTrash, type TrashWriter } from "../trash/trash-writer.ts";
import { unifiedDiff } from "./diff/unified-diff.ts";

export interface EditOptions {
  /** Only return the diff. */
  readonly dryRun?: boolean | undefined;
  /** flexible (the default): where no text matches exactly, one place matches whose lines differ only in their indentation. */
  readonly matching?: "exact" | "flexible" | undefined;
  readonly expectedEtag?: string | undefined;
  /** Used instead of the detected one. */
  readonly encoding?: string | undefined;
  /** Such as 120-140: the edits see only these lines. A larger file than otherwise may be edited so. */
  readonly lines?: string | undefined;
  /** Converts all line endings after the edits, of which there may be none. */
  readonly lineEnding?: LineEndingTarget | undefined;
  /** The diff is not wanted. Default false. */
  readonly withoutDiff?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps the file as it was. */
  readonly trash?: TrashWriter | undefined;
}

export interface EditResult {
  /** The real path. */
  readonly path: string;
  /** Unified diff; see diff/diff-block.ts. */
  readonly diff: string;
  /** Of the edited part. */
  readonly form: TextForm & { readonly lineEnding: LineEnding };
  readonly applied: boolean;
  readonly replacements: number;
  /** Line endings that were converted. */
  readonly converted?: number;
  /** Changed lines, of the complete diff. */
  readonly additions: number;
  readonly deletions: number;
  /** Absent where only line endings changed. */
  readonly firstChangedLine?: number;
  /** The diff shows long lines in part. */
  readonly hasCutLines?: true;
  /** The etag of the file after the edit; in a dry run, of the unchanged file. */
  readonly etag: string;
  /** Brings back the file as it was. */
  readonly undo?: string | undefined;
  /** What the new file has not got from the old one: a sentence. */
  readonly loss?: string | undefined;
}

/** Encodings that any bytes have, or that are detected. */
const NOT_BINARY: readonly Encoding[] = ["utf-8", "latin1", "windows-1252"];

const NO_DIFF = { diff: "", additions: 0, deletions: 0 };

interface Plan {
  readonly rewrite: Rewrite;
  /** Of the unchanged file, in a dry run. */
  readonly etag: string;
  readonly facts: Omit<EditResult, "path" | "applied" | "etag">;
}

/** Of the text that is changed: all of a file, or some lines. */
interface ChangedPlace {
  readonly encoding: Encoding;
  /** Lines of the file before it. */
  readonly linesBefore: number;
}

/** Makes the new text, with what the result says about it. Throws where nothing would change. */
export type TextChange = (text: string, place: ChangedPlace) => Promise<{ readonly text: string; readonly facts: ChangeFacts }>;

type ChangeFacts = Pick<EditResult, "replacements" | "converted">;

export async function editText(sandbox: Sandbox, path: string, edits: readonly Edit[], options: EditOptions = {}): Promise<EditResult> {
  return await changeText(sandbox, path, (text, place) => editedText(text, edits, options, { path, ...place }), options);
}

export async function changeText(sandbox: Sandbox, path: string, change: TextChange, options: EditOptions = {}): Promise<EditResult> {
  if (options.dryRun === true) {
    using file = sandbox.file(path);
    const { facts, etag } = await plan(file, path, change, options);
    return { ...facts, path: file.path, applied: false, etag };
  }
  using entry = writeTarget(sandbox, path);
  return await withLock(
    entry,
    async (lock) => {
      using file = openExisting(sandbox, entry, path);
      const old = file.stat;
      const { rewrite, facts } = await plan(file, path, change, options);
      // Windows replaces no open file. The rest of a large one is read while the new one is written, and closes it then.
      if (rewrite.isInMemory) file[Symbol.dispose]();
      const attributes = new AttributeTakeover(entry, old);
      const put = (now: BigIntStats | undefined) => {
        const mayWriteInPlace = rewrite.isInMemory;
        const how = { old: now, attributes, mustBeOld: true, mayWriteInPlace, signal: options.signal };
        return replace(entry, lock, rewrite.fill, how, (fd) => rewrite.etag(fd));
      };
      const { result: etag, undo } = await withTrash(options.trash, entry, old, put);
      return { ...facts, path: entry.path, applied: true, etag, undo, loss: attributes.loss };
    },
    options.signal,
  );
}

function openExisting(sandbox: Sandbox, entry: Entry, path: string): FileHandle {
  try {
    return sandbox.openEntry(entry);
  } catch (error) {
    throw error instanceof DiskError && error.code === "not-found" ? missingEntry(sandbox, entry, path) : error;
  }
}

async function plan(file: FileHandle, path: string, change: TextChange, options: EditOptions): Promise<Plan> {
  const { lines, signal, dryRun } = options;
  const encoding = options.encoding === undefined ? undefined : await encodingNamed(options.encoding);
  const part =
    lines === undefined
      ? await wholeFile(file, path, encoding, signal)
      : await lineRange(file, path, parseLineRange(lines), encoding, signal);
  if (options.expectedEtag !== undefined) mustMatch(options.expectedEtag, part.etag(), path);
  const { form, body, linesBefore } = part;
  if (NOT_BINARY.includes(form.encoding) && isBinary(body))
    throw new DiskError("invalid", `Binary files cannot be edited as text: ${clip(path)}`);
  const text = decodeLossless(body, form.encoding, path);
  const edited = await change(text, { encoding: form.encoding, linesBefore });
  const next = form.bom ? withoutSecondMark(edited.text, text) : edited.text;
  const content = encodeLossless(next, form.encoding);
  const compared =
    options.withoutDiff === true
      ? NO_DIFF
      : await unifiedDiff(displayPathFrom(path, file.path)(file.path), toLf(text).toWellFormed(), toLf(next).toWellFormed(), linesBefore);
  const etag = dryRun === true ? part.etag() : "";
  return {
    rewrite: part.rewrite(content, signal),
    etag,
    facts: { ...compared, ...edited.facts, form: { ...form, lineEnding: lineEndingOf(next) } },
  };
}

async function editedText(text: string, edits: readonly Edit[], options: EditOptions, place: ChangedPlace & { readonly path: string }) {
  const { lineEnding } = options;
  const { path, encoding, linesBefore } = place;
  for (const { oldText, newText } of edits) {
    if (!newText.isWellFormed()) encode(newText, "utf-8");
    // The other half of the character would pass for a byte that is not valid.
    if (!oldText.isWellFormed()) encodeLossless(oldText, encoding);
  }
  const onlyConverts = lineEnding !== undefined && edits.length === 0;
  const edited = onlyConverts ? { text, replacements: 0 } : await editedLines(text, edits, { ...options, linesBefore });
  if (lineEnding === undefined) return { text: edited.text, facts: { replacements: edited.replacements } };
  const { text: converted, count } = convertLineEndings(edited.text, lineEnding);
  if (converted === text) {
    const why = onlyConverts ? "the file has no line ending other than" : "the file is the same after its edits and the conversion to";
    throw new DiskError("invalid", `No change: ${why} ${lineEnding.toUpperCase()}: ${clip(path)}`);
  }
  return { text: converted, facts: { replacements: edited.replacements, converted: count } };
}

/** Applies the edits to the text, or to a range of lines. There an empty oldText stands for all of them. */
async function editedLines(text: string, edits: readonly Edit[], options: EditOptions & { linesBefore: number }): Promise<Edited> {
  const { lines, matching, signal, linesBefore } = options;
  const isFlexible = matching !== "exact";
  if (lines === undefined) return await applyEdits(text, edits, isFlexible, { signal });
  const [only] = edits;
  if (only?.oldText === "" && edits.length === 1) {
    const replaced = replacedLines(text, only.newText);
    if (replaced === text) throw new DiskError("invalid", `No change: lines ${lines} have the text of newText already.`);
    return { text: replaced, replacements: 1 };
  }
  try {
    return await applyEdits(text, edits, isFlexible, { signal, linesBefore });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    throw new DiskError(error.code, `${error.message}\nThe edit is limited to lines ${lines}.`);
  }
}
