// Refuses to move a directory with hidden names: at the new place the globs of --deny might not hide them any more.
import { readdirSync } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Area, FolderHandle } from "../access/area.ts";
import { DiskError, fromSystem } from "../errors.ts";

const MAX_ENTRIES = 100_000;

export function checkHidesNothing(area: Area, path: string): void {
  if (!area.hides) return;
  using folder = area.folder(path);
  look(area, folder, path, { left: MAX_ENTRIES });
}

function look(area: Area, folder: FolderHandle, path: string, budget: { left: number }): void {
  for (const entry of entriesOf(folder)) {
    budget.left -= 1;
    if (budget.left < 0)
      throw new DiskError("too-large", `Directory too large to be checked for hidden names before a move: ${clip(path)}`);
    if (!area.shows(`${folder.path}/${entry.name}`)) {
      throw new DiskError("denied", `Directory cannot be moved: a part of it is hidden by --deny: ${clip(path)}`);
    }
    if (!entry.isDirectory()) continue;
    using child = folder.child(entry.name);
    if (child !== undefined) look(area, child, path, budget);
  }
}

function entriesOf(folder: FolderHandle) {
  try {
    return readdirSync(folder.self, { withFileTypes: true });
  } catch (error) {
    throw fromSystem(error, folder.path); // it is not known what a closed directory holds
  }
}
