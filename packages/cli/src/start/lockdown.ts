// The switch --lockdown of servers of files, where the author of content is the owner of its file.
import { statSync } from "node:fs";
import { foreignOwner, lockdownRefusal } from "@oarlock/domain-kit";
import { StartError } from "./start-error.ts";

/** The declaration of the switch. */
export const LOCKDOWN = {
  type: "boolean",
  help: "hide the content of files whose owner is neither the user of the server nor root",
} as const;

/** Throws a {@link StartError} for --lockdown on a system that has no owners of files, as Windows. */
export function requireFileOwners(lockdown: boolean, hasOwners: boolean = process.geteuid !== undefined): void {
  if (lockdown && !hasOwners)
    throw new StartError(
      "--lockdown cannot be kept: this system, as Windows, does not show who owns a file. Remove it, and serve only files whose authors you trust.",
      2,
    );
}

/** Throws a {@link StartError} where --lockdown cannot be kept, or a file or folder that exists has a foreign owner. */
export function refuseForeignFiles(paths: readonly string[]): void {
  requireFileOwners(true);
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    const owner = stat && foreignOwner(stat);
    if (owner !== undefined) throw new StartError(lockdownRefusal(path, owner), 3);
  }
}
