// What the operator named, made into walls; a repository must be named by its top, so that what is allowed is what was said.
import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { looksBare } from "./repository-discovery.ts";
import { realFolder, type Unreadable, type Wall } from "./sandbox.ts";

export interface Named {
  readonly repositories: readonly string[];
  readonly roots: readonly string[];
  /** Its repository is served where nothing is named. Left out: where the server was started, which may be gone by now. */
  readonly cwd?: string | undefined;
}

export interface Walls {
  readonly walls: readonly Wall[];
  readonly skipped: readonly { readonly path: string; readonly why: Unreadable | "not-a-repository" }[];
  /** Named, but only a part of the repository at `top`. */
  readonly parts: readonly { readonly path: string; readonly top: string }[];
}

export function wallsOf({ repositories, roots, cwd }: Named): Walls {
  const walls: Wall[] = [];
  const skipped: { path: string; why: Unreadable | "not-a-repository" }[] = [];
  const parts: { path: string; top: string }[] = [];
  const add = (wall: Wall): void => {
    if (!walls.some(({ real, kind }) => real === wall.real && kind === wall.kind)) walls.push(wall);
  };
  for (const path of repositories) {
    const folder = path.trim() === "" ? ({ why: "missing" } as const) : realFolder(path);
    if ("why" in folder) skipped.push({ path, why: folder.why });
    else if (isTop(folder.real)) add({ given: resolve(path), real: folder.real, kind: "repository" });
    else {
      const top = topAround(folder.real);
      if (top === undefined) skipped.push({ path, why: "not-a-repository" });
      else parts.push({ path, top });
    }
  }
  for (const path of roots) {
    const folder = path.trim() === "" ? ({ why: "missing" } as const) : realFolder(path);
    if ("why" in folder) skipped.push({ path, why: folder.why });
    else add({ given: resolve(path), real: folder.real, kind: "root" });
  }
  if (repositories.length === 0 && roots.length === 0) {
    const here = realFolder(cwd ?? process.cwd());
    const top = "why" in here ? undefined : topAround(here.real);
    if (top !== undefined) add({ given: top, real: top, kind: "repository" });
  }
  return { walls, skipped, parts };
}

const isTop = (folder: string): boolean => lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined || looksBare(folder);

/** The top of the repository around a folder, as git walks up. */
function topAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isTop(at) && !at.endsWith(".git")) return at;
    if (dirname(at) === at) return undefined;
  }
}
