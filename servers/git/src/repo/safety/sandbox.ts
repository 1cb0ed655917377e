// What may be touched: the operator's repositories and folders of repositories, which a client's roots can only narrow. Paths here
// are real ones: what is inside is decided after every link was followed.
import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { systemCode } from "../errors.ts";

export interface Wall {
  /** As the operator wrote it, made absolute. */
  readonly given: string;
  readonly real: string;
  /** `repository`: this one (and what lies in it); `root`: every repository below. */
  readonly kind: "repository" | "root";
}

export interface Area {
  readonly walls: readonly Wall[];
  /** Whether a real path may be touched. */
  inside(real: string): boolean;
  /** The walls that a real path lies in, or that lie in it, as far as they are left. */
  readonly open: readonly Wall[];
  readonly narrowedTo: readonly string[] | undefined;
}

/** Whether `path` is `folder` or below it, on whole names. Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder || folder === sep) return true;
  return path.startsWith(folder) && (folder.endsWith(sep) || path.charAt(folder.length) === sep);
}

export function areaOf(walls: readonly Wall[], narrowedTo?: readonly string[]): Area {
  const isLeft = (real: string): boolean => narrowedTo === undefined || narrowedTo.some((root) => isInside(real, root));
  return {
    walls,
    narrowedTo,
    inside: (real) => walls.some((wall) => isInside(real, wall.real)) && isLeft(real),
    open: walls.filter(({ real, kind }) => isLeft(real) || (kind === "root" && narrowedTo?.some((root) => isInside(root, real)) === true)),
  };
}

export type Unreadable = "missing" | "not-a-folder" | "no-access";

/** The real path of a folder, or why there is none. */
export function realFolder(path: string): { readonly real: string } | { readonly why: Unreadable } {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? { real } : { why: "not-a-folder" };
  } catch (error) {
    const code = systemCode(error);
    return { why: code === "ENOENT" ? "missing" : code === "ENOTDIR" ? "not-a-folder" : "no-access" };
  }
}
