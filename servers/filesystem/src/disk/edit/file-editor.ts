// The file editor: replaces text in a file, all edits or none, and changes no other bytes. The file keeps its encoding, its byte order
// mark, and the line ending of each line.
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Sandbox, Entry, FileHandle } from "../access/sandbox.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { applyEdits, type Edit } from "./replacements.ts";
import { DiskError } from "../errors.ts";
import { etagOf } from "../read/etag.ts";
import { toLf } from "./lf-view.ts";
import { convertLineEndings, type LineEndingTarget } from "../text/line-ending-conversion.ts";
import { withLock } from "../write/name-lock.ts";
import { readWhole } from "../read/byte-reader.ts";
import { replace } from "../write/atomic-replace.ts";
import { bytesFill } from "../write/file-bytes.ts";
import { lookAt } from "../access/entry-stat.ts";
import { missingEntry } from "../access/similar-name.ts";
import { mustBeFile, openTarget, writeTarget } from "../write/write-target.ts";
import { decode, encode, encodingNamed, formByContent, formByMark, isBinary, markOf, type Encoding } from "../text/encoding.ts";
import { decodeKeepingInvalid, encodeKeepingInvalid } from "../text/utf8-damage.ts";
import { mustMatch } from "../write/expected-etag.ts";
import { withTrash, type TrashWriter } from "../trash/trash-writer.ts";
import { unifiedDiff } from "./unified-diff.ts";

export interface EditOptions {
  /** Only return the diff. */
  readonly dryRun?: boolean | undefined;
  /** flexible (the default): where no text matches exactly, one place matches whose lines differ only in their indentation. */
  readonly matching?: "exact" | "flexible" | undefined;
  readonly expectedEtag?: string | undefined;
  /** Used instead of the detected one. */
  readonly encoding?: string | undefined;
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
  /** Unified diff; see diff-block.ts. */
  readonly diff: string;
  readonly applied: boolean;
  readonly replacements: number;
  /** Line endings that were converted. */
  readonly converted?: number;
  /** Changed lines, of the complete diff. */
  readonly additions: number;
  readonly deletions: number;
  /** Absent where only line endings changed. */
  readonly firstChangedLine?: number;
  /** The etag of the file after the edit; in a dry run, of the unchanged file. */
  readonly etag: string;
  /** Brings back the file as it was. */
  readonly undo?: string | undefined;
  /** What the new file has not got from the old one: a sentence. */
  readonly loss?: string | undefined;
}

const EDIT_BYTES = 32 * 1024 * 1024;
/** Encodings that any bytes have, or that are detected. */
const NOT_BINARY: readonly Encoding[] = ["utf-8", "latin1", "windows-1252"];

const NO_DIFF = { diff: "", additions: 0, deletions: 0 };

interface Plan {
  readonly content: Buffer;
  /** Of the unchanged file, in a dry run. */
  readonly etag: string;
  readonly facts: Omit<EditResult, "path" | "applied" | "etag">;
}

/** Makes the new text, with what the result says about it. Throws where nothing would change. */
export type TextChange = (text: string, encoding: Encoding) => Promise<{ readonly text: string; readonly facts: ChangeFacts }>;

type ChangeFacts = Pick<EditResult, "replacements" | "converted">;

export async function editText(sandbox: Sandbox, path: string, edits: readonly Edit[], options: EditOptions = {}): Promise<EditResult> {
  return await changeText(sandbox, path, (text, encoding) => editedText(text, edits, options, path, encoding), options);
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
      const old = existing(sandbox, entry, path);
      const { content, facts } = await planFor(sandbox, entry, old, path, change, options);
      const attributes = new AttributeTakeover(entry, old);
      const put = (now: BigIntStats | undefined) => {
        const how = { old: now, attributes, mustBeOld: true, mayWriteInPlace: true, signal: options.signal };
        return replace(entry, lock, bytesFill(content, options.signal), how, (fd) => etagOf(content, fd));
      };
      const { result: etag, undo } = await withTrash(options.trash, entry, old, put);
      return { ...facts, path: entry.path, applied: true, etag, undo, loss: attributes.loss };
    },
    options.signal,
  );
}

function existing(sandbox: Sandbox, entry: Entry, path: string): BigIntStats {
  const old = lookAt(entry);
  if (old === undefined) throw missingEntry(sandbox, entry, path);
  mustBeFile(entry, old, path);
  return old;
}

async function planFor(
  sandbox: Sandbox,
  entry: Entry,
  old: BigIntStats,
  path: string,
  change: TextChange,
  options: EditOptions,
): Promise<Plan> {
  using file = openTarget(sandbox, entry, old, path);
  return await plan(file, path, change, options);
}

async function plan(file: FileHandle, path: string, change: TextChange, options: EditOptions): Promise<Plan> {
  const before = await readWhole(file, path, EDIT_BYTES, options.signal);
  if (options.expectedEtag !== undefined) mustMatch(options.expectedEtag, etagOf(before, file.fd), path);
  const encoding = options.encoding === undefined ? undefined : await encodingNamed(options.encoding);
  const form = formByMark(before, encoding) ?? formByContent(before);
  const mark = markOf(form);
  const body = before.subarray(mark.length);
  if (NOT_BINARY.includes(form.encoding) && isBinary(body))
    throw new DiskError("invalid", `Binary files cannot be edited as text: ${clip(path)}`);
  const text = decodeLossless(body, form.encoding, path);
  const edited = await change(text, form.encoding);
  const content = marked(mark, encodeLossless(edited.text, form.encoding));
  const compared =
    options.withoutDiff === true ? NO_DIFF : await unifiedDiff(file.path, toLf(text).toWellFormed(), toLf(edited.text).toWellFormed());
  const etag = options.dryRun === true ? etagOf(before, file.fd) : "";
  return { content, etag, facts: { ...compared, ...edited.facts } };
}

async function editedText(text: string, edits: readonly Edit[], options: EditOptions, path: string, encoding: Encoding) {
  const { lineEnding, matching, signal } = options;
  for (const { oldText, newText } of edits) {
    if (!newText.isWellFormed()) encode(newText, "utf-8");
    // The other half of the character would pass for a byte that is not valid.
    if (!oldText.isWellFormed()) encodeLossless(oldText, encoding);
  }
  const onlyConverts = lineEnding !== undefined && edits.length === 0;
  const edited = onlyConverts ? { text, replacements: 0 } : await applyEdits(text, edits, matching !== "exact", signal);
  if (lineEnding === undefined) return { text: edited.text, facts: { replacements: edited.replacements } };
  const { text: converted, count } = convertLineEndings(edited.text, lineEnding);
  if (converted === text) {
    const why = onlyConverts ? "the file has no line ending other than" : "the file is the same after its edits and the conversion to";
    throw new DiskError("invalid", `No change: ${why} ${lineEnding.toUpperCase()}: ${clip(path)}`);
  }
  return { text: converted, facts: { replacements: edited.replacements, converted: count } };
}

// Usually there is no mark, and no copy is needed.
const marked = (mark: Buffer, bytes: Buffer): Buffer => (mark.length === 0 ? bytes : Buffer.concat([mark, bytes]));

/** Throws for text that encoding it again would change. */
function decodeLossless(body: Buffer, encoding: Encoding, path: string): string {
  if (encoding === "utf-8") return decodeKeepingInvalid(body);
  const text = decode(body, encoding);
  let isSame = false;
  try {
    isSame = encode(text, encoding).equals(body);
  } catch {
    // A character that the encoding does not have.
  }
  if (isSame) return text;
  throw new DiskError("invalid", `File is not valid ${encoding} text: editing would damage other parts of it: ${clip(path)}`);
}

function encodeLossless(text: string, encoding: Encoding): Buffer {
  return (encoding === "utf-8" ? encodeKeepingInvalid(text) : undefined) ?? encode(text, encoding);
}
