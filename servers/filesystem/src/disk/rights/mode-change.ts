// Changes the mode bits of a file or directory, as chmod does. Set-id bits are never set, and those of a file are dropped.
import { chmodSync, lstatSync } from "node:fs";
import { clip, reportChange } from "@oarlock/domain-kit";
import type { Sandbox } from "../access/sandbox.ts";
import { DiskError, fromSystem } from "../errors.ts";

const PERMISSIONS = 0o777;
/** Of a directory: set-group-id and sticky, which mean something else there than for a file. */
const KEPT_FOR_DIRECTORIES = 0o3000;

export interface ModeChange {
  /** The real path. */
  readonly path: string;
  /** The permission bits. */
  readonly before: number;
  readonly after: number;
}

/** `mode`: three octal digits, or symbolic as for chmod. Links are followed. */
export function changeMode(sandbox: Sandbox, path: string, mode: string): ModeChange {
  const { path: real, stat } = sandbox.look(path);
  sandbox.mustBeWritable(real);
  const isDirectory = stat.isDirectory();
  using handle = isDirectory ? sandbox.folder(real) : sandbox.file(real);
  const old = Number(handle.stat.mode);
  const wanted = parseMode(mode, old & PERMISSIONS, isDirectory, process.umask());
  const bits = wanted | (isDirectory ? old & KEPT_FOR_DIRECTORIES : 0);
  reportChange([real]);
  try {
    if ("changeMode" in handle) handle.changeMode(bits);
    else chmodSync(handle.self, bits);
  } catch (error) {
    throw fromSystem(error, path);
  }
  const after = lstatSync(sandbox.look(real).path).mode & PERMISSIONS;
  if (after !== wanted)
    throw new DiskError("io", `Mode not kept: this file system gave ${octal(after)} instead of ${octal(wanted)}: ${clip(path)}`);
  return { path: real, before: old & PERMISSIONS, after };
}

export const octal = (mode: number): string => mode.toString(8).padStart(3, "0");

const WHO: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007, a: 0o777 };
const WHAT: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111 };

/** Pure. The permission bits that a text such as `755`, `+x` or `u=rw,go-w` makes of others. Throws for any other text. */
export function parseMode(text: string, current: number, isDirectory: boolean, umask: number): number {
  if (/^0?[0-7]{3}$/.test(text)) return Number.parseInt(text, 8);
  let mode = current;
  for (const clause of text.split(",")) {
    const [, who = "", operators = ""] = /^([ugoa]*)((?:[-+=][rwxX]*)+)$/.exec(clause) ?? [];
    if (operators === "") throw invalid(text);
    // Without letters the umask keeps its bits, as in chmod(1).
    const whose = who === "" ? PERMISSIONS & ~umask : union(who, (letter) => WHO[letter]);
    for (const [, operator, letters = ""] of operators.matchAll(/([-+=])([rwxX]*)/g)) {
      const isRunnable = isDirectory || (mode & 0o111) !== 0;
      const bits = union(letters, (letter) => (letter === "X" ? isRunnable && 0o111 : WHAT[letter])) & whose;
      if (operator === "+") mode |= bits;
      else if (operator === "-") mode &= ~bits;
      else mode = (mode & ~whose) | bits;
    }
  }
  return mode;
}

/** The bits of all letters. */
function union(letters: string, bitsOf: (letter: string) => number | false | undefined): number {
  let bits = 0;
  for (const letter of letters) bits |= bitsOf(letter) || 0;
  return bits;
}

const invalid = (text: string): DiskError =>
  new DiskError("invalid", `Invalid mode ${clip(text, 40)}: expected three octal digits such as 755, or letters such as +x or u=rw,go-w.`);
