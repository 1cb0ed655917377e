// The parts of a small server, and how parts are removed from the files of the template.

export const PARTS = ["tool", "resource", "prompt"] as const;
export type Part = (typeof PARTS)[number];

export const isPart = (text: string): text is Part => (PARTS as readonly string[]).includes(text);

/** From `// part: tool` or `<!-- part: tool -->` to `end`, each on a line of its own. */
const BLOCK = /^[ \t]*(?:\/\/|<!--) part: (\w+)(?: -->)?\n([^]*?)^[ \t]*(?:\/\/|<!--) end(?: -->)?\n/gm;
/** A line that ends with `// part: tool`. */
const LINE = /^(.*\S) \/\/ part: (\w+)\n/gm;

/** A file of the template with only these parts, and without part markers. */
export function selectParts(text: string, parts: readonly Part[]): string {
  const isSelected = (part: string): boolean => isPart(part) && parts.includes(part);
  const selected = text
    .replaceAll(BLOCK, (_all, part: string, block: string) => (isSelected(part) ? block : ""))
    .replaceAll(LINE, (_all, line: string, part: string) => (isSelected(part) ? `${line}\n` : ""))
    .replaceAll(/\n(\n *\}\);\n)/g, "$1");
  return parts.length === PARTS.length ? selected : removeUnusedImports(selected);
}

function removeUnusedImports(text: string): string {
  const isUsed = (name: string): boolean => (text.match(new RegExp(`\\b${name}\\b`, "g")) ?? []).length > 1;
  return text
    .replaceAll(/^import \* as (\w+) from .*\n/gm, (line, name: string) => (isUsed(name) ? line : ""))
    .replaceAll(/^import \{ (.+) \} from (.*)\n/gm, (_line, names: string, source: string) => {
      const used = names.split(", ").filter(isUsed);
      return used.length === 0 ? "" : `import { ${used.join(", ")} } from ${source}\n`;
    });
}
