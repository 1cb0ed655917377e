/**
 * Paths made of names, dots, links, odd characters and other spellings, judged by an oracle that shares no code with the
 * server: the system's own realpath, and a plain rule for text.
 */
import { linkSync, mkdirSync, readlinkSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { DiskError } from "../../../src/disk/errors.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { world, type World } from "../support/world.ts";

/** What the oracle says: served, refused, or either (the way leads out and in again). */
type Verdict = "served" | "refused" | "either";

const FILES = ["plain.txt", "a/one", "a/b/two", "a/b/c/three", "~", "a/é", "a/e\u0301", "...", "a/..x", "a/%2e%2e", "a\\b", "a/ ", "a/-"];
/** Name and target; ROOT and OUT stand for the directories. */
const LINKS: readonly (readonly [string, string])[] = [
  ["lf", "a/b/two"],
  ["ld", "a/b"],
  ["la", "ROOT/a"],
  ["a/up", ".."],
  ["a/b/top", "../.."],
  ["around", "../ROOT/a"],
  ["of", "OUT/secret.txt"],
  ["od", "OUT"],
  ["or", "../OUT"],
  ["a/ob", "../../OUT/sub"],
  ["chain", "a/ob"],
  ["above", "../.."],
  ["slash", "/"],
  ["proc", "/proc/self/cwd"],
  ["sibling", "../ROOT-sibling"],
  ["loop", "loop"],
  ["ping", "a/pong"],
  ["a/pong", "../ping"],
  ["dangling", "OUT/none"],
];

/** The tree of names; every file holds where it lies. */
function build({ root, out, base, canary }: World): void {
  for (const name of FILES) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `inside ${name}`);
  }
  for (const [name, target] of LINKS) symlinkSync(target.replace(/^ROOT(?=\/)/, root).replace(/^OUT/, out), join(root, name));
  linkSync(join(root, "a/one"), join(root, "a/hard"));
  mkdirSync(`${root}-sibling`);
  writeFileSync(`${root}-sibling/secret.txt`, canary);
  symlinkSync(root, join(base, "LINK"));
}

/** Numbers in [0, below), the same for the same seed (mulberry32). */
function dice(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

function pathMaker({ base, root, out }: World, roll: (below: number) => number): () => string {
  const known = [...FILES, ...LINKS.map(([name]) => name)].flatMap((name) => [name, ...name.split("/")]);
  const odd = [
    "..",
    "..",
    "..",
    ".",
    "",
    "ROOT",
    "OUT",
    "ROOT-sibling",
    "LINK",
    "secret.txt",
    "sub",
    "deep.txt",
    "none",
    "..\\",
    "..;",
    "%2e%2e",
  ];
  const names = [...known, ...known, ...odd, "\0", "~root", "$HOME", "．．", "\ud800", "x".repeat(300), "plain.txt.", "PLAIN.TXT"];
  const starts = [
    "",
    "",
    "",
    `${root}/`,
    `${root}/`,
    `${base}/LINK/`,
    `${base}/`,
    `${out}/`,
    "/",
    "//",
    "./",
    "../",
    "~/",
    `/${root}//`,
    `${root}-`,
    "file://",
    "C:\\",
  ];
  const around = [`/proc/self/root${root}/`, "/proc/self/cwd/", `${root}/../ROOT/`, `${root}/od/../ROOT/`, `${base}/LINK/../ROOT/`];
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const broken = (text: string): string => {
    const at = roll(text.length + 1);
    return roll(2) === 0
      ? text.slice(0, at) + text.slice(at + 1)
      : text.slice(0, at) + pick(["/", ".", "\\", "\0", " ", "\u202e"]) + text.slice(at);
  };
  // Ways that mostly come back to ROOT, so that what follows is met; some come back from outside, or not at all.
  const detours = ["./", "//", "a/../", "a/b/../../", "a/up/", "la/../", "a/b/top/", "ld/../../", "around/../", "a/b/c/../../up/"];
  const traps = ["od/../ROOT/", "or/../ROOT/", "../ROOT/", "chain/../../ROOT/", "loop/", "above/", "sibling/../ROOT/", "od/", "a/ob/"];
  const below = ["la/one", "ld/two", "around/b/c/three", "a/hard", "la/hard", "a/up/lf", "od/secret.txt", "chain/deep.txt", "a/b/top/of"];
  const winding = (): string => {
    const ways = Array.from({ length: roll(4) }, () => pick(roll(5) === 0 ? traps : detours));
    return pick(["", "", `${root}/`, `${base}/LINK/`]) + ways.join("") + pick([...FILES, ...LINKS.map(([name]) => name), ...below]);
  };
  const wild = (): string => {
    const parts = Array.from({ length: 1 + roll(6) }, () => pick(names));
    return pick(roll(8) === 0 ? around : starts) + parts.join("/") + pick(["", "", "", "", "/", "/.", "/.."]);
  };
  return () => {
    const text = roll(2) === 0 ? winding() : wild();
    return roll(6) === 0 ? broken(text) : text;
  };
}

/** Where a text leads if no name in it is a link. */
function byText(absolute: string): string {
  const kept: string[] = [];
  for (const name of absolute.split("/")) {
    if (name === "..") kept.pop();
    else if (name !== "" && name !== ".") kept.push(name);
  }
  return `/${kept.join("/")}`;
}

const lies = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function judge({ root, base }: World, path: string): { verdict: Verdict; real: string | undefined } {
  const isText =
    path !== "" && !path.includes("\0") && path.isWellFormed() && Buffer.byteLength(path) < 4096 && !/^[a-z]:(?:[\\/]|$)/i.test(path);
  if (!isText) return { verdict: "refused", real: undefined };
  const absolute = path.startsWith("/") ? path : `${root}/${path}`;
  const text = byText(absolute);
  const real = realOf(absolute);
  if (real === undefined || !lies(real, root) || !statSync(real).isFile() || !(lies(text, root) || lies(text, `${base}/LINK`))) {
    return { verdict: "refused", real };
  }
  // The system goes through every beginning of the path; those above the root are its own way there.
  const names = absolute.split("/");
  const begins = names.map((_, at) => realOf(names.slice(0, at + 1).join("/") || "/") ?? "");
  const entered = begins.findIndex((begin) => lies(begin, root));
  return { verdict: begins.slice(entered).every((begin) => lies(begin, root)) ? "served" : "either", real };
}

/** The text of the file, or undefined for a clear refusal. */
async function served(sandbox: Sandbox, path: string): Promise<string | undefined> {
  try {
    return (await readText(sandbox, path)).content;
  } catch (error) {
    if (error instanceof DiskError && !error.message.includes("canary-")) return undefined;
    throw error;
  }
}

/** Real paths of the directories in which this path would be listed, or a new name be made. */
function folders(sandbox: Sandbox, path: string): string[] {
  const found: string[] = [];
  for (const open of [() => sandbox.folder(path), () => sandbox.entry(path)]) {
    try {
      using handle = open();
      const folder = "parent" in handle ? handle.parent : handle;
      found.push(process.platform === "linux" ? readlinkSync(folder.self) : folder.path);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }
  return found;
}

/** Tries `count` paths. Throws where the server and the system disagree. */
export async function tryPaths(count: number, seed: number): Promise<void> {
  const here = world();
  build(here);
  const sandbox = await here.open({ directories: [{ path: join(here.base, "LINK"), readOnly: false }] });
  const next = pathMaker(here, dice(seed));
  const tally: Record<Verdict | "folders", number> = { served: 0, refused: 0, either: 0, folders: 0 };
  for (let at = 0; at < count; at += 1) {
    const path = next();
    const { verdict, real } = judge(here, path);
    const content = await served(sandbox, path);
    const what = `${JSON.stringify(path)} (seed ${seed}, path ${at}) is to be ${verdict}`;
    if (content === undefined) expect(verdict, what).not.toBe("served");
    else {
      expect(verdict, what).not.toBe("refused");
      // Both names of the hard link are the one file.
      expect(content, what).toBe(`inside ${real!.slice(here.root.length + 1).replace("a/hard", "a/one")}`);
    }
    const opened = folders(sandbox, path);
    expect(
      opened.filter((folder) => !lies(folder, here.root)),
      what,
    ).toEqual([]);
    tally[verdict] += 1;
    tally.folders += opened.length;
  }
  // Each kind was met, so that nothing passes by being refused.
  for (const [kind, times] of Object.entries(tally)) expect(times, kind).toBeGreaterThan(kind === "either" ? count / 500 : count / 20);
}
