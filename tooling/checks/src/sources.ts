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
  /** The importing file. */
  from: string;
  /** The imported file, from the root of the repository; for anything but a relative import the name as written. */
  to: string;
  typeOnly: boolean;
}

/** What a file imports, re-exports or loads lazily. */
export function importsOf(from: string, text: string): Import[] {
  const found: Import[] = [];
  visit(parse(text), (node) => {
    if (!IMPORTING.has(String(node["type"]))) return;
    const source = node["source"];
    if (!isNode(source) || typeof source["value"] !== "string") return;
    const name = source["value"];
    const to = name.startsWith(".") ? posix.join(posix.dirname(from), name) : name;
    found.push({ from, to, typeOnly: isTypeOnly(node) });
  });
  return found;
}

/** The texts of a file's string literals and templates: what the program says, not what its comments say. */
export function literalsOf(text: string): string[] {
  const found: string[] = [];
  visit(parse(text), (node) => {
    const value = node["value"];
    if (node["type"] === "Literal" && typeof value === "string") found.push(value);
    if (node["type"] === "TemplateElement" && isNode(value)) found.push(String(value["raw"]));
  });
  return found;
}

type Node = Record<string, unknown>;

const IMPORTING = new Set(["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression", "TSImportType"]);

const parse = (text: string): unknown => parseAst(text, { lang: "ts" });

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

function isTypeOnly(node: Node): boolean {
  if (node["type"] === "TSImportType" || node["importKind"] === "type" || node["exportKind"] === "type") return true;
  const names = node["specifiers"];
  return (
    Array.isArray(names) && names.length > 0 && names.every((name) => isNode(name) && (name["importKind"] ?? name["exportKind"]) === "type")
  );
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  else if (isNode(value)) {
    if (typeof value["type"] === "string") see(value);
    for (const child of Object.values(value)) visit(child, see);
  }
}
