/** Reads the fenced blocks of a Markdown text. A comment `<!-- example: NAME -->` before a block names the example file that it shows. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../src/examples.ts";

/** The texts whose blocks are checked: all pages of the site, and what else people read. */
export const TEXTS = globSync(
  ["*.md", "docs/**/*.md", "{packages,servers,examples}/*/*.md", "packages/*/examples/*.md", ".changeset/*.md"],
  { cwd: root },
).toSorted();

export interface Block {
  readonly file: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly example: string | undefined;
  readonly text: string;
}

export function blocksOf(file: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^(\s*)(`{3,})(.*)$/.exec(lines[at] ?? "");
    if (fence === null) continue;
    const [, indent = "", ticks = "", language = ""] = fence;
    const end = lines.indexOf(indent + ticks, at + 1);
    if (end === -1) throw new Error(`${file}:${at + 1}: Unclosed block: expected a closing fence.`);
    const before = lines.slice(0, at).findLast((line) => line.trim() !== "");
    const example = /^<!-- example: ([\w.-]+) -->$/.exec(before?.trim() ?? "")?.[1];
    const text = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    blocks.push({ file, line: at + 1, language, example, text: `${text.join("\n")}\n` });
    at = end;
  }
  return blocks;
}

export const allBlocks = (): Block[] => TEXTS.flatMap((file) => blocksOf(file, readFileSync(join(root, file), "utf8")));

export const named = ({ file, line }: Block): string => `${file}:${line}`;
