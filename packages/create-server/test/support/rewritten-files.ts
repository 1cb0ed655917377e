// The tests of a copied server that differ from those of the original: by their own text, by a rewritten file that they import, or by the layout.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** Tests of the built command, and of the list of tools. */
const OF_THE_LAYOUT = /^test\/(?:smoke\/|golden\.test\.ts$)/;

/** In it only the name is rewritten, which the tests of the layout see. Nearly every test imports it. */
const ENTRY = "src/server.ts";

/** Paths relative to the copy. */
export function testsOfRewrittenFiles(original: string, copy: string): string[] {
  const paths = ["src", "test"].flatMap((folder) => modulesIn(copy, folder));
  const rewritten = new Set(paths.filter((path) => path !== ENTRY && textOf(original, path) !== textOf(copy, path)));
  const isAffected = (path: string): boolean =>
    rewritten.has(path) || OF_THE_LAYOUT.test(path) || importsOf(copy, path).some((imported) => rewritten.has(imported));
  return paths.filter((path) => path.endsWith(".test.ts") && isAffected(path));
}

const modulesIn = (copy: string, folder: string): string[] =>
  readdirSync(join(copy, folder), { recursive: true, encoding: "utf8" })
    .map((path) => posix.join(folder, path.replaceAll("\\", "/")))
    .filter((path) => path.endsWith(".ts"));

const textOf = (folder: string, path: string): string | undefined =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;

const importsOf = (copy: string, path: string): string[] =>
  [...(textOf(copy, path) ?? "").matchAll(/ from "(\.[^"]+)"/g)].map(([, name = ""]) => posix.join(dirname(path), name));
