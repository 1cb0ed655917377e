// The modes of the copies in a tree. ACLs and extended attributes of entries are not copied, because a program would run for each; a mode
// never grants more than the entry did.
import { fstatSync, type BigIntStats } from "node:fs";
import type { FolderHandle } from "../access/sandbox.ts";
import { isWindows, platform } from "../../platform.ts";
import { findAttributes, findInTree } from "./attribute-programs.ts";
import { allowedMode, withoutGroup } from "./attribute-takeover.ts";

export class TreeAttributes {
  /** The inode numbers of entries with an ACL. Undefined where they cannot be known. */
  readonly #withAcl: ReadonlySet<string> | undefined;
  /** New entries inherit an ACL. */
  readonly #isInherited: boolean;
  #narrowed = 0;

  private constructor(withAcl: ReadonlySet<string> | undefined, isInherited: boolean) {
    this.#withAcl = withAcl;
    this.#isInherited = isInherited;
  }

  /** Looks at all entries below a directory, and at the one that gets the copy. */
  static async of(from: FolderHandle, into: FolderHandle): Promise<TreeAttributes> {
    if (platform !== "linux") return new TreeAttributes(new Set(), false);
    // In another namespace of processes the programs would find other handles under the same path.
    if (from.self.startsWith("/proc/self/")) return new TreeAttributes(undefined, false);
    const [withAcl, [inherited]] = await Promise.all([findInTree(from.self), findAttributes([], into.self)]);
    return new TreeAttributes(withAcl, inherited?.acl === true);
  }

  /** The mode of a copy: of a file or directory that is open, and whose owner and group are set. */
  modeFor(fd: number, source: BigIntStats): number {
    const mode = Number(source.mode) & 0o777;
    const acl = this.#withAcl?.has(String(source.ino));
    const allowed = treeMode(mode, acl, this.#isInherited);
    if (allowed !== mode) this.#narrowed += 1;
    const isGroupKept = isWindows || fstatSync(fd, { bigint: true }).gid === source.gid;
    return isGroupKept ? allowed : withoutGroup(allowed);
  }

  /** A sentence for the reply. Undefined where nothing is lost that is known of. */
  get loss(): string | undefined {
    if (this.#narrowed === 0) return undefined;
    return `The access control lists of a directory are not copied, so ${this.#narrowed} of the entries have got fewer rights for others.`;
  }
}

/** Pure. The mask of an inherited ACL is the bits of the group, so without them it grants nothing. */
export function treeMode(mode: number, acl: boolean | undefined, isInherited: boolean): number {
  return allowedMode(mode, { acl, others: false }, false) & (isInherited ? 0o707 : 0o777);
}
