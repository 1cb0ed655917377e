/** Built files of this repository, with an error where they are not built. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this repository. */
export const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The absolute path of a built file. */
export function builtFile(path: string): string {
  const file = join(root, path);
  if (!existsSync(file)) throw new Error(`${path} is missing: it is not built. Run pnpm build.`);
  return file;
}

/** The words after `node` that start a built server, such as `git`. */
export const builtServer = (name: string, ...args: readonly string[]): string[] => [builtFile(`servers/${name}/dist/bin.js`), ...args];
