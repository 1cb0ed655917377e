// The trash: a private folder of the user that keeps deleted and overwritten files for a while, so that they can be brought back. A file of
// the same file system is moved or linked there, any other is copied.
import type { BigIntStats } from "node:fs";
import { clip, counted } from "@oarlock/domain-kit";
import type { Sandbox, Entry, FolderHandle } from "../access/sandbox.ts";
import { lookAt } from "../access/entry-stat.ts";
import { DiskError } from "../errors.ts";
import { changeError, isWriteProtected, PROTECTED_NOTICE } from "../rights/write-access.ts";
import { LeftBehindError } from "../transfer/left-behind.ts";
import { ignoreEvent, type LogEvent } from "../log-event.ts";
import { renameOrCopy } from "../transfer/move.ts";
import { syncFolder } from "../write/atomic-replace.ts";
import { withParents } from "../write/directory-maker.ts";
import { diskCalls, type DiskCalls } from "../write/disk-calls.ts";
import { withLock } from "../write/name-lock.ts";
import type { TrashWriter, Undoable } from "./trash-writer.ts";
import { keepFile, MAX_COPIED_BYTES, sameContent, SLOT_LOCK } from "./kept-file.ts";
import { canPromise, MAX_BYTES, removeOldSlots } from "./quotas.ts";
import { createSlot, readSlot, removeSlot, slotContent, slotFolders, type Keeping, type Note, type Slot } from "./slots.ts";
import { TrashFolder } from "./trash-folder.ts";

/** More seldom would let one path fill the list of changes; each time would cost a write as much as the file itself. */
const SLOTS_PER_CLEANUP = 20;

export interface Restored extends Note {
  /** When the change was made that is taken back. */
  readonly time: Date;
  /** Brings back what was at the path before. */
  readonly undo: string | undefined;
  /** What the caller may not expect: sentences. */
  readonly loss: string | undefined;
}

export class Trash implements TrashWriter {
  readonly path: string;
  readonly #folder: TrashFolder;
  readonly #keeping: Keeping;
  readonly #calls: DiskCalls;

  /** `place`: the folder; it is created when it is first needed. */
  constructor(place: string | TrashFolder, event: LogEvent = ignoreEvent, keeping: Keeping = {}, calls = diskCalls) {
    this.#folder = typeof place === "string" ? new TrashFolder(place, event) : place;
    this.path = this.#folder.path;
    this.#keeping = keeping;
    this.#calls = calls;
  }

  /** The same trash for the acts of one call. */
  keeping(keeping: Keeping): Trash {
    return new Trash(this.#folder, this.#folder.event, keeping, this.#calls);
  }

  /** Whether so many deleted bytes would be kept. */
  async accepts(bytes: number): Promise<boolean> {
    using folder = await this.#folder.open();
    return folder !== undefined && this.#hasRoom(folder.self, bytes);
  }

  /** Whether a file would be kept when it is overwritten. */
  async keeps(old: BigIntStats): Promise<boolean> {
    using folder = await this.#folder.open();
    if (folder === undefined || old.isDirectory()) return false;
    const isNear = old.isSymbolicLink() || folder.stat.dev === old.dev;
    return (isNear || old.size <= MAX_COPIED_BYTES) && this.#hasRoom(folder.self, Number(old.size));
  }

  #hasRoom(trash: string, bytes: number): boolean {
    return bytes <= MAX_BYTES && (this.#keeping.isPromised !== true || canPromise(trash, this.#keeping, bytes));
  }

  async takeDeleted(entry: Entry, stat: BigIntStats, bytes: number, signal?: AbortSignal): Promise<string> {
    using folder = await this.#folder.open();
    if (folder === undefined) throw new DiskError("io", `Not deleted: the trash ${clip(this.path)} cannot be used any more.`);
    if (!this.#hasRoom(folder.self, bytes))
      throw new DiskError("conflict", "Not deleted: the trash has no room for it any more. Try again.");
    const note = { path: entry.path, act: "deleted", type: typeOf(stat) } as const;
    const slot = createSlot(folder.self, note, bytes, this.#keeping);
    try {
      using target = slotContent(folder, slot);
      await renameOrCopy({ source: entry, target, stat, old: undefined, lock: SLOT_LOCK, signal }, this.#calls);
      await syncFolder(entry.parent);
    } catch (error) {
      // A part of a directory is removed by now.
      if (error instanceof LeftBehindError && stat.isDirectory()) throw deletedInPart(error, slot);
      await removeSlot(folder.self, slot.folder);
      if (error instanceof LeftBehindError) throw error.why;
      throw changeError(error, entry.path, entry.parent);
    }
    await this.#cleanUp(folder.self);
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
    using folder = await this.#folder.open().catch(() => undefined);
    const slot = folder && (await this.#keep(folder, entry, old, mark).catch(() => undefined));
    if (slot === undefined && this.#keeping.isPromised === true)
      throw new DiskError(
        "conflict",
        `Not replaced: the current file could not be kept for undo_change, as the confirmation promised. Try again: ${clip(entry.path)}`,
      );
    if (folder === undefined || slot === undefined) return { result: await act(old), undo: undefined };
    try {
      const result = await act(sameContent(old, lookAt(entry)));
      // Afterwards: the act may take a file out of an older slot.
      await this.#cleanUp(folder.self);
      return { result, undo: slot.id };
    } catch (error) {
      await removeSlot(folder.self, slot.folder);
      throw error;
    }
  }

  async #keep(folder: FolderHandle, entry: Entry, old: BigIntStats, mark: Pick<Note, "byUndo">): Promise<Slot | undefined> {
    const trash = folder.self;
    if (old.isDirectory() || !this.#hasRoom(trash, Number(old.size))) return undefined;
    const note = { path: entry.path, act: "overwritten", type: typeOf(old), ...mark } as const;
    const slot = createSlot(trash, note, Number(old.size), this.#keeping);
    try {
      using target = slotContent(folder, slot);
      await keepFile(target, entry, old, this.#calls);
      return slot;
    } catch (error) {
      await removeSlot(trash, slot.folder);
      throw error;
    }
  }

  /** What can be brought back to places in the sandbox, the newest first. `paths`: only these real paths. */
  async list(sandbox: Sandbox, limit: number, paths?: readonly string[]): Promise<Slot[]> {
    const slots: Slot[] = [];
    for (const slot of await this.#slots(sandbox, paths)) {
      if (slots.length >= limit) break;
      slots.push(slot);
    }
    return slots;
  }

  /** The last change that can be taken back. */
  async last(sandbox: Sandbox, paths?: readonly string[]): Promise<Slot | undefined> {
    for (const slot of await this.#slots(sandbox, paths)) if (slot.byUndo !== true) return slot;
    return undefined;
  }

  /** The kept files of a change of many files. */
  async ofGroup(sandbox: Sandbox, group: string): Promise<Slot[]> {
    return [...(await this.#slots(sandbox, undefined))].filter((slot) => slot.group === group);
  }

  async #slots(sandbox: Sandbox, paths: readonly string[] | undefined): Promise<Iterable<Slot>> {
    const open = await this.#folder.open();
    if (open === undefined) return [];
    return (function* () {
      using folder = open;
      for (const name of slotFolders(folder.self)) {
        const slot = readSlot(folder.self, name);
        if (slot !== undefined && sandbox.shows(slot.path) && paths?.includes(slot.path) !== false) yield slot;
      }
    })();
  }

  /** Puts a kept file back to its place. What is there now is kept in turn. */
  async restore(sandbox: Sandbox, id: string, signal?: AbortSignal): Promise<Restored> {
    using folder = await this.#folder.open();
    const name = folder && slotFolders(folder.self).find((other) => other.startsWith(`${id}-`));
    const slot = folder && name !== undefined ? readSlot(folder.self, name) : undefined;
    // The same words for a file outside of the sandbox, which may be another client's.
    if (folder === undefined || slot === undefined || !sandbox.shows(slot.path))
      throw new DiskError(
        "not-found",
        `Nothing to bring back with the id ${clip(id, 40)}. Call undo_change with list for what can be brought back.`,
      );
    const taken = () => removeSlot(folder.self, slot.folder);
    const putBack = () => this.#putBack(folder, sandbox, slot, taken, signal);
    const { result: remarks, undo } = await withParents(sandbox, slot.path, putBack);
    return {
      path: slot.path,
      act: slot.act,
      type: slot.type,
      time: slot.time,
      undo,
      loss: remarks.length === 0 ? undefined : remarks.join(" "),
    };
  }

  /** `taken`: called when the file has left its slot, before another version of it is counted. */
  async #putBack(
    trash: FolderHandle,
    sandbox: Sandbox,
    slot: Slot,
    taken: () => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<Undoable<readonly string[]>> {
    using target = sandbox.entry(slot.path);
    sandbox.mustBeWritable(target.path);
    return await withLock(
      target,
      async (lock) => {
        const old = lookAt(target);
        checkFree(slot, target, old);
        using source = slotContent(trash, slot);
        const stat = lookAt(source);
        if (stat === undefined) throw new DiskError("not-found", `The kept file is no longer in the trash: ${clip(slot.path)}`);
        const isProtected = isWriteProtected(target, old);
        const put = async (now: BigIntStats | undefined) => {
          const loss = await renameOrCopy({ source, target, stat, old: now, lock, signal, mayWriteInPlace: true }, this.#calls);
          await syncFolder(target.parent);
          await taken();
          return [...(isProtected ? [PROTECTED_NOTICE] : []), ...(loss === undefined ? [] : [loss])];
        };
        if (old !== undefined) return await this.#keepingOld(target, old, put, { byUndo: true });
        return { result: await put(undefined), undo: undefined };
      },
      signal,
    );
  }

  async #cleanUp(trash: string): Promise<void> {
    if (this.#folder.slotsSinceCleanup++ % SLOTS_PER_CLEANUP === 0) await this.removeOld(trash);
  }

  async removeOld(trash = this.path): Promise<void> {
    const removed = await removeOldSlots(trash);
    if (removed > 0) this.#folder.event("info", `Trash: removed the oldest ${counted(removed, "entry", "entries")} for good.`);
  }
}

function deletedInPart({ code, why }: LeftBehindError, { id }: Slot): DiskError {
  return new DiskError(
    code,
    `Not all was deleted: ${why.message} A copy of everything is in the trash: move the rest away, and undo_change brings it back with the id ${id}.`,
  );
}

function checkFree(slot: Slot, target: Entry, old: BigIntStats | undefined): void {
  // A directory above it has become a link.
  if (target.path !== slot.path) throw new DiskError("conflict", `The place of the kept file has changed: ${clip(slot.path)}`);
  if (old === undefined || (slot.act === "overwritten" && !old.isDirectory())) return;
  throw new DiskError("exists", `Not brought back: there is something else now. Move it away first: ${clip(slot.path)}`);
}

const typeOf = (stat: BigIntStats): Note["type"] => (stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : "file");
