// Compares two files: byte by byte, and as text, whatever their encodings and line endings are.
import { escapeControls } from "@oarlock/domain-kit";
import { displayPathFrom } from "../access/path-syntax.ts";
import type { Sandbox } from "../access/sandbox.ts";
import { toLf } from "../edit/lf-view.ts";
import { unifiedDiff } from "../edit/diff/unified-diff.ts";
import { readWhole } from "../read/byte-reader.ts";
import { decode, formByContent, formByMark, isBinary, markOf, type TextForm } from "../text/encoding.ts";
import { lineEndingOf, type LineEnding } from "../text/lines.ts";

const MAX_BYTES = 32 * 1024 * 1024;

/** What a file is beside the text that is compared. */
export interface ComparedForm extends TextForm {
  readonly lineEnding: LineEnding;
}

export type Comparison =
  | { readonly kind: "identical"; readonly bytes: number }
  | { readonly kind: "binary"; readonly sizes: readonly [number, number]; /** From 0. */ readonly firstDifference: number }
  | {
      readonly kind: "text";
      readonly forms: readonly [ComparedForm, ComparedForm];
      /** Unified; empty where the texts are the same. */
      readonly diff: string;
      readonly additions: number;
      readonly deletions: number;
    };

export async function compareFiles(sandbox: Sandbox, path: string, other: string, signal?: AbortSignal): Promise<Comparison> {
  const [first, second] = [await read(sandbox, path, signal), await read(sandbox, other, signal)];
  if (first.bytes.equals(second.bytes)) return { kind: "identical", bytes: first.bytes.length };
  const [before, after] = [textOf(first.bytes), textOf(second.bytes)];
  if (before === undefined || after === undefined) {
    const sizes = [first.bytes.length, second.bytes.length] as const;
    return { kind: "binary", sizes, firstDifference: firstDifference(first.bytes, second.bytes) };
  }
  const { diff, additions, deletions } = await unifiedDiff("", toLf(before.text), toLf(after.text));
  const hunks = diff.slice(diff.indexOf("\n@@ ") + 1);
  const hasHunks = additions + deletions > 0;
  const names = `--- ${escapeControls(displayPathFrom(path, first.path)(first.path))}\n+++ ${escapeControls(displayPathFrom(other, second.path)(second.path))}\n`;
  return { kind: "text", forms: [before.form, after.form], diff: hasHunks ? names + hunks : "", additions, deletions };
}

async function read(sandbox: Sandbox, path: string, signal: AbortSignal | undefined): Promise<{ path: string; bytes: Buffer }> {
  using file = sandbox.file(path);
  return { path: file.path, bytes: await readWhole(file, path, MAX_BYTES, signal) };
}

/** Undefined for binary content. */
function textOf(bytes: Buffer): { text: string; form: ComparedForm } | undefined {
  const marked = formByMark(bytes);
  if (marked === undefined && isBinary(bytes)) return undefined;
  const form = marked ?? formByContent(bytes);
  const text = decode(bytes.subarray(markOf(form).length), form.encoding);
  return { text: text.toWellFormed(), form: { ...form, lineEnding: lineEndingOf(text) } };
}

function firstDifference(first: Buffer, second: Buffer): number {
  const least = Math.min(first.length, second.length);
  for (let at = 0; at < least; at += 1) if (first[at] !== second[at]) return at;
  return least;
}
