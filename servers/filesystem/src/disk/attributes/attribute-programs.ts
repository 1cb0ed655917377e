// The programs of Linux that look at access control lists (ACLs) and extended attributes and copy them, which Node cannot do. They run by
// their absolute paths, without a shell or an environment; without any of them, the answer is undefined.
import type { Readable } from "node:stream";
import { existsSync } from "node:fs";

const FOLDERS = ["/usr/bin", "/bin", "/run/current-system/sw/bin"];
const DEADLINE_MS = 5_000;
const TREE_DEADLINE_MS = 60_000;

/** They keep each name on one line. Only GNU ls knows them: another one, which would show no ACL, fails. */
const LS_OPTIONS = ["--time-style=+%s", "--quoting-style=escape"];

export interface Found {
  /** An ACL of the file, or one that a new file in the directory inherits. Undefined where it cannot be known. */
  readonly acl: boolean | undefined;
  /** Other extended attributes of the file, as far as the program shows them. */
  readonly others: boolean;
}

export const NOTHING: Found = { acl: false, others: false };
export const UNKNOWN: Found = { acl: undefined, others: false };

/**
 * What each file has, in their order, and at the end whether new files in the directory inherit an ACL. All paths must lead through open
 * handles.
 */
export async function findAttributes(files: readonly string[], directory: string): Promise<readonly Found[]> {
  const paths = [...files, `${directory}/.`];
  // getfattr shows every attribute and is rarely installed. ls marks an ACL with a plus; its options fail where it is not that of GNU.
  const names = await run("getfattr", ["-h", "-m", String.raw`^(user\.|system\..*acl)`, "--absolute-names", "--", ...paths]);
  const found = names === undefined ? undefined : parseNames(names, paths);
  if (found !== undefined) return found;
  const listed = await run("ls", ["-dlnU", ...LS_OPTIONS, "--", ...paths]);
  return parseListing(listed ?? [], paths.length);
}

/** Pure. The output of getfattr: for each path that has attributes, a heading and their names. Undefined where a heading is none of the paths. */
export function parseNames(lines: readonly string[], paths: readonly string[]): Found[] | undefined {
  const found = new Map<string, Found>(paths.map((path) => [path, NOTHING]));
  const directory = paths.at(-1);
  let path = "";
  for (const line of lines) {
    if (line.startsWith("# file: ")) path = line.slice("# file: ".length);
    const before = found.get(path);
    if (before === undefined) return undefined; // a name that getfattr writes with escapes
    // Of what the directory has, new files inherit only its default ACL.
    if (path === directory ? line === "system.posix_acl_default" : line.startsWith("system.")) found.set(path, { ...before, acl: true });
    else if (path !== directory && line.startsWith("user.")) found.set(path, { ...before, others: true });
  }
  return [...found.values()];
}

/** Pure. The output of ls, a line for each path: a plus behind the mode stands for an ACL, which for a directory may also be its default one. */
export function parseListing(lines: readonly string[], count: number): Found[] {
  const isListing = lines.length === count && lines.every((line) => /^[-dlbcps][-rwxsStT]{9}[ .+]/.test(line));
  return isListing ? lines.map((line) => ({ acl: line[10] === "+", others: false })) : Array.from({ length: count }, () => UNKNOWN);
}

/** Gives a new file exactly the ACL, the mode and the extended attributes of another. Returns whether it has them. */
export async function copyAttributes(from: string, to: string): Promise<boolean> {
  return (await run("cp", ["--attributes-only", "--preserve=mode,xattr", "--", from, to])) !== undefined;
}

/** The inode numbers of what has an ACL in a tree, by one run for all of it. Undefined where they cannot be known. */
export async function findInTree(directory: string): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>();
  const look = (line: string): void => {
    const inode = inodeWithAcl(line);
    if (inode !== undefined) found.add(inode);
  };
  const args = ["-AilnRU", ...LS_OPTIONS, "--", `${directory}/.`];
  return (await runLines("ls", args, look, TREE_DEADLINE_MS)) ? found : undefined;
}

/** Pure. The inode number in a line of ls where the entry has an ACL. */
export function inodeWithAcl(line: string): string | undefined {
  return /^ *(\d+) [-dlbcps][-rwxsStT]{9}\+/.exec(line)?.[1];
}

/** The lines that the program prints. Undefined where it is missing, fails, or takes too long. */
async function run(program: string, args: readonly string[]): Promise<string[] | undefined> {
  const lines: string[] = [];
  return (await runLines(program, args, (line) => lines.push(line), DEADLINE_MS)) ? lines : undefined;
}

async function runLines(program: string, args: readonly string[], onLine: (line: string) => void, deadlineMs: number): Promise<boolean> {
  const path = FOLDERS.map((folder) => `${folder}/${program}`).find((candidate) => existsSync(candidate));
  if (path === undefined) return false;
  // Loaded on first use: 3 ms of a start that most sessions never need.
  const [{ spawn }, { createInterface }] = await Promise.all([import("node:child_process"), import("node:readline")]);
  try {
    const child = spawn(path, args, {
      env: { LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: deadlineMs,
      killSignal: "SIGKILL",
    });
    const succeeds = new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(false));
      child.once("close", (code) => resolve(code === 0));
    });
    // Where no descriptor is free there is no pipe, and "error" follows.
    const output: Readable | undefined = child.stdout;
    if (output !== undefined) createInterface({ input: output }).on("line", onLine);
    return await succeeds;
  } catch {
    return false; // the system starts no program now
  }
}
