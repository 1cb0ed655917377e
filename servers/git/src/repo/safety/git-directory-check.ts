// What a repository is made of must lie inside the allowed area: links in its git directory, other object stores that it borrows
// from, and its owner. Looked at again whenever one of its folders has changed.
import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync, type Dirent, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Found } from "./repository-discovery.ts";
import { GitError, clip } from "../errors.ts";
import type { Area } from "./sandbox.ts";

const MOST_ALTERNATES = 16;
const LONGEST_FILE = 1024 * 1024;
/** Folders that are looked through, at most; a repository with more is not one that grew. */
const MOST_FOLDERS = 100_000;

/** Looked through with all that is below. Hooks are never run from here. */
const DEEP = ["refs", "logs", "worktrees", "modules", "info", "rebase-merge", "rebase-apply", "sequencer"];

/** A path; in bytes where a name in it is not UTF-8, as its text would be another one. */
type Path = string | Buffer;

const SLASH = Buffer.from("/");

export function stamp(path: Path): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "-" : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
}

/**
 * Throws when anything leads out of the area. Folders that were looked through are remembered, so that looking again costs a stat for
 * each; those of single objects are looked through again when one is added to them as a whole.
 */
export class Structure {
  readonly #area: Area;
  readonly #found: Found;
  readonly #seen = new Map<string, string>();
  #objects = "";

  constructor(area: Area, found: Found) {
    this.#area = area;
    this.#found = found;
  }

  check(given: string): void {
    const { gitDir, commonDir } = this.#found;
    for (const base of new Set([gitDir, commonDir])) {
      this.#look(base, given, false);
      for (const name of DEEP) this.#look(join(base, name), given, true);
    }
    const objects = join(commonDir, "objects");
    const now = [objects, join(objects, "pack"), join(objects, "info"), join(objects, "info", "alternates")].map(stamp).join(" ");
    if (now === this.#objects) return;
    this.#look(objects, given, true);
    this.#alternates(objects, given, { left: MOST_ALTERNATES });
    this.#objects = now;
  }

  #look(folder: Path, given: string, deep: boolean): void {
    const now = stamp(folder);
    if (now === "-") return;
    if (this.#seen.size > MOST_FOLDERS) throw new GitError("unsafe", `Refused: the git directory of ${clip(given)} has too many folders.`);
    const key = typeof folder === "string" ? folder : `\0${folder.toString("latin1")}`;
    if (this.#seen.get(key) === now) {
      if (deep) for (const below of this.#below.get(key) ?? []) this.#look(below, given, true);
      return;
    }
    const below = this.#links(folder, given);
    if (deep) {
      this.#below.set(key, below);
      for (const one of below) this.#look(one, given, true);
    }
    this.#seen.set(key, now);
  }

  readonly #below = new Map<string, readonly Path[]>();

  /** Judges the links in a folder; gives the folders in it. */
  #links(folder: Path, given: string): Path[] {
    const held = heldBy(folder);
    for (const { path, name, entry } of held) {
      if (entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice())
        throw new GitError(
          "unsafe",
          `Refused: there is a pipe or device in the git directory of ${clip(given)}, which would hold up who reads it.`,
        );
      if (!entry.isSymbolicLink() || name === "hooks") continue;
      if (name === "HEAD" && readlinkSync(path).startsWith("refs/")) continue; // an old way to say which branch
      if (!this.#area.inside(endOf(path))) throw leadsOut(given, "a link in its git directory");
    }
    return held.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path);
  }

  #alternates(objects: string, given: string, count: { left: number }): void {
    const file = join(objects, "info", "alternates");
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isFile() || stat.size > LONGEST_FILE)
      throw new GitError("unsafe", `Refused: the list of alternate object stores of ${clip(given)} is not a plain file.`);
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      // Quoted as in C; the operator can name such a store in plain letters.
      const path = line.startsWith('"') ? undefined : realOf(resolve(objects, line));
      if (path === undefined || !this.#area.inside(path))
        throw leadsOut(given, "an alternate object store of it (objects/info/alternates)");
      if ((count.left -= 1) < 0) throw new GitError("unsafe", `Refused: ${clip(given)} borrows from too many object stores.`);
      this.#look(path, given, true);
      this.#alternates(path, given, count);
    }
  }
}

interface Held {
  readonly path: Path;
  readonly name: string;
  readonly entry: Dirent<string | Buffer>;
}

/** What a folder holds; nothing when it is none, or may not be read: git will say so. */
function heldBy(folder: Path): Held[] {
  try {
    if (typeof folder === "string") {
      const entries = readdirSync(folder, { withFileTypes: true });
      // A name that is not UTF-8 has this character in its text.
      if (!entries.some(({ name }) => name.includes("\ufffd")))
        return entries.map((entry) => ({ path: join(folder, entry.name), name: entry.name, entry }));
    }
    return readdirSync(folder, { withFileTypes: true, encoding: "buffer" }).map((entry) => {
      const name = entry.name.toString();
      const isText = typeof folder === "string" && isUtf8(entry.name);
      return { path: isText ? join(folder, name) : Buffer.concat([Buffer.from(folder), SLASH, entry.name]), name, entry };
    });
  } catch {
    return [];
  }
}

/** Where a link leads; for one that leads to nothing, what would come into being there. */
function endOf(link: Path): string {
  if (typeof link !== "string") return realOf(link) ?? "/";
  let at = link;
  for (let turns = 0; turns < 40; turns++) {
    const real = realOf(at);
    if (real !== undefined) return real;
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      at = resolve(realOf(dirname(at)) ?? dirname(at), readlinkSync(at));
    else {
      const folder = realOf(dirname(at));
      if (folder !== undefined) return join(folder, basename(at));
      // Not even its folder is there: judged by the nearest that is.
      at = dirname(at);
    }
  }
  return "/";
}

function realOf(path: Path): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

const leadsOut = (given: string, what: string): GitError =>
  new GitError("denied", `Access denied - ${what} leads outside the allowed repositories: ${clip(given)}`);

/** The user who runs this, and the one who called sudo for it. */
function users(): readonly number[] {
  const own = process.geteuid?.();
  if (own === undefined) return [];
  const caller = own === 0 ? Number(process.env["SUDO_UID"] ?? Number.NaN) : Number.NaN;
  return Number.isInteger(caller) ? [own, caller] : [own];
}

/** Throws when the repository is another user's, who could have put anything into it. */
export function checkOwner({ top, gitDir, commonDir }: Found, given: string): void {
  const mine = users();
  if (mine.length === 0) return;
  const owners = [top, join(top, ".git"), gitDir, commonDir].map((path): Stats | undefined => lstatSync(path, { throwIfNoEntry: false }));
  const other = owners.find((stat) => stat !== undefined && !mine.includes(stat.uid));
  if (other === undefined) return;
  throw new GitError(
    "unsafe",
    `Refused: ${clip(given)} belongs to another user (uid ${other.uid}, this server runs as ${mine[0]}), who may have put anything into it. Change its owner, or start the server with --trust and its path.`,
  );
}
