// What a small server is made of, and how what is not wanted is cut out of its files.

export const PARTS = ["tool", "resource", "prompt"] as const;
export type Part = (typeof PARTS)[number];

export const isPart = (text: string): text is Part => (PARTS as readonly string[]).includes(text);

/** `// part: tool` or `<!-- part: tool -->`, up to `end`, on lines of their own; or `// part: tool` behind a line. */
const BLOCK = /^[ \t]*(?:\/\/|<!--) part: (\w+)(?: -->)?\n([^]*?)^[ \t]*(?:\/\/|<!--) end(?: -->)?\n/gm;
const LINE = /^(.*\S) \/\/ part: (\w+)\n/gm;

/** A text of the template with the parts that are wanted, and no mark of any. */
export function withParts(text: string, wanted: readonly Part[]): string {
  const has = (part: string): boolean => isPart(part) && wanted.includes(part);
  const cut = text
    .replaceAll(BLOCK, (_all, part: string, block: string) => (has(part) ? block : ""))
    .replaceAll(LINE, (_all, line: string, part: string) => (has(part) ? `${line}\n` : ""))
    .replaceAll(/\n(\n *\}\);\n)/g, "$1");
  return wanted.length === PARTS.length ? cut : withoutIdleImports(cut);
}

/** Takes out of the import lines what the text does not name any more. */
function withoutIdleImports(text: string): string {
  const used = (name: string): boolean => (text.match(new RegExp(`\\b${name}\\b`, "g")) ?? []).length > 1;
  return text
    .replaceAll(/^import \* as (\w+) from .*\n/gm, (line, name: string) => (used(name) ? line : ""))
    .replaceAll(/^import \{ (.+) \} from (.*)\n/gm, (_line, names: string, rest: string) => {
      const left = names.split(", ").filter(used);
      return left.length === 0 ? "" : `import { ${left.join(", ")} } from ${rest}\n`;
    });
}
