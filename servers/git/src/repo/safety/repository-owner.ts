// Refuses repositories that another user owns, who may have put anything into them. git does the same (safe.directory).
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { RepositoryPaths } from "../process/repository-paths.ts";

export function requireOwnRepository({ top, gitDir, commonDir }: RepositoryPaths, given: string): void {
  const own = acceptedUsers();
  if (own.length === 0) return;
  const owners = [top, join(top, ".git"), gitDir, commonDir].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  const other = owners.find((stat) => stat !== undefined && !own.includes(stat.uid));
  if (other === undefined) return;
  throw new GitError(
    "unsafe",
    `Refused: ${clip(given)} belongs to another user (uid ${other.uid}, this server runs as ${own[0]}), who may have put anything into it. Change its owner, or start the server with --trust and its path.`,
  );
}

/** Whether a file belongs to the user of this process or to the administrator. */
export function isOfTrustedUser(uid: number): boolean {
  const own = acceptedUsers();
  return own.length === 0 || uid === 0 || own.includes(uid);
}

/** The user of this process and, under sudo, the user who called it. Empty on Windows. */
function acceptedUsers(): readonly number[] {
  const own = process.geteuid?.();
  if (own === undefined) return [];
  const caller = own === 0 ? Number(process.env["SUDO_UID"] ?? Number.NaN) : Number.NaN;
  return Number.isInteger(caller) ? [own, caller] : [own];
}
