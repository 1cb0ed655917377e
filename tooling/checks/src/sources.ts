/** The TypeScript sources of the repository, and what each of them imports and says. */
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Path from the root of the repository → text. */
export type Sources = Record<string, string>;

export function readSources(...globs: string[]): Sources {
  const paths = globSync(globs, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) });
  return Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

export interface Import {
  from: string;
  /** The imported file, from the root of the repository; for anything but a relative import the name as written. */
  to: string;
  typeOnly: boolean;
  /** Whether it is loaded by `import()`. */
  isLazy: boolean;
}

/** What a file imports, re-exports or loads lazily. */
export const importsOf = (from: string, text: string): Import[] =>
  contentsOf(text).imports.map(({ name, typeOnly, isLazy }) => ({
    from,
    to: name.startsWith(".") ? posix.join(posix.dirname(from), name) : name,
    typeOnly,
    isLazy,
  }));

/** The texts of a file's string literals and templates: what the program says, not what its comments say. */
export const literalsOf = (text: string): readonly string[] => contentsOf(text).literals;

interface Contents {
  readonly imports: { name: string; typeOnly: boolean; isLazy: boolean }[];
  readonly literals: string[];
}

/** Several rules look at each file, and reading it costs far more than any of them. */
const known = new Map<string, Contents>();

function contentsOf(text: string): Contents {
  const contents = known.get(text) ?? readContents(text);
  known.set(text, contents);
  return contents;
}

function readContents(text: string): Contents {
  const contents: Contents = { imports: [], literals: [] };
  visit(parse(text), (node) => {
    const { type, value, source } = node;
    if (IMPORTING.has(String(type)) && isNode(source) && typeof source["value"] === "string")
      contents.imports.push({ name: source["value"], typeOnly: isTypeOnly(node), isLazy: type === "ImportExpression" });
    if (type === "Literal" && typeof value === "string") contents.literals.push(value);
    if (type === "TemplateElement" && isNode(value)) contents.literals.push(String(value["raw"]));
  });
  return contents;
}

export type Node = Record<string, unknown>;

const IMPORTING = new Set(["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression", "TSImportType"]);

const parse = (text: string): unknown => parseAst(text, { lang: "ts" });

export const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

function isTypeOnly(node: Node): boolean {
  if (node["type"] === "TSImportType" || node["importKind"] === "type" || node["exportKind"] === "type") return true;
  const names = node["specifiers"];
  return (
    Array.isArray(names) && names.length > 0 && names.every((name) => isNode(name) && (name["importKind"] ?? name["exportKind"]) === "type")
  );
}

export function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  else if (isNode(value)) {
    if (typeof value["type"] === "string") see(value);
    for (const child of Object.values(value)) visit(child, see);
  }
}
