/**
 * Tests of a server that are not copied with it: the deep ones and those of timing, which are for the releases of the original, and those that
 * use, directly or by their imports, files outside of the server's folder, its README (the copy has its own), its add-ons, the sources of its
 * views (the copy has the built pages), packages that the copy lacks, such as private ones, or reference servers.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** Reference servers, which a copy must not depend on. */
const REFERENCE = /^@modelcontextprotocol\//;

/** Tests that start processes, attack the server while it works, or measure. */
const SLOW = /\.(?:deep|timing)\.test\.ts$/;

/** Private packages of this repository. */
const PRIVATE = /^@oarlock-tooling\//;

/** References of one file: paths relative to the folder of the server, and packages. */
export interface Named {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/** Imports, and targets of `new URL(…, import.meta.url)` and `import.meta.resolve(…)`. */
export function namedIn(path: string, text: string): Named {
  const names: string[] = [];
  const addresses: string[] = [];
  visit(parseAst(text, { lang: "ts" }), (node) => {
    const { type, source, callee, value } = node;
    const [first, second] = Array.isArray(node["arguments"]) ? (node["arguments"] as unknown[]) : [];
    if (IMPORTING.has(String(type))) names.push(...textIn(source));
    if (type === "CallExpression" && isNode(callee) && textOf(text, callee) === "import.meta.resolve") names.push(...textIn(first));
    if (type === "NewExpression" && isNode(second) && textOf(text, second) === "import.meta.url")
      addresses.push(...textIn(first).map((name) => (/^[./]/.test(name) ? name : `./${name}`)));
    // `${here}../README.md`
    if (type === "TemplateElement" && isNode(value) && /^(?:\.\.\/)+[\w.-]+\.md$/.test(String(value["cooked"])))
      names.push(String(value["cooked"]));
  });
  const files = [...names, ...addresses].filter((name) => name.startsWith(".")).map((name) => posix.join(posix.dirname(path), name));
  const installed = files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/.][^/]*)/.exec(file)?.[1] ?? []);
  const imported = names
    .filter((name) => !/^[./]/.test(name) && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  return {
    files: files.filter((file) => !file.startsWith("node_modules/")),
    packages: [...imported, ...installed],
  };
}

/** The test files of a server that are not copied, with the reason for each. */
export function stayingHere(server: string, packages: ReadonlySet<string>): Map<string, string> {
  const paths = globSync("test/**/*.ts", { cwd: server, exclude: (path) => /(^|\/)node_modules$/.test(path) }).toSorted();
  const named = new Map(paths.map((path) => [path, namedIn(path, readFileSync(join(server, path), "utf8"))]));
  const staying = new Map<string, string>();
  for (const [path, { files, packages: needed }] of named) {
    const outside = files.find(
      (file) =>
        /^(?:\.\.|src\/addons\/|views\/.*\.ts$)/.test(file) ||
        file === "README.md" ||
        (file.endsWith(".ts") && !existsSync(join(server, file))),
    );
    const missing = needed.find((name) => REFERENCE.test(name) || PRIVATE.test(name) || !packages.has(name));
    if (SLOW.test(path)) staying.set(path, "slow");
    else if (outside !== undefined) staying.set(path, `reaches ${outside}`);
    else if (missing !== undefined) staying.set(path, `needs ${missing}`);
  }
  for (let before = -1; before !== staying.size;) {
    before = staying.size;
    for (const [path, { files }] of named) {
      const through = files.find((file) => staying.has(file));
      if (through !== undefined && !staying.has(path)) staying.set(path, `through ${through}`);
    }
    // Files that only such tests use are not copied either; a test that another one imports runs by itself too.
    for (const path of paths.filter((one) => !one.endsWith(".test.ts"))) {
      const users = paths.filter((user) => user !== path && named.get(user)?.files.includes(path) === true);
      if (users.length > 0 && !staying.has(path) && users.every((user) => staying.has(user))) staying.set(path, `for ${users[0]}`);
    }
  }
  return staying;
}

const IMPORTING = new Set(["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression"]);

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (node: unknown): string[] => (isNode(node) && typeof node["value"] === "string" ? [node["value"]] : []);
const textOf = (text: string, { start, end }: Node): string => text.slice(Number(start), Number(end));

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  if (!isNode(value)) return;
  if (typeof value["type"] === "string") see(value);
  for (const child of Object.values(value)) visit(child, see);
}
