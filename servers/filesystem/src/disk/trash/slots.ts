// The slots of the trash: one directory for each kept file, with the file and a note of where it was. Its name holds time, size, owner and
// path, so that quotas are counted without reading notes. `trash` is a path to the open trash folder.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { rm, unlink } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { randomName, systemErrorCode } from "@oarlock/domain-kit";
import type { Entry, FolderHandle } from "../access/sandbox.ts";
import { joinPath } from "../access/path-syntax.ts";
import { DiskError } from "../errors.ts";
import { shortDigest } from "../text/hash.ts";

/** `promised`: the user has agreed to an act because it is kept. */
export type SlotKind = "deleted" | "overwritten" | "promised";

export interface Note {
  /** The real path where the file was. */
  readonly path: string;
  readonly act: "deleted" | "overwritten";
  readonly type: "file" | "directory" | "symlink";
  /** What a restoration has overwritten: it comes back by its id only, so that repeated undoing goes back step by step. */
  readonly byUndo?: true;
  /** Of a change of many files: its id, by which all of them come back. */
  readonly group?: string;
}

/** What the name of a slot's directory says. */
export interface SlotName {
  /** For the caller: time and random digits. */
  readonly id: string;
  /** The name of the directory. */
  readonly folder: string;
  readonly time: Date;
  readonly bytes: number;
  readonly kind: SlotKind;
  /** The hash of the principal whose call it was. */
  readonly owner: string;
  /** The hash of the path. */
  readonly place: string;
}

export interface Slot extends Note, SlotName {}

/** For whom a file is kept, and whether it must stay. */
export interface Keeping {
  /** The caller in whose quota it counts, where the transport verifies tokens. */
  readonly principal?: string | undefined;
  /** The confirmation promised to keep it: it stays until it expires. Default false. */
  readonly isPromised?: boolean | undefined;
  /** The id of a change of many files. */
  readonly group?: string | undefined;
}

/** The file in a slot, and the note. */
export const CONTENT = "content";
const NOTE = "note.json";
/** A path has at most 4,096 bytes, each of which JSON may escape by six. */
const MAX_NOTE_BYTES = 32 * 1024;
/** The name of a slot: milliseconds in nine digits of base 36 and random digits, bytes in base 36, then kind, owner and place. */
const SLOT_NAME = /^([0-9a-z]{9}[0-9a-f]{6})-([0-9a-z]{1,11})(?:-([dop])([0-9a-f]{12})-([0-9a-f]{12}))?$/;
const KINDS: Readonly<Record<string, SlotKind>> = { d: "deleted", o: "overwritten", p: "promised" };

let lastTime = 0;

/** The hash of a principal, as it stands in the names of slots. */
export const ownerOf = ({ principal }: Keeping): string => shortDigest(principal === undefined ? "" : `principal ${principal}`);

/** Creates a slot in the trash folder. Of two slots of this process, the later one has the later time. */
export function createSlot(trash: string, note: Note, bytes: number, keeping: Keeping = {}): Slot {
  lastTime = Math.max(Date.now(), lastTime + 1);
  const id = lastTime.toString(36).padStart(9, "0") + randomName().slice(0, 6);
  const kind = keeping.isPromised === true ? "p" : note.act === "deleted" ? "d" : "o";
  const folder = `${id}-${bytes.toString(36)}-${kind}${ownerOf(keeping)}-${shortDigest(note.path)}`;
  const noted = keeping.group === undefined ? note : { ...note, group: keeping.group };
  mkdirSync(`${trash}/${folder}`, { mode: 0o700 });
  writeFileSync(`${trash}/${folder}/${NOTE}`, JSON.stringify(noted), { mode: 0o600, flag: "wx" });
  return { ...noted, ...parse(folder) };
}

function parse(folder: string): SlotName {
  const [, id = "", bytes = "0", kind = "d", owner = "", place = ""] = SLOT_NAME.exec(folder) ?? [];
  const time = new Date(Number.parseInt(id.slice(0, 9), 36));
  return { id, folder, time, bytes: Number.parseInt(bytes, 36), kind: KINDS[kind] ?? "deleted", owner, place };
}

/** Undefined where there is no such slot, or where it is not complete: a crash, or another program, must not hide the others. */
export function readSlot(trash: string, folder: string): Slot | undefined {
  try {
    const note = noteOf(readNote(`${trash}/${folder}/${NOTE}`));
    if (note === undefined || lstatSync(`${trash}/${folder}/${CONTENT}`, { throwIfNoEntry: false }) === undefined) return undefined;
    return { ...note, ...parse(folder) };
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

/** Follows no link and waits for no pipe. */
function readNote(path: string): unknown {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(fd).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_NOTE_BYTES);
    return JSON.parse(bytes.toString("utf8", 0, readSync(fd, bytes)));
  } finally {
    closeSync(fd);
  }
}

function noteOf(value: unknown): Note | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { path, act, type, byUndo, group } = value as Partial<Record<keyof Note, unknown>>; // any object
  if (typeof path !== "string" || !isAbsolute(path)) return undefined;
  if (act !== "deleted" && act !== "overwritten") return undefined;
  if (type !== "file" && type !== "directory" && type !== "symlink") return undefined;
  return { path, act, type, ...(byUndo === true && { byUndo }), ...(typeof group === "string" && { group }) };
}

/** The names of all slots, the newest first. */
export function slotFolders(trash: string): string[] {
  try {
    return readdirSync(trash)
      .filter((name) => SLOT_NAME.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

/** What the names of all slots say, the newest first. */
export const slotNames = (trash: string): SlotName[] => slotFolders(trash).map(parse);

/** The place of the kept file in its slot. */
export function slotContent(trash: FolderHandle, { folder }: SlotName): Entry {
  const parent = trash.child(folder);
  if (parent === undefined) throw new DiskError("not-found", "The kept file is no longer in the trash.");
  const names = { name: CONTENT, spelling: CONTENT, path: joinPath(parent.path, CONTENT), asFolder: false };
  return { parent, ...names, [Symbol.dispose]: () => parent[Symbol.dispose]() };
}

export async function removeSlot(trash: string, folder: string): Promise<void> {
  const slot = `${trash}/${folder}`;
  if (await removeFiles(slot)) return;
  await rm(slot, { recursive: true, force: true }).catch(() => undefined); // the next clean-up tries again
}

/** Nearly always a slot has a file and its note: this takes a third of the calls of a recursive removal. A link in its place is not followed. */
async function removeFiles(slot: string): Promise<boolean> {
  try {
    if (!lstatSync(slot).isDirectory()) return false;
    await unlink(`${slot}/${CONTENT}`);
    // Small: quicker than a way to another thread and back.
    unlinkSync(`${slot}/${NOTE}`);
    rmdirSync(slot);
    return true;
  } catch {
    return false;
  }
}
