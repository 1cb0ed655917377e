// The roots that are left when the client's roots narrow the operator's directories.
import { statSync } from "node:fs";
import type { Root } from "./sandbox.ts";
import { checkPathText, isInside, lexical, nativePaths, type PathRules } from "./path-syntax.ts";
import { existingRealPath } from "./real-path.ts";
import { isReadOnly } from "./write-permission.ts";

/**
 * A folder inside a root becomes a root of its own; a root inside a folder stays. Folders elsewhere count for nothing.
 * @param folders The client's roots as absolute paths.
 * @param all All of the operator's directories: they decide what is read-only.
 */
export function narrowRoots(roots: readonly Root[], folders: readonly string[], all: readonly Root[]): Root[] {
  const kept: Root[] = [];
  for (const folder of folders) {
    // Windows signs in at a server to look at its share: only at those that the operator has named.
    const server = serverOf(folder);
    if (server !== undefined && !roots.some(({ given, real }) => [given, real].some((path) => serverOf(path) === server))) continue;
    const real = realFolder(folder);
    if (real === undefined) continue;
    for (const root of roots) {
      if (isInside(real, root.real)) {
        const readOnly = isReadOnly(real, all);
        // Both spellings, the client's and the operator's; calls may use the real path in any case.
        const spellings = new Set([lexical(folder), nativePaths.path.join(root.given, real.slice(root.real.length))]);
        if (spellings.size > 1) spellings.delete(real);
        for (const given of spellings) kept.push({ given, real, readOnly });
      } else if (isInside(root.real, real)) kept.push(root);
    }
  }
  return kept.filter((root, index) => isFirst(root, index, kept));
}

/** The server of a share of Windows: `\\\\server\\share`. */
export const serverOf = (path: string, { windows }: PathRules = nativePaths): string | undefined =>
  windows ? /^[\\/]{2}([^\\/]+)/.exec(path)?.[1]?.toLowerCase() : undefined;

function realFolder(folder: string): string | undefined {
  try {
    checkPathText(folder);
    if (!nativePaths.path.isAbsolute(folder)) return undefined;
    const real = existingRealPath(folder);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isFirst(root: Root, index: number, all: readonly Root[]): boolean {
  return all.findIndex((other) => other.real === root.real && other.given === root.given) === index;
}
