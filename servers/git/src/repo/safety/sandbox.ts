// The sandbox: which folders the server may touch. The operator names them, and a client's roots only narrow them. All paths here are
// real ones, with every symbolic link followed.
import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { systemErrorCode } from "@oarlock/domain-kit";

export interface SandboxFolder {
  /** As the operator wrote it, made absolute. */
  readonly given: string;
  readonly real: string;
  /** `repository`: this one; `root`: every repository below. */
  readonly kind: "repository" | "root";
}

export interface Sandbox {
  readonly folders: readonly SandboxFolder[];
  /** The folders that are left after narrowing. */
  readonly openFolders: readonly SandboxFolder[];
  /** Whether a real path may be touched. */
  contains(real: string): boolean;
}

/** Whether `path` is `folder` or lies below it. Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder || folder === sep) return true;
  return path.startsWith(folder) && (folder.endsWith(sep) || path.charAt(folder.length) === sep);
}

/** `narrowedTo`: real folders, of which a path must lie in one as well. Default: no narrowing. */
export function createSandbox(folders: readonly SandboxFolder[], narrowedTo?: readonly string[]): Sandbox {
  const isLeft = (real: string): boolean => narrowedTo === undefined || narrowedTo.some((folder) => isInside(real, folder));
  return {
    folders,
    openFolders: folders.filter(
      ({ real, kind }) => isLeft(real) || (kind === "root" && narrowedTo?.some((folder) => isInside(folder, real)) === true),
    ),
    contains: (real) => folders.some((folder) => isInside(real, folder.real)) && isLeft(real),
  };
}

export type UnreadableReason = "missing" | "not-a-folder" | "no-access";

/** The real path of a folder, or why it cannot be read. */
export function resolveFolder(path: string): { readonly real: string } | { readonly reason: UnreadableReason } {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? { real } : { reason: "not-a-folder" };
  } catch (error) {
    const code = systemErrorCode(error);
    return { reason: code === "ENOENT" ? "missing" : code === "ENOTDIR" ? "not-a-folder" : "no-access" };
  }
}

/** The real path of what exists; undefined otherwise. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
