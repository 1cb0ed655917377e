// Paths of files in installed packages, for clients that are programs.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const packageFile = (name: string, path: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
