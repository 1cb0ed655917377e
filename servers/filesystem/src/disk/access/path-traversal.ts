// Following a path by hand: name by name from a pinned root, each directory held before the next name is looked up in
// it, and links read and followed by ourselves. So nothing is ever reached but through real directories below a root,
// whatever another program renames, links or swaps meanwhile, the root itself included; and when the way ends, it is known
// whether it ended inside.
import { readlinkSync, realpathSync, type BigIntStats } from "node:fs";
import { DiskError } from "../errors.ts";
import type { Held, Holder } from "./linux-handle.ts";
import { isInside, lexical, nativePaths, restBelow } from "./path-syntax.ts";
import { isProc } from "./proc-device.ts";
import { holdWall, type Wall } from "./roots.ts";

/** A root, and the names to follow from there. */
export interface Way {
  readonly wall: Wall;
  readonly names: readonly string[];
}

export interface Found {
  readonly held: Held;
  /** The real path, without links. */
  readonly path: string;
}

/** The way ends. Only the area can say whether the caller may know where. */
export class WayEnds extends Error {
  /** The real path of the name that could not be passed; undefined when the way leads out. */
  readonly path: string | undefined;

  constructor(path: string | undefined, cause?: unknown) {
    super("the way ends", { cause });
    this.path = path;
  }
}

export interface Ground {
  readonly walls: readonly Wall[];
  readonly holder: Holder;
}

const MAX_LINKS = 40; // as Linux has it
const MAX_TRIES = 1000;

export function resolve(ground: Ground, start: Way): Found {
  let way = start;
  let links = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const next = follow(ground, way);
    if (next === undefined) continue;
    if ("held" in next) return next;
    links += 1;
    if (links > MAX_LINKS) throw new WayEnds(way.wall.real, Object.assign(new Error("loop"), { code: "ELOOP" }));
    way = next;
  }
  throw new DiskError("conflict", "A link on the way is being replaced all the time; try again.");
}

/** Up to the end, or to the first link: then the way on from there. Undefined when that link was replaced just now. */
function follow(ground: Ground, { wall, names }: Way): Found | Way | undefined {
  let here = holdWall(wall, ground.holder);
  let path = wall.real;
  const above: BigIntStats[] = [];
  let arrived = false;
  try {
    for (const [index, name] of names.entries()) {
      if (name === "" || name === ".") continue;
      const isUp = name === "..";
      if (isUp && above.length === 0) {
        if (path === "/") continue;
        return wayOf(ground, [parentOf(path), ...names.slice(index + 1)].join("/"));
      }
      const full = isUp ? parentOf(path) : below(path, name);
      const next = step(ground.holder, here, name, full);
      if (next.stat.isSymbolicLink()) {
        next.release();
        const target = targetOf(here, name);
        return target === undefined ? undefined : behind(ground, wall, path, target, names.slice(index + 1));
      }
      const before = here;
      here = next;
      before.release();
      // Links in there lead to whatever a process has open.
      if (isProc(next.stat.dev)) throw new WayEnds(undefined);
      if (isUp) mustBe(above.pop(), next.stat);
      else above.push(before.stat);
      path = full;
      if (!next.stat.isDirectory() && index < names.length - 1)
        throw new WayEnds(path, Object.assign(new Error("no directory"), { code: "ENOTDIR" }));
    }
    arrived = true;
    return { held: here, path };
  } finally {
    if (!arrived) here.release();
  }
}

function step(holder: Holder, from: Held, name: string, full: string): Held {
  try {
    return holder.step(from, name);
  } catch (error) {
    throw new WayEnds(full, error);
  }
}

// A directory that was moved has another one above it, which may lie outside.
function mustBe(known: BigIntStats | undefined, now: BigIntStats): void {
  if (known?.ino === now.ino && known.dev === now.dev) return;
  throw new DiskError("conflict", "A directory on the way was moved just now; try again.");
}

const below = (path: string, name: string) => (path.endsWith("/") ? path + name : `${path}/${name}`);
const parentOf = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/";

function targetOf(folder: Held, name: string): string | undefined {
  try {
    return readlinkSync(folder.at(name));
  } catch {
    return undefined;
  }
}

/** The way on after a link in the directory `path`. */
function behind(ground: Ground, wall: Wall, path: string, target: string, rest: readonly string[]): Way {
  if (nativePaths.path.isAbsolute(target)) {
    const next = wayOf(ground, target);
    return { wall: next.wall, names: [...next.names, ...rest] };
  }
  const names = namesOf(path.slice(wall.real.length));
  return { wall, names: [...names, ...namesOf(target), ...rest] };
}

/** The way to an absolute path: from the innermost root that it names. */
export function wayOf(ground: Ground, absolute: string): Way {
  return byText(ground, absolute) ?? byText(ground, realOf(absolute)) ?? leadsOut();
}

function byText(ground: Ground, absolute: string | undefined): Way | undefined {
  if (absolute === undefined) return undefined;
  let best: { wall: Wall; rest: string } | undefined;
  for (const wall of ground.walls) {
    const rest = restBelow(plain(absolute), plain(wall.real)) ?? restBelow(plain(absolute), plain(wall.given));
    if (rest !== undefined && (best === undefined || rest.length < best.rest.length)) best = { wall, rest };
  }
  return best && { wall: best.wall, names: namesOf(best.rest) };
}

// Only a hint where to begin: from there the way is gone by hand.
function realOf(absolute: string): string | undefined {
  if (isInside(lexical(absolute), "/proc")) return undefined;
  try {
    return realpathSync.native(absolute);
  } catch {
    return undefined;
  }
}

function leadsOut(): never {
  throw new WayEnds(undefined);
}

const plain = (text: string) => (nativePaths.windows ? text.replaceAll("\\", "/") : text);
const namesOf = (text: string) => plain(text).split("/");
