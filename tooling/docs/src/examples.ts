/** The example files of all packages, by name: `hello-tool` is packages/server-kit/examples/hello-tool.ts. */
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

const files = globSync("packages/*/examples/*.ts", { cwd: root }).toSorted();

/** Path from the root of the repository, by name without `.ts`. */
export const EXAMPLES: ReadonlyMap<string, string> = new Map(files.map((file) => [basename(file, ".ts"), file]));

/** The absolute path of an example. */
export function exampleFile(name: string): string {
  const file = EXAMPLES.get(name);
  if (file === undefined) throw new Error(`Example ${name} not found: expected packages/*/examples/${name}.ts`);
  return join(root, file);
}
