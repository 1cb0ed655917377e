// The path of the script of database processes: beside this file, in the sources and in a build.
import { fileURLToPath } from "node:url";

/** Pure. `windows`: the rules for the path; default: those of this system. */
export const childFileOf = (moduleUrl: string, windows?: boolean): string =>
  fileURLToPath(new URL(moduleUrl.endsWith(".ts") ? "./child.ts" : "./child.js", moduleUrl), windows === undefined ? {} : { windows });

export const childFile = childFileOf(import.meta.url);
