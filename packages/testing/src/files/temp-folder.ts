// Temporary folders: created from an object, compared by a listing or a hash, and removed at the end of the test.
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A symbolic link of a tree. */
class LinkTo {
  readonly target: string;

  constructor(target: string) {
    this.target = target;
  }
}

/** A file or folder with a file mode. */
class WithMode {
  readonly mode: number;
  readonly content: string | Uint8Array | Tree;

  constructor(mode: number, content: string | Uint8Array | Tree) {
    this.mode = mode;
    this.content = content;
  }
}

/** The content of a folder: text and bytes are files, objects are folders. A name may contain slashes. */
export interface Tree {
  [name: string]: string | Uint8Array | Tree | LinkTo | WithMode;
}

/** A symbolic link with this target. */
export const linkTo = (target: string): LinkTo => new LinkTo(target);
/** A file or folder with this file mode, such as 0o755. */
export const withMode = (mode: number, content: string | Uint8Array | Tree): WithMode => new WithMode(mode, content);

export interface TempFolder extends AsyncDisposable {
  /** The absolute path, with symbolic links resolved. */
  readonly path: string;
  /** The absolute path of an entry. */
  at(...names: string[]): string;
  /** Adds files and folders. */
  write(tree: Tree): void;
  read(...names: string[]): string;
  /** The result of `listTree`. */
  tree(): Record<string, string>;
  /** The result of `hashTree`. */
  hash(): string;
}

/** Folders to remove when the process exits without disposing of them. */
const open = new Set<string>();

function removeAll(): void {
  for (const path of open)
    try {
      remove(path);
    } catch {
      // A process that a test has started still writes into it. The other folders are removed all the same.
    }
  open.clear();
}

process.once("exit", removeAll);
// A signal ends the process without `exit`. Vitest ends its workers by SIGTERM, a terminal by SIGINT or SIGHUP.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.once(signal, () => {
    if (process.listenerCount(signal) > 0) return; // others decide when the process exits
    removeAll();
    process.kill(process.pid, signal);
  });

/**
 * Creates a folder in the system's temporary directory, removed at the end of the block.
 * @example
 * await using folder = tempFolder({ "a.txt": "hello", sub: { "b.txt": "there", link: linkTo("../a.txt") } });
 */
export function tempFolder(tree: Tree = {}): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "oarlock-")));
  open.add(path);
  writeTree(path, tree);
  return {
    path,
    at: (...names) => join(path, ...names),
    write: (more) => writeTree(path, more),
    read: (...names) => readFileSync(join(path, ...names), "utf8"),
    tree: () => listTree(path),
    hash: () => hashTree(path),
    async [Symbol.asyncDispose]() {
      remove(path);
      open.delete(path);
    },
  };
}

/** Writes a tree into an existing folder. */
export function writeTree(folder: string, tree: Tree): void {
  for (const [name, entry] of Object.entries(tree)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (entry instanceof LinkTo) symlinkSync(entry.target, path);
    else if (entry instanceof WithMode) {
      writeTree(folder, { [name]: entry.content });
      chmodSync(path, entry.mode);
    } else if (typeof entry === "string" || entry instanceof Uint8Array) writeFileSync(path, entry);
    else {
      mkdirSync(path, { recursive: true });
      writeTree(path, entry);
    }
  }
}

/**
 * Lists everything below a folder by relative path: kind, mode, and the target of a link or the size and digest of a file. Names
 * that are not UTF-8 are listed as bytes. Two folders are equal if their listings are.
 */
export function listTree(folder: string): Record<string, string> {
  const found: [string, string][] = [];
  const walk = (at: Buffer, prefix: string): void => {
    for (const name of readdirSync(at, { encoding: "buffer" })) {
      const path = Buffer.concat([at, Buffer.from("/"), name]);
      const text = name.toString("utf8");
      const label = prefix + (Buffer.from(text).equals(name) ? text : `<${name.toString("hex")}>`);
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) found.push([label, `link → ${readlinkSync(path)}`]);
      else if (stat.isFile())
        found.push([label, `file ${mode} ${stat.size} ${createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16)}`]);
      else if (stat.isDirectory()) {
        found.push([`${label}/`, `folder ${mode}`]);
        walk(path, `${label}/`);
      } else found.push([label, `other ${mode}`]);
    }
  };
  walk(Buffer.from(folder), "");
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A digest of the names, bytes, modes and link targets of everything below a folder. */
export function hashTree(folder: string): string {
  return createHash("sha256")
    .update(JSON.stringify(listTree(folder)))
    .digest("hex");
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The test has made a folder unreadable.
    makeReadable(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makeReadable(path: string): void {
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory()) makeReadable(join(path, entry.name));
}
