/** Calls of the functions that a file imports from a module. */
import { parseAst } from "vitest/node";
import { isNode, visit } from "../../src/sources.ts";

export interface Call {
  readonly name: string;
  readonly args: readonly string[];
}

/** Of functions that are imported by name, under another name, or as members of the module, such as `fs.promises.open`. */
export function callsOf(text: string, module: RegExp): Call[] {
  const tree: unknown = parseAst(text, { lang: "ts" });
  /** The local name → the name in the module; undefined for the module itself. */
  const local = new Map<string, string | undefined>();
  visit(tree, (node) => {
    if (node["type"] !== "ImportDeclaration" || !isNode(node["source"]) || !module.test(String(node["source"]["value"]))) return;
    for (const specifier of Array.isArray(node["specifiers"]) ? node["specifiers"] : []) {
      if (!isNode(specifier) || !isNode(specifier["local"])) continue;
      const imported = isNode(specifier["imported"]) ? String(specifier["imported"]["name"]) : undefined;
      local.set(String(specifier["local"]["name"]), imported);
    }
  });
  const calls: Call[] = [];
  visit(tree, (node) => {
    if (node["type"] !== "CallExpression" || !isNode(node["callee"])) return;
    const args = Array.isArray(node["arguments"]) ? node["arguments"] : [];
    const name = nameOf(node["callee"], local);
    if (name !== undefined) calls.push({ name, args: args.map((arg) => textOf(arg, text)) });
    // A function that is handed on, as in promisify(writeFile).
    for (const arg of args) {
      const handed = isNode(arg) && arg["type"] === "Identifier" ? local.get(String(arg["name"])) : undefined;
      if (handed !== undefined) calls.push({ name: handed, args: [] });
    }
  });
  return calls;
}

function nameOf(callee: Record<string, unknown>, local: ReadonlyMap<string, string | undefined>): string | undefined {
  if (callee["type"] === "Identifier") return local.get(String(callee["name"]));
  if (callee["type"] !== "MemberExpression" || !isNode(callee["property"])) return undefined;
  const member = String(callee["property"]["name"]);
  return isModule(callee["object"], local) ? member : undefined;
}

/** `fs`, or `fs.promises`. */
function isModule(value: unknown, local: ReadonlyMap<string, string | undefined>): boolean {
  if (!isNode(value)) return false;
  if (value["type"] === "MemberExpression")
    return isNode(value["property"]) && value["property"]["name"] === "promises" && isModule(value["object"], local);
  const name = String(value["name"]);
  return value["type"] === "Identifier" && local.has(name) && (local.get(name) === undefined || local.get(name) === "promises");
}

function textOf(node: unknown, text: string): string {
  const { start, end } = node as { start: number; end: number }; // every node of a tree has its range
  return text.slice(start, end);
}
