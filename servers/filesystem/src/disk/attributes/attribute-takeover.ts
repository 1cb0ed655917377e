// What a new file takes over from the file that it replaces or copies: its ACL and its extended attributes, if any. In a file with an ACL the
// group bits of the mode are the mask of the ACL, not the group's rights: without the ACL, the same mode could grant the group more.
import { fchmodSync, type BigIntStats } from "node:fs";
import type { Entry, FolderHandle } from "../access/sandbox.ts";
import { attributesOf, isPlain, isPlainDirectory, isStill, rememberPlain } from "./attribute-memory.ts";
import { copyAttributes, type Found } from "./attribute-programs.ts";

export class AttributeTakeover {
  readonly #source: Entry;
  readonly #stat: BigIntStats;
  readonly #into: FolderHandle;
  #found: Promise<Found> | Found;
  #isPlain = false;
  /** The directory is another one than it was looked at, so the new file must be looked at again. */
  #mayInherit = true;
  readonly #losses: string[] = [];

  /**
   * Begins to look, so it is created before the trash links the file, which renews its time of change.
   * @param into The directory of the new file, which may have a default ACL.
   */
  constructor(source: Entry, stat: BigIntStats, into: FolderHandle = source.parent) {
    this.#source = source;
    this.#stat = stat;
    this.#into = into;
    this.#found = attributesOf(source, stat, into);
    // The caller that awaits it gets the error; if an earlier step fails, none awaits it.
    if (this.#found instanceof Promise) this.#found.catch(() => undefined);
  }

  /** Waits for the look, so that little time passes between it, the creation of the file, and its content. */
  async look(): Promise<void> {
    const found = await this.#found;
    this.#mayInherit = !isPlainDirectory(this.#into);
    if (!isPlain(found) || !this.#mayInherit) return;
    // The default ACL may have been set while the program looked.
    this.#found = attributesOf(this.#source, this.#stat, this.#into);
    await this.#found;
    this.#mayInherit = !isPlainDirectory(this.#into);
  }

  /** Called for the new, empty file, whose owner is set. Returns the mode that it may have. */
  async apply(fd: number, mode: number, isGroupKept: boolean): Promise<number> {
    const found = await this.#found;
    this.#isPlain = isPlain(found);
    if (this.#isPlain) return mode;
    // With another group the ACL would give that group the rights of the old one.
    const isTried = isGroupKept && (found.acl === true || found.others);
    // cp opens it by its name, so it must be writable.
    if (isTried) fchmodSync(fd, 0o600);
    const source = this.#source.parent.at(this.#source.name);
    const hasAll = isTried && (await copyAttributes(source, `/proc/${process.pid}/fd/${fd}`));
    const isCopied = hasAll && isStill(source, this.#stat);
    const allowed = allowedMode(mode, found, isCopied);
    if (!isCopied) this.lose(lossOf(mode, allowed, found));
    return allowed;
  }

  /** Notes what the new file has not got: a sentence. */
  lose(sentence: string | undefined): void {
    if (sentence !== undefined) this.#losses.push(sentence);
  }

  /** The old file is written instead of a new one, so all is kept. `notice`: a sentence for the reply. */
  keepAll(notice: string): void {
    this.#losses.splice(0, Infinity, notice);
  }

  /** For the reply, once the new file exists. Undefined where nothing is lost. */
  get loss(): string | undefined {
    return this.#losses.length === 0 ? undefined : this.#losses.join(" ");
  }

  /** Called when the new file has its name: the next write needs no look. */
  done(stat: BigIntStats): void {
    if (this.#isPlain && !this.#mayInherit) rememberPlain(stat);
  }
}

/** Pure. The group gets what everybody has. */
export const withoutGroup = (mode: number): number => mode & (0o707 | ((mode & 0o007) << 3));

/** Pure. An ACL that is not copied may have denied what group and others are granted by the mode. */
export function allowedMode(mode: number, { acl }: Found, isCopied: boolean): number {
  if (isCopied || acl === false) return mode;
  return acl === true ? mode & 0o700 : withoutGroup(mode);
}

/** Pure. Undefined where nothing is lost that is known of. */
export function lossOf(mode: number, allowed: number, { acl, others }: Found): string | undefined {
  if (acl === undefined && allowed !== mode)
    return "Whether the file had an access control list cannot be known here, so its group has got no more rights than everybody.";
  if (acl === true) return "The access control list of the file could not be kept, so now only its owner may use it.";
  return others ? "The extended attributes of the file could not be kept." : undefined;
}
