// The outline of a source file: its declarations with names, kinds and lines, nested as they are in the file.
import { clip } from "@oarlock/domain-kit";
import type { Node } from "@vscode/tree-sitter-wasm";
import type { Sandbox } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { readWhole } from "../read/byte-reader.ts";
import { decode, formByContent, formByMark, isBinary, markOf } from "../text/encoding.ts";
import { declarationOf } from "./declaration.ts";
import { loadGrammar } from "./grammar-loader.ts";
import { languageOf, LANGUAGE_NAMES, type Language } from "./languages.ts";

/** A larger file is not parsed, because parsing blocks other calls. */
const MAX_BYTES = 2 * 1024 * 1024;
const DEADLINE_MS = 2_000;
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 500;

export interface OutlineEntry {
  readonly name: string;
  readonly kind: string;
  /** From 1; the last line belongs to it. */
  readonly line: number;
  readonly endLine: number;
  /** Declarations that it lies in. */
  readonly depth: number;
}

export interface Outline {
  readonly path: string;
  readonly language: string;
  readonly entries: readonly OutlineEntry[];
  /** There are more entries than an outline has. */
  readonly isCut: boolean;
  /** The parser has skipped a part of the file. */
  readonly hasErrors: boolean;
}

export async function outlineFile(sandbox: Sandbox, path: string, signal?: AbortSignal): Promise<Outline> {
  using file = sandbox.file(path);
  const language = languageOf(file.path);
  if (language === undefined)
    throw new DiskError("invalid", `No outline for this kind of file: expected ${LANGUAGE_NAMES.join(", ")}: ${clip(path)}`);
  const bytes = await readWhole(file, path, MAX_BYTES, signal);
  const form = formByMark(bytes) ?? formByContent(bytes);
  if (isBinary(bytes)) throw new DiskError("invalid", `Binary files have no outline: ${clip(path)}`);
  const text = decode(bytes.subarray(markOf(form).length), form.encoding);
  return { path: file.path, language: language.name, ...(await outlineText(text, language, path)) };
}

async function outlineText(text: string, language: Language, path: string): Promise<Pick<Outline, "entries" | "isCut" | "hasErrors">> {
  const { Parser, grammar } = await loadGrammar(language);
  const parser = new Parser();
  const until = performance.now() + DEADLINE_MS;
  try {
    parser.setLanguage(grammar);
    // To return true ends the parsing.
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
    if (tree === null)
      throw new DiskError("too-large", `Outline not made: parsing takes longer than ${DEADLINE_MS / 1000} s: ${clip(path)}`);
    try {
      const entries: OutlineEntry[] = [];
      const isComplete = collect(tree.rootNode, language, entries);
      return { entries, isCut: !isComplete, hasErrors: tree.rootNode.hasError };
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

interface Step {
  readonly node: Node;
  /** The kind of the declaration around it. */
  readonly within: string | undefined;
  readonly depth: number;
  readonly level: number;
}

/** False where the outline has no room for the rest. */
function collect(root: Node, language: Language, entries: OutlineEntry[]): boolean {
  const waiting: Step[] = [{ node: root, within: undefined, depth: 0, level: 0 }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, within, depth, level } = step;
    const found = declarationOf(node, language, within);
    if (found !== undefined) {
      if (entries.length >= MAX_ENTRIES) return false;
      const { name, kind } = found;
      entries.push({ name: clip(name, 200), kind, line: node.startPosition.row + 1, endLine: lastLineOf(node), depth });
    }
    // Declarations in the body of a function are its own affair.
    if (found?.hasBody === true || level > MAX_DEPTH) continue;
    const next = found === undefined ? { within, depth } : { within: found.kind, depth: depth + 1 };
    for (const child of node.namedChildren.toReversed()) if (child !== null) waiting.push({ node: child, ...next, level: level + 1 });
  }
  return true;
}

/** A node of some grammars ends behind the newline. */
function lastLineOf({ startPosition, endPosition }: Node): number {
  return Math.max(endPosition.column === 0 ? endPosition.row : endPosition.row + 1, startPosition.row + 1);
}
