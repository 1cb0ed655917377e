// Where things are in this repository, and whether they are built.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const home = fileURLToPath(new URL("../..", import.meta.url));
export const root = fileURLToPath(new URL("../../../..", import.meta.url));
export const BIN = join(home, "dist/bin.js");

/** Throws unless the packages are built: these tests use what is published. */
export function requireBuilds(...packages: string[]): void {
  for (const name of packages) {
    if (!existsSync(join(root, name, "dist")))
      throw new Error(`${name} is not built, and this test is about what is published: run pnpm build`);
  }
}
