// Path traversal: follows a path name by name from a pinned root. Each directory is open before the next name is looked up in
// it, and links are read and followed here instead of by the system. So a path is reached only through real directories below a root,
// whatever another program renames, links or swaps meanwhile; and where the traversal ends, it is known whether that place is inside.
import { readlinkSync, realpathSync, statSync, type BigIntStats } from "node:fs";
import type { HandleProvider, RawHandle } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import type { NameOptions } from "./sandbox.ts";
import { isInside, joinPath, lexical, nativePaths, restBelow } from "./path-syntax.ts";
import { isProc } from "./handles/proc-device.ts";
import { isPinned, openPinnedRoot, type PinnedRoot } from "./roots.ts";
import { storedName } from "./stored-name.ts";

/** A root, and the names to follow from there. */
export interface Route {
  readonly root: PinnedRoot;
  readonly names: readonly string[];
}

export interface Resolved {
  readonly handle: RawHandle;
  /** The real path, without links; in stored names on request. */
  readonly path: string;
}

/** The traversal cannot continue. Only the sandbox knows whether the caller may learn where it ended. */
export class TraversalEnd extends Error {
  /** The real path of the name that could not be passed; undefined when the path leads out. */
  readonly path: string | undefined;

  constructor(path: string | undefined, cause?: unknown) {
    super("path traversal ended", { cause });
    this.path = path;
  }
}

export interface Boundary {
  readonly pinnedRoots: readonly PinnedRoot[];
  readonly handles: HandleProvider;
}

const { dirname } = nativePaths.path;
const MAX_LINKS = 40; // as Linux has it
const MAX_TRIES = 1000;

export function resolveRoute(boundary: Boundary, start: Route, options: NameOptions = {}): Resolved {
  let route = start;
  let links = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const next = followRoute(boundary, route, options);
    if (next === undefined) continue;
    if ("handle" in next) return next;
    links += 1;
    if (links > MAX_LINKS) throw new TraversalEnd(route.root.real, Object.assign(new Error("loop"), { code: "ELOOP" }));
    route = next;
  }
  throw new DiskError("conflict", "Path changed: a link in it is being replaced repeatedly. Try again.");
}

/** Follows a route to its end, or to the first link: then it returns the route behind the link. Undefined when the link was just replaced. */
function followRoute(boundary: Boundary, { root, names }: Route, options: NameOptions): Resolved | Route | undefined {
  let here = openPinnedRoot(root, boundary.handles);
  let path = root.real;
  const above: BigIntStats[] = [];
  let arrived = false;
  try {
    for (const [index, name] of names.entries()) {
      if (name === "" || name === ".") continue;
      const isUp = name === "..";
      if (isUp && above.length === 0) {
        const parent = dirname(path);
        if (parent === path) continue;
        return routeOf(boundary, joinPath(parent, names.slice(index + 1).join("/")));
      }
      const next = openStep(boundary.handles, here, name, isUp ? dirname(path) : joinPath(path, name));
      if (next.stat.isSymbolicLink()) {
        next.release();
        const target = targetOf(here, name);
        return target === undefined ? undefined : routeBehindLink(boundary, root, path, target, names.slice(index + 1));
      }
      const stored = options.inStoredNames === true && !isUp ? storedName(here, name, next.stat) : name;
      if (stored === undefined) {
        next.release();
        throw new TraversalEnd(undefined);
      }
      const before = here;
      here = next;
      before.release();
      // Links in /proc lead to whatever a process has open.
      if (isProc(next.stat.dev)) throw new TraversalEnd(undefined);
      if (isUp) checkSameDirectory(above.pop(), next.stat);
      else above.push(before.stat);
      path = isUp ? dirname(path) : joinPath(path, stored);
      if (!next.stat.isDirectory() && index < names.length - 1)
        throw new TraversalEnd(path, Object.assign(new Error("no directory"), { code: "ENOTDIR" }));
    }
    arrived = true;
    return { handle: here, path };
  } finally {
    if (!arrived) here.release();
  }
}

function openStep(handles: HandleProvider, from: RawHandle, name: string, full: string): RawHandle {
  try {
    return handles.step(from, name);
  } catch (error) {
    throw new TraversalEnd(full, error);
  }
}

// After a move a directory has another parent, which may lie outside.
function checkSameDirectory(known: BigIntStats | undefined, now: BigIntStats): void {
  if (known?.ino === now.ino && known.dev === now.dev) return;
  throw new DiskError("conflict", "Path changed: a directory in it was just moved. Try again.");
}

function targetOf(folder: RawHandle, name: string): string | undefined {
  try {
    return readlinkSync(folder.at(name));
  } catch {
    return undefined;
  }
}

/** The route behind a link in the directory `path`. */
function routeBehindLink(boundary: Boundary, root: PinnedRoot, path: string, target: string, rest: readonly string[]): Route {
  if (nativePaths.path.isAbsolute(target)) {
    const next = routeOf(boundary, target);
    return { root: next.root, names: [...next.names, ...rest] };
  }
  const names = splitNames(path.slice(root.real.length));
  return { root, names: [...names, ...splitNames(target), ...rest] };
}

/** The route to an absolute path, from the innermost root that contains it. */
export function routeOf(boundary: Boundary, absolute: string): Route {
  return (
    routeByText(boundary, absolute) ?? routeByText(boundary, realPathHint(absolute)) ?? routeByObject(boundary, absolute) ?? throwOutside()
  );
}

function routeByText(boundary: Boundary, absolute: string | undefined): Route | undefined {
  if (absolute === undefined) return undefined;
  let best: { root: PinnedRoot; rest: string } | undefined;
  for (const root of boundary.pinnedRoots) {
    const rest = restBelow(plain(absolute), plain(root.real)) ?? restBelow(plain(absolute), plain(root.given));
    if (rest !== undefined && (best === undefined || rest.length < best.rest.length)) best = { root, rest };
  }
  return best && { root: best.root, names: splitNames(best.rest) };
}

// Only a hint about the root: the traversal itself goes name by name.
function realPathHint(absolute: string): string | undefined {
  if (isInside(lexical(absolute), "/proc")) return undefined;
  try {
    return realpathSync.native(absolute);
  } catch {
    return undefined;
  }
}

/** The route from the innermost root among the directories of a path: it may be spelled otherwise, and what is below it be missing. */
function routeByObject(boundary: Boundary, absolute: string): Route | undefined {
  if (isInside(lexical(absolute), "/proc")) return undefined;
  const { root: top } = nativePaths.path.parse(absolute);
  const names = splitNames(absolute.slice(top.length));
  for (let count = names.length; count > 0; count -= 1) {
    const stat = statOf(top + names.slice(0, count).join(nativePaths.path.sep));
    const root = stat && boundary.pinnedRoots.find((one) => isPinned(one, stat));
    if (root !== undefined) return { root, names: names.slice(count) };
  }
  return undefined;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function throwOutside(): never {
  throw new TraversalEnd(undefined);
}

const plain = (text: string) => (nativePaths.windows ? text.replaceAll("\\", "/") : text);
const splitNames = (text: string) => plain(text).split("/");
