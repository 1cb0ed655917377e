/**
 * The references of the kit, its extensions and the cluster, from the declarations that their builds make: `node api.ts` writes their API.md.
 * It lists the exports of each entry with their comments and types.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../packages", import.meta.url));

/** The packages that have a reference. */
export const DESCRIBED = ["server-kit", "extensions", "cluster"];

export const fileOf = (name: string): string => join(packages, name, "API.md");

export interface Declared {
  readonly name: string;
  /** The comment before it, without comment signs; undefined without a comment. */
  readonly doc: string | undefined;
  readonly type: string;
}

export interface Entry {
  readonly from: string;
  readonly declared: readonly Declared[];
}

/** Where a build leaves the declarations one for one with the sources. */
const TYPES = ".cache/types";

/** `./node`, and what it declares. */
export function entries(folder: string): Entry[] {
  const home = join(packages, folder);
  const { name, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    name: string;
    exports: Record<string, { "oarlock-source": string }>;
  }; // our own
  const declarations = (source: string): string => join(home, source.replace("./src/", `${TYPES}/`).replace(/ts$/, "d.ts"));
  return Object.entries(exports).map(([path, { "oarlock-source": source }]) => ({
    from: name + path.slice(1),
    declared: exported(declarations(source)),
  }));
}

/** The exports of a module in order: its own declarations and those of re-exported modules. */
function exported(module: string): Declared[] {
  const text = readFileSync(module, "utf8");
  const own = declarations(text);
  const others = [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from "(\.[^"]+)";$/gm)].flatMap(([, what = "", path = ""]) => {
    const all = exported(join(dirname(module), path.replace(/\.ts$/, ".d.ts")));
    if (what === "*") return all;
    const names = what
      .slice(1, -1)
      .split(",")
      .map((name) => name.replace(/^\s*type /, "").trim());
    return names.filter((name) => name !== "").flatMap((name) => named(name, all, path));
  });
  return [...others, ...own];
}

/** `find as findRevision`: what is declared by one name and exported by another. */
function named(words: string, all: readonly Declared[], path: string): Declared[] {
  const [inner = "", name = inner] = words.split(" as ");
  const found = all.filter((one) => one.name === inner);
  if (found.length === 0) throw new Error(`${path} does not declare ${inner}`);
  return found.map((one) => ({ ...one, name }));
}

/** Declarations at the top of a module. Each begins at the margin, and so does what closes one of several lines. */
function declarations(text: string): Declared[] {
  const pattern =
    /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^export (?:declare )?((?:abstract )?(?:function|class|interface|type|const)) (\w+)[^]*?(?:;|\})$(?!\n[ })])/gm;
  return [...text.matchAll(pattern)].map(([all, comment, , name = ""]) => ({
    name,
    doc: comment === undefined ? undefined : plain(comment),
    type: (comment === undefined ? all : all.slice(comment.length)).replace(/^export (?:declare )?/, ""),
  }));
}

const plain = (comment: string): string =>
  comment
    .replace(/^\/\*\*\s?/, "")
    .replace(/\s*\*\/\s*$/, "")
    .split("\n")
    .map((line) => line.replace(/^ \* ?/, ""))
    .join("\n")
    .trim();

/** Overloads stand together under their one name. */
function sectionOf(name: string, all: readonly Declared[]): string {
  const docs = all.flatMap(({ doc }) => (doc === undefined ? [] : [withExample(doc)]));
  return `### \`${name}\`\n\n${[...new Set(docs)].join("\n\n")}\n\n\`\`\`ts declaration\n${all.map(({ type }) => type).join("\n")}\n\`\`\``;
}

const withExample = (doc: string): string =>
  doc.replace(/\n?@example\n([^]*)$/, (_all, code: string) => `\n\n\`\`\`ts example\n${code.trimEnd()}\n\`\`\``);

export function reference(folder: string): string {
  const parts = entries(folder).map(({ from, declared }) => {
    const names = [...new Set(declared.map(({ name }) => name))];
    const sections = names.map((name) =>
      sectionOf(
        name,
        declared.filter((one) => one.name === name),
      ),
    );
    return `## \`${from}\`\n\n${sections.join("\n\n")}`;
  });
  return `# Reference of @oarlock/${folder}\n\nWritten by \`tooling/docs/api.ts\` from the types.\n\n${parts.join("\n\n")}\n`;
}

if (import.meta.main) for (const folder of DESCRIBED) writeFileSync(fileOf(folder), reference(folder));
