// The marks of locks on names: a link, whose target names the owner, or on Windows, where links need a privilege, a file with that text.
import { lstatSync, readFileSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { isInUse, retryWhileInUse, systemErrorCode } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";
import { DiskError } from "../errors.ts";
import { digest } from "../text/hash.ts";
import { stateOf } from "./lock-owner.ts";

/** The system calls on marks, with the platform that answers. */
export interface MarkCalls {
  readonly platform: NodeJS.Platform;
  /** Fails where the mark exists. */
  readonly create: (mark: string, owner: string) => void;
  readonly read: (mark: string) => string;
  readonly remove: (mark: string) => void;
}

const links = { create: (mark: string, owner: string) => symlinkSync(owner, mark), read: (mark: string) => readlinkSync(mark) };
const files = {
  create: (mark: string, owner: string) => writeFileSync(mark, owner, { flag: "wx" }),
  read: (mark: string) => readFileSync(mark, "latin1"),
};

export const marksOn = (on: NodeJS.Platform = platform): MarkCalls => ({
  platform: on,
  ...(on === "win32" ? files : links),
  remove: unlinkSync,
});

/** A mark of an owner that cannot be found is as old at most. */
const UNKNOWN_MS = 600_000;
/** Between the clocks of the machine and of its file systems. */
const CLOCK_MARGIN_MS = 60_000;
const MAX_DEPTH = 4;

/** Creates the mark. False when it exists, or the directory was just removed, or on Windows when a removed mark has not disappeared yet. */
export function makeMark(mark: string, owner: string, calls: MarkCalls): boolean {
  try {
    calls.create(mark, owner);
    return true;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST" || code === "ENOENT" || isInUse(error, calls.platform)) return false;
    throw noLock(code ?? "unknown");
  }
}

export const noLock = (why: string): DiskError =>
  new DiskError("io", `Lock for writing could not be created (${why}). Check the directory for temporary files.`);

export function readMark(mark: string, calls: MarkCalls): string | undefined {
  try {
    return calls.read(mark);
  } catch {
    return undefined;
  }
}

/** Removes a mark unless another owner has it by now. Throws what the system reports. */
export async function removeOwnMark(mark: string, owner: string, calls: MarkCalls): Promise<void> {
  const remove = (): void => {
    if (calls.read(mark) === owner) calls.remove(mark);
  };
  await retryWhileInUse(remove, calls.platform);
}

export function isDead(mark: string, owner: string): boolean {
  const state = stateOf(owner);
  if (state !== "unknown") return state === "dead";
  const createdMs = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  return createdMs !== undefined && isTooOld(owner, Date.now() - createdMs, uptime() * 1000);
}

/** Pure. macOS and Windows do not name their boots ("0"): what is older than the running time of the machine was left by a crash of it. */
export const isTooOld = (owner: string, ageMs: number, uptimeMs: number): boolean =>
  ageMs > UNKNOWN_MS || (owner.startsWith("0.") && ageMs > uptimeMs + CLOCK_MARGIN_MS);

/**
 * Takes away the mark of a dead owner. Two who both found it dead must not both remove it, or the second would remove the
 * mark that the first has created since. So only who holds the mark that belongs to this very death may do it; and should
 * that one die too, the same rule applies to its mark.
 */
export async function breakMark(mark: string, dead: string, owner: string, calls: MarkCalls, depth = 0): Promise<boolean> {
  const right = `${mark}.${digest(dead)}`;
  if (!makeMark(right, owner, calls)) {
    const other = readMark(right, calls);
    if (other !== undefined && depth < MAX_DEPTH && isDead(right, other)) await breakMark(right, other, owner, calls, depth + 1);
    return false;
  }
  try {
    if (readMark(mark, calls) !== dead) return false;
    await retryWhileInUse(() => calls.remove(mark), calls.platform);
    return true;
  } finally {
    await retryWhileInUse(() => calls.remove(right), calls.platform);
  }
}
