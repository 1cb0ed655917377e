// The owner of a new file that takes the place of another. Only root can give a file away, and others only to a group of their own.
import { fchownSync, fstatSync, type BigIntStats } from "node:fs";

export interface AdoptedOwner {
  readonly isGroupKept: boolean;
  /** A sentence about an owner or a group that could not be kept. */
  readonly loss: string | undefined;
}

/** Gives a new file the owner and the group of another, as far as the system permits. */
export function adoptOwner(fd: number, old: BigIntStats): AdoptedOwner {
  const now = fstatSync(fd, { bigint: true });
  if (now.uid === old.uid && now.gid === old.gid) return { isGroupKept: true, loss: undefined };
  const isKept = now.uid !== old.uid && isChanged(fd, old.uid, old.gid);
  const isGroupKept = isKept || now.gid === old.gid || isChanged(fd, now.uid, old.gid);
  return { isGroupKept, loss: lossOf(fstatSync(fd, { bigint: true }), old) };
}

function lossOf(now: BigIntStats, old: BigIntStats): string | undefined {
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
