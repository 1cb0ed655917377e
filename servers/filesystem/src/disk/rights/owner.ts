// The owner of a new file that takes the place of another. Only root can give a file away, and others only to a group of their own.
import { fchownSync, fstatSync, type BigIntStats } from "node:fs";

/** Gives a new file the owner and the group of another, as far as the system permits. Returns whether the group is kept. */
export function adoptOwner(fd: number, old: BigIntStats): boolean {
  const now = fstatSync(fd, { bigint: true });
  if (now.uid !== old.uid && isChanged(fd, old.uid, old.gid)) return true;
  return now.gid === old.gid || isChanged(fd, now.uid, old.gid);
}

/** A sentence about an owner or a group that could not be kept. */
export function ownerLoss(fd: number, old: BigIntStats): string | undefined {
  const now = fstatSync(fd, { bigint: true });
  const changes = [
    ...(now.uid === old.uid ? [] : [`its owner is user ${now.uid} instead of ${old.uid}`]),
    ...(now.gid === old.gid ? [] : [`its group is ${now.gid} instead of ${old.gid}`]),
  ];
  return changes.length === 0 ? undefined : `The owner of the file could not be kept: ${changes.join(", and ")}.`;
}

function isChanged(fd: number, uid: bigint, gid: bigint): boolean {
  try {
    fchownSync(fd, Number(uid), Number(gid));
    return true;
  } catch {
    return false;
  }
}
