// The modes of the copies in a tree. ACLs and extended attributes of entries are not copied, because a program would run for each; a mode
// never grants more than the entry did.
import { fstatSync, type BigIntStats } from "node:fs";
import type { FolderHandle } from "../access/sandbox.ts";
import { isWindows, platform } from "../../platform.ts";
import { findAttributes, findInTree } from "./attribute-programs.ts";
import { adoptOwner } from "../rights/owner.ts";
import { allowedMode, withoutGroup } from "./attribute-takeover.ts";

export class TreeAttributes {
  /** The inode numbers of entries with an ACL. Undefined where they cannot be known. */
  readonly #withAcl: ReadonlySet<string> | undefined;
  /** New entries inherit an ACL. */
  readonly #isInherited: boolean;
  readonly #isMove: boolean;
  #narrowed = 0;
  #given = 0;

  private constructor(withAcl: ReadonlySet<string> | undefined, isInherited: boolean, isMove: boolean) {
    this.#withAcl = withAcl;
    this.#isInherited = isInherited;
    this.#isMove = isMove;
  }

  /** Looks at all entries below a directory, and at the one that gets the copy. `isMove`: copies keep their owners, as far as possible. */
  static async of(from: FolderHandle, into: FolderHandle, { isMove = false } = {}): Promise<TreeAttributes> {
    if (platform !== "linux") return new TreeAttributes(new Set(), false, isMove);
    // In another namespace of processes the programs would find other handles under the same path.
    if (from.self.startsWith("/proc/self/")) return new TreeAttributes(undefined, false, isMove);
    const [withAcl, [inherited]] = await Promise.all([findInTree(from.self), findAttributes([], into.self)]);
    return new TreeAttributes(withAcl, inherited?.acl === true, isMove);
  }

  /** The mode of a copy: of a file or directory that is open. Sets its owner before, where it is moved. */
  modeFor(fd: number, source: BigIntStats): number {
    const mode = Number(source.mode) & 0o777;
    const acl = this.#withAcl?.has(String(source.ino));
    const allowed = treeMode(mode, acl, this.#isInherited);
    if (allowed !== mode) this.#narrowed += 1;
    const isGroupKept = isWindows || this.#keepsGroup(fd, source);
    return isGroupKept ? allowed : withoutGroup(allowed);
  }

  #keepsGroup(fd: number, source: BigIntStats): boolean {
    if (!this.#isMove) return fstatSync(fd, { bigint: true }).gid === source.gid;
    const { isGroupKept, loss } = adoptOwner(fd, source);
    if (loss !== undefined) this.#given += 1;
    return isGroupKept;
  }

  /** A sentence for the reply. Undefined where nothing is lost that is known of. */
  get loss(): string | undefined {
    const lists = `The access control lists of a directory are not copied, so ${this.#narrowed} of the entries have got fewer rights for others.`;
    const owners = `The owner or the group of ${this.#given} of the entries could not be kept.`;
    const losses = [...(this.#narrowed > 0 ? [lists] : []), ...(this.#given > 0 ? [owners] : [])];
    return losses.length === 0 ? undefined : losses.join(" ");
  }
}

/** Pure. The mask of an inherited ACL is the bits of the group, so without them it grants nothing. */
export function treeMode(mode: number, acl: boolean | undefined, isInherited: boolean): number {
  return allowedMode(mode, { acl, others: false }, false) & (isInherited ? 0o707 : 0o777);
}
