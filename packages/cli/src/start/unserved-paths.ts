// The start error where none of the paths that the command line names can be served: each path, its reason and its remedy in one message.
import { isAbsolute, resolve } from "node:path";
import { escapeControls } from "@oarlock/domain-kit";
import { StartError } from "./start-error.ts";

/** A path that cannot be served. */
export interface UnservedPath {
  /** As the command line names it. */
  readonly path: string;
  /** Follows the path in the sentence: `it does not exist`. */
  readonly reason: string;
  /** A sentence of its own: `Create it, or correct the path.` */
  readonly remedy: string;
}

/** More paths than these are only counted: hosts show little of stderr. */
const MAX_LISTED = 5;

/**
 * The error of a start that serves nothing. Hosts often show one line only, so it says everything.
 * `kind`: what a path should be, such as `directory`.
 * @example throw nothingServed("directory", [{ path: "/data", reason: "it does not exist", remedy: "Create it, or correct the path." }]);
 */
export function nothingServed(kind: string, paths: readonly UnservedPath[]): StartError {
  const sentences = paths.slice(0, MAX_LISTED).map(({ path, reason, remedy }, index, { length }) => {
    // Paths with the same remedy are followed by it once.
    const isLast = index === length - 1 || paths[index + 1]?.remedy !== remedy;
    return `Cannot serve ${kind} ${located(path)}: ${reason}.${isLast ? ` ${remedy}` : ""}`;
  });
  const more = paths.length - MAX_LISTED;
  return new StartError(`${sentences.join(" ")}${more > 0 ? ` ${more} more cannot be served either.` : ""}`, 3);
}

/** A host starts servers in a folder of its own choice, so a relative path may be looked for elsewhere than its user thinks. */
function located(path: string): string {
  const isRelative = path.trim() !== "" && !isAbsolute(path);
  return `"${escapeControls(path)}"${isRelative ? ` (${escapeControls(resolve(path))})` : ""}`;
}
