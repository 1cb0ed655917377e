// The trash: a private folder of the user that keeps deleted and overwritten files for a while, so that they can be brought back. A file of
// the same file system is moved or linked there, any other is copied.
import { linkSync, readlinkSync, statSync, symlinkSync, type BigIntStats } from "node:fs";
import { clip, counted, systemErrorCode } from "@oarlock/domain-kit";
import type { Area, Entry } from "../access/area.ts";
import { lookAt } from "../access/entry-stat.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { ignoreEvent, type LogEvent } from "../log-event.ts";
import { copyFill } from "../transfer/device-copy.ts";
import { renameOrCopy } from "../transfer/move.ts";
import { replace, syncFolder } from "../write/atomic-replace.ts";
import { withParents } from "../write/directory-maker.ts";
import { withLock } from "../write/name-lock.ts";
import type { Keeper, Undoable } from "./keeper.ts";
import { CONTENT, createSlot, MAX_BYTES, readSlot, removeOldSlots, removeSlot, slotFolders, type Note, type Slot } from "./slots.ts";
import { openTrashFolder } from "./trash-folder.ts";

/** The most bytes that are copied for an overwritten file on another file system. */
const MAX_COPIED_BYTES = 64 * 1024 * 1024;
const SLOTS_PER_CLEANUP = 50;
/** A slot is private, so this name is free. */
const SLOT_LOCK = { temp: "copy" } as const;

export interface Restored extends Note {
  /** Brings back what was at the path before. */
  readonly undo: string | undefined;
}

export class Trash implements Keeper {
  readonly path: string;
  #area: Promise<Area | undefined> | undefined;
  #slotsSinceCleanup = 0;

  readonly #event: LogEvent;

  /** `path`: the folder; it is created when it is first needed. */
  constructor(path: string, event: LogEvent = ignoreEvent) {
    this.path = path;
    this.#event = event;
  }

  /** Whether so many deleted bytes would be kept. */
  async accepts(bytes: number): Promise<boolean> {
    return bytes <= MAX_BYTES && (await this.#open()) !== undefined;
  }

  /** Whether a file would be kept when it is overwritten. */
  async keeps(old: BigIntStats): Promise<boolean> {
    if (old.isDirectory() || (await this.#open()) === undefined) return false;
    const isNear = old.isSymbolicLink() || statSync(this.path, { bigint: true }).dev === old.dev;
    return old.size <= (isNear ? MAX_BYTES : MAX_COPIED_BYTES);
  }

  async takeDeleted(entry: Entry, stat: BigIntStats, bytes: number, signal?: AbortSignal): Promise<string> {
    const area = await this.#open();
    if (area === undefined) throw new DiskError("io", `Not deleted: the trash ${clip(this.path)} cannot be used any more.`);
    const slot = createSlot(this.path, { path: entry.path, act: "deleted", type: typeOf(stat) }, bytes);
    try {
      using target = area.entry(`${slot.folder}/${CONTENT}`);
      await renameOrCopy({ source: entry, target, stat, old: undefined, lock: SLOT_LOCK, signal });
      await syncFolder(entry.parent);
    } catch (error) {
      await removeSlot(this.path, slot.folder);
      throw fromSystem(error, entry.path);
    }
    await this.#cleanUp();
    return slot.id;
  }

  keepOverwritten<T>(entry: Entry, old: BigIntStats, act: (old: BigIntStats) => Promise<T>): Promise<Undoable<T>> {
    return this.#keepingOld(entry, old, act, {});
  }

  async #keepingOld<T>(
    entry: Entry,
    old: BigIntStats,
    act: (old: BigIntStats) => Promise<T>,
    mark: Pick<Note, "byUndo">,
  ): Promise<Undoable<T>> {
    const slot = await this.#keep(entry, old, mark).catch(() => undefined);
    try {
      return { result: await act(slot === undefined ? old : sameContent(old, lookAt(entry))), undo: slot?.id };
    } catch (error) {
      if (slot !== undefined) await removeSlot(this.path, slot.folder);
      throw error;
    }
  }

  async #keep(entry: Entry, old: BigIntStats, mark: Pick<Note, "byUndo">): Promise<Slot | undefined> {
    const area = await this.#open();
    if (area === undefined || old.isDirectory() || old.size > MAX_BYTES) return undefined;
    await this.#cleanUp();
    const slot = createSlot(this.path, { path: entry.path, act: "overwritten", type: typeOf(old), ...mark }, Number(old.size));
    try {
      using target = area.entry(`${slot.folder}/${CONTENT}`);
      const from = entry.parent.at(entry.name);
      if (old.isSymbolicLink()) symlinkSync(readlinkSync(from), target.parent.at(CONTENT));
      else if (!isLinked(from, target.parent.at(CONTENT))) await copyTo(target, entry, old);
      return slot;
    } catch (error) {
      await removeSlot(this.path, slot.folder);
      throw error;
    }
  }

  /** What can be brought back to places in the area, the newest first. `paths`: only these real paths. */
  list(area: Area, limit: number, paths?: readonly string[]): Slot[] {
    const slots: Slot[] = [];
    for (const slot of this.#slots(area, paths)) {
      if (slots.length >= limit) break;
      slots.push(slot);
    }
    return slots;
  }

  /** The last change that can be taken back. */
  last(area: Area, paths?: readonly string[]): Slot | undefined {
    for (const slot of this.#slots(area, paths)) if (slot.byUndo !== true) return slot;
    return undefined;
  }

  *#slots(area: Area, paths: readonly string[] | undefined): Generator<Slot> {
    for (const folder of slotFolders(this.path)) {
      const slot = readSlot(this.path, folder);
      if (slot !== undefined && area.shows(slot.path) && paths?.includes(slot.path) !== false) yield slot;
    }
  }

  /** Puts a kept file back to its place. What is there now is kept in turn. */
  async restore(area: Area, id: string, signal?: AbortSignal): Promise<Restored> {
    const folder = slotFolders(this.path).find((name) => name.startsWith(`${id}-`));
    const slot = folder === undefined ? undefined : readSlot(this.path, folder);
    // The same words for a file outside of the area, which may be another client's.
    if (slot === undefined || !area.shows(slot.path))
      throw new DiskError(
        "not-found",
        `Nothing to bring back with the id ${clip(id, 40)}. Call undo_change with list for what can be brought back.`,
      );
    const undo = await withParents(area, slot.path, () => this.#putBack(area, slot, signal));
    await removeSlot(this.path, slot.folder);
    return { path: slot.path, act: slot.act, type: slot.type, undo };
  }

  async #putBack(area: Area, slot: Slot, signal: AbortSignal | undefined): Promise<string | undefined> {
    using target = area.entry(slot.path);
    area.mustBeWritable(target.path);
    return await withLock(
      target,
      async (lock) => {
        const trash = await this.#open();
        const old = lookAt(target);
        checkFree(slot, target, old);
        using source = trash?.entry(`${slot.folder}/${CONTENT}`);
        const stat = source && lookAt(source);
        if (source === undefined || stat === undefined)
          throw new DiskError("not-found", `The kept file is no longer in the trash: ${clip(slot.path)}`);
        const put = async (old: BigIntStats | undefined) => {
          await renameOrCopy({ source, target, stat, old, lock, signal });
          await syncFolder(target.parent);
        };
        if (old !== undefined) return (await this.#keepingOld(target, old, put, { byUndo: true })).undo;
        await put(undefined);
        return undefined;
      },
      signal,
    );
  }

  /** Undefined where the folder cannot be created or is not private. */
  #open(): Promise<Area | undefined> {
    this.#area ??= this.#openFolder();
    return this.#area;
  }

  async #openFolder(): Promise<Area | undefined> {
    const area = await openTrashFolder(this.path);
    if (area === undefined)
      this.#event(
        "warning",
        `Trash ${clip(this.path)} cannot be used, so nothing is kept for undo: expected a folder that is private to the user.`,
      );
    return area;
  }

  async #cleanUp(): Promise<void> {
    if (this.#slotsSinceCleanup++ % SLOTS_PER_CLEANUP === 0) await this.removeOld();
  }

  async removeOld(): Promise<void> {
    const removed = await removeOldSlots(this.path);
    if (removed > 0) this.#event("info", `Trash: removed the oldest ${counted(removed, "entry", "entries")} for good.`);
  }
}

function checkFree(slot: Slot, target: Entry, old: BigIntStats | undefined): void {
  // A directory above it has become a link.
  if (target.path !== slot.path) throw new DiskError("conflict", `The place of the kept file has changed: ${clip(slot.path)}`);
  if (old === undefined || (slot.act === "overwritten" && !old.isDirectory())) return;
  throw new DiskError("exists", `Not brought back: there is something else now. Move it away first: ${clip(slot.path)}`);
}

const typeOf = (stat: BigIntStats): Note["type"] => (stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : "file");

/** The newer stat where only the time of change differs. With the older one the act finds out that the file has changed. */
function sameContent(old: BigIntStats, now: BigIntStats | undefined): BigIntStats {
  const isSame = now?.ino === old.ino && now.dev === old.dev && now.size === old.size && now.mtimeNs === old.mtimeNs;
  return isSame ? now : old;
}

/** False on another file system, or where hard links are not possible. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

async function copyTo(target: Entry, entry: Entry, old: BigIntStats): Promise<void> {
  if (old.size > MAX_COPIED_BYTES) throw new DiskError("too-large", "File too large to be copied to the trash");
  const how = { old: undefined, mode: Number(old.mode) & 0o777, mustBeNew: true };
  await replace(target, SLOT_LOCK, copyFill(entry.parent, entry.name, undefined), how, () => undefined);
}
