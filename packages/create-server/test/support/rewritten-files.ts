// The tests of a copied server that differ from those of the original: by their own text, by a rewritten file below them, or by the layout.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** Tests of the built command, and of the list of tools. */
const OF_THE_LAYOUT = /^test\/(?:smoke\/|golden\.test\.ts$)/;

/** How many imports may lie between a test and a rewritten file. Across more, nearly every test reaches one, and finds nothing else in it. */
const STEPS = 2;

/** Paths relative to the copy. */
export function testsOfRewrittenFiles(original: string, copy: string): string[] {
  const paths = ["src", "test"].flatMap((folder) => modulesIn(copy, folder));
  const imports = new Map(paths.map((path) => [path, importsOf(copy, path)]));
  let reaching = new Set(paths.filter((path) => textOf(original, path) !== textOf(copy, path)));
  for (let step = 0; step < STEPS; step++) {
    const rewritten = reaching;
    reaching = new Set([...rewritten, ...paths.filter((path) => imports.get(path)?.some((imported) => rewritten.has(imported)))]);
  }
  return paths.filter((path) => path.endsWith(".test.ts") && (reaching.has(path) || OF_THE_LAYOUT.test(path)));
}

const modulesIn = (copy: string, folder: string): string[] =>
  readdirSync(join(copy, folder), { recursive: true, encoding: "utf8" })
    .map((path) => posix.join(folder, path.replaceAll("\\", "/")))
    .filter((path) => path.endsWith(".ts"));

const textOf = (folder: string, path: string): string | undefined =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;

const importsOf = (copy: string, path: string): string[] =>
  [...(textOf(copy, path) ?? "").matchAll(/ from "(\.[^"]+)"/g)].map(([, name = ""]) => posix.join(dirname(path), name));
