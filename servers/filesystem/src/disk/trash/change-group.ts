// A change of many files: its files are kept one by one, with the id of the change, and come back together.
import { randomName } from "@oarlock/domain-kit";
import type { Sandbox } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import type { Slot } from "./slots.ts";
import type { Trash } from "./trash.ts";

const GROUP = /^many[0-9a-f]{16}$/;

export const newGroup = (): string => `many${randomName().slice(0, 16)}`;

export const isGroup = (id: string): boolean => GROUP.test(id);

export interface RestoredGroup {
  readonly paths: readonly string[];
  /** Files that did not come back. */
  readonly problems: readonly { readonly path: string; readonly why: string }[];
}

/** Brings back all files of a change. `trash`: what is there now is kept in it in turn. */
export async function restoreGroup(
  trash: Trash,
  sandbox: Sandbox,
  slots: readonly Slot[],
  signal: AbortSignal | undefined,
): Promise<RestoredGroup> {
  const paths: string[] = [];
  const problems: { path: string; why: string }[] = [];
  for (const { id, path } of slots) {
    signal?.throwIfAborted();
    try {
      await trash.restore(sandbox, id, signal);
      paths.push(path);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      problems.push({ path, why: error.message });
    }
  }
  return { paths, problems };
}
