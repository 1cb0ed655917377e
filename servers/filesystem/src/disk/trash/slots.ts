// The slots of the trash: one directory for each kept file, with the file and a note of where it was. Its name holds its time and size, so
// that the oldest slots are found without reading them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { systemErrorCode } from "@oarlock/domain-kit";
import { randomName } from "../text/hash.ts";

/** What the trash keeps at most; the oldest slots are removed first. */
export const MAX_BYTES = 1024 * 1024 * 1024;
export const MAX_SLOTS = 1000;
export const MAX_AGE_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface Note {
  /** The real path where the file was. */
  readonly path: string;
  readonly act: "deleted" | "overwritten";
  readonly type: "file" | "directory" | "symlink";
  /** What a restoration has overwritten: it comes back by its id only, so that repeated undoing goes back step by step. */
  readonly byUndo?: true;
}

export interface Slot extends Note {
  /** For the caller: time and random digits. */
  readonly id: string;
  /** The name of the directory. */
  readonly folder: string;
  readonly time: Date;
  readonly bytes: number;
}

/** The file in a slot, and the note. */
export const CONTENT = "content";
const NOTE = "note.json";
/** Milliseconds in nine digits of base 36, random digits, bytes in base 36. */
const FOLDER = /^([0-9a-z]{9}[0-9a-f]{6})-([0-9a-z]{1,11})$/;

let lastTime = 0;

/** Creates a slot in the trash folder. Of two slots of this process, the later one has the later time. */
export function createSlot(trash: string, note: Note, bytes: number): Slot {
  lastTime = Math.max(Date.now(), lastTime + 1);
  const id = lastTime.toString(36).padStart(9, "0") + randomName().slice(0, 6);
  const folder = `${id}-${bytes.toString(36)}`;
  mkdirSync(`${trash}/${folder}`, { mode: 0o700 });
  writeFileSync(`${trash}/${folder}/${NOTE}`, JSON.stringify(note), { mode: 0o600 });
  return { ...note, ...parse(folder), folder };
}

function parse(folder: string): { id: string; time: Date; bytes: number } {
  const [, id = "", bytes = "0"] = FOLDER.exec(folder) ?? [];
  return { id, time: new Date(Number.parseInt(id.slice(0, 9), 36)), bytes: Number.parseInt(bytes, 36) };
}

/** Undefined where there is no such slot, or where it is not complete. */
export function readSlot(trash: string, folder: string): Slot | undefined {
  try {
    const note = JSON.parse(readFileSync(`${trash}/${folder}/${NOTE}`, "utf8")) as Note; // written above
    return { ...note, ...parse(folder), folder };
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

/** The names of all slots, the newest first. */
export function slotFolders(trash: string): string[] {
  try {
    return readdirSync(trash)
      .filter((name) => FOLDER.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

export async function removeSlot(trash: string, folder: string): Promise<void> {
  await rm(`${trash}/${folder}`, { recursive: true, force: true }).catch(() => undefined); // the next clean-up tries again
}

/** Removes what is too old, and the oldest slots while there is too much. Returns the number of removed slots. */
export async function removeOldSlots(trash: string, now = Date.now()): Promise<number> {
  let [bytes, removed] = [0, 0];
  for (const [index, folder] of slotFolders(trash).entries()) {
    const slot = parse(folder);
    bytes += slot.bytes;
    if (index < MAX_SLOTS && bytes <= MAX_BYTES && now - slot.time.getTime() <= MAX_AGE_DAYS * DAY_MS) continue;
    await removeSlot(trash, folder);
    removed += 1;
  }
  return removed;
}
