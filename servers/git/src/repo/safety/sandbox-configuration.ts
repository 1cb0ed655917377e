// Builds the sandbox from the operator's switches. A repository must be named by its top, so that the sandbox holds exactly what the
// operator named.
import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { looksBare } from "./repository-discovery.ts";
import { resolveFolder, type SandboxFolder, type UnreadableReason } from "./sandbox.ts";

export interface RequestedFolders {
  readonly repositories: readonly string[];
  /** Folders of which every repository below is served. */
  readonly roots: readonly string[];
  /** Where nothing is named, the repository around this folder is served. Default: the working directory. */
  readonly cwd?: string | undefined;
}

export interface SkippedFolder {
  readonly path: string;
  readonly reason: UnreadableReason | "not-a-repository";
}

export interface SandboxConfiguration {
  readonly folders: readonly SandboxFolder[];
  readonly skipped: readonly SkippedFolder[];
  /** Folders that are only a part of the repository at `top`. */
  readonly partial: readonly { readonly path: string; readonly top: string }[];
}

export function configureSandbox({ repositories, roots, cwd }: RequestedFolders): SandboxConfiguration {
  const folders: SandboxFolder[] = [];
  const skipped: SkippedFolder[] = [];
  const partial: { path: string; top: string }[] = [];
  const add = (folder: SandboxFolder): void => {
    if (!folders.some(({ real, kind }) => real === folder.real && kind === folder.kind)) folders.push(folder);
  };
  const resolved = (path: string): string | undefined => {
    const folder = path.trim() === "" ? ({ reason: "missing" } as const) : resolveFolder(path);
    if ("real" in folder) return folder.real;
    skipped.push({ path, reason: folder.reason });
    return undefined;
  };
  for (const path of repositories) {
    const real = resolved(path);
    if (real === undefined) continue;
    const top = isTop(real) ? real : topAround(real);
    if (top === undefined) skipped.push({ path, reason: "not-a-repository" });
    else if (top === real) add({ given: resolve(path), real, kind: "repository" });
    else partial.push({ path, top });
  }
  for (const path of roots) {
    const real = resolved(path);
    if (real !== undefined) add({ given: resolve(path), real, kind: "root" });
  }
  if (repositories.length === 0 && roots.length === 0) {
    // Read only here: process.cwd() throws where the working directory is gone.
    const folder = resolveFolder(cwd ?? process.cwd());
    const top = "real" in folder ? topAround(folder.real) : undefined;
    if (top !== undefined) add({ given: top, real: top, kind: "repository" });
  }
  return { folders, skipped, partial };
}

const isTop = (folder: string): boolean => lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined || looksBare(folder);

/** The top of the repository around a folder, as git walks up. */
function topAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isTop(at) && !at.endsWith(".git")) return at;
    if (dirname(at) === at) return undefined;
  }
}
