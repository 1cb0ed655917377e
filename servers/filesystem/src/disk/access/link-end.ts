// Where a symbolic link leads: its target as it is written, and whether there is anything. It reveals nothing that lies outside.
import { readlinkSync } from "node:fs";
import { resolve } from "node:path";
import { escapeControls } from "@oarlock/domain-kit";
import type { FolderHandle, Sandbox } from "./sandbox.ts";
import { joinPath } from "./path-syntax.ts";
import { DiskError } from "../errors.ts";

export interface LinkEnd {
  /** As it is written; only when it stays inside the sandbox. */
  readonly target?: string;
  /** `nowhere`: the target does not exist. `outside`: this sandbox does not give it, whether or not it exists. */
  readonly leads?: "nowhere" | "outside";
}

export function linkEnd(sandbox: Sandbox, folder: FolderHandle, name: string): LinkEnd {
  let target: string;
  try {
    target = readlinkSync(folder.at(name));
  } catch {
    return {};
  }
  if (!sandbox.shows(resolve(folder.path, target))) return { leads: "outside" };
  try {
    sandbox.look(joinPath(folder.path, name));
    return { target };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return error.code === "not-found" ? { target, leads: "nowhere" } : error.code === "denied" ? { target, leads: "outside" } : { target };
  }
}

/** Such as ` -> notes.md (does not exist)`, behind the name of a link. */
export function linkEndText({ target, leads }: LinkEnd): string {
  const arrow = target === undefined ? "" : ` -> ${escapeControls(target)}`;
  return arrow + (leads === undefined ? "" : leads === "nowhere" ? " (does not exist)" : " (outside)");
}
