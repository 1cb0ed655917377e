// The tests of a copied server that differ from those of the original, by their own text or by the layout.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Tests of the built command, and of the list of tools. */
const OF_THE_LAYOUT = /^test\/(?:smoke\/|golden\.test\.ts$)/;

/** Paths relative to the copy. */
export function rewrittenTests(original: string, copy: string): string[] {
  const textOf = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");
  return readdirSync(join(copy, "test"), { recursive: true, encoding: "utf8" })
    .map((path) => posix.join("test", path.replaceAll("\\", "/")))
    .filter((path) => path.endsWith(".test.ts") && (OF_THE_LAYOUT.test(path) || textOf(original, path) !== textOf(copy, path)));
}
