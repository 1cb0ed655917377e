// Names of repositories, which callers may give in place of a path.
import { basename } from "node:path";
import type { SandboxFolder } from "./safety/sandbox.ts";

/** A name for each folder: its own, with a number where several have the same. */
export function uniqueNames(folders: readonly SandboxFolder[]): Map<SandboxFolder, string> {
  const names = new Map<SandboxFolder, string>();
  const taken = new Set<string>();
  for (const folder of folders) {
    const base = basename(folder.real).replace(/\.git$/, "") || basename(folder.real) || "repository";
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    names.set(folder, name);
  }
  return names;
}
