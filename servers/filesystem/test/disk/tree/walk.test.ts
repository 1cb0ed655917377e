import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { folderTree, treeText } from "../../../src/disk/tree/directory-tree.ts";
import { searchFiles } from "../../../src/disk/search/names/name-search.ts";
import { MAX_DEPTH, STOP } from "../../../src/disk/tree/visitor.ts";
import { walk } from "../../../src/disk/tree/walk.ts";
import { TREE_ENTRIES } from "../../../src/disk/text/reply-size.ts";
import { openHandles } from "../../support/open-handles.ts";
import { scratch } from "../support/scratch.ts";

/** `folders` folders of `files` empty files each. */
function fill(root: string, folders: number, files: number): void {
  for (let i = 0; i < folders; i++) {
    mkdirSync(`${root}/d${i}`);
    for (let j = 0; j < files; j++) writeFileSync(`${root}/d${i}/f${j}`, "");
  }
}

async function names(order: "deep" | "wide", files: Record<string, string>): Promise<string[]> {
  const place = scratch(files);
  const sandbox = await place.sandbox();
  using start = sandbox.folder(place.root);
  const seen: string[] = [];
  await walk(
    sandbox,
    start,
    "",
    {
      entry(entry, at: string) {
        seen.push(at + entry.name);
        return entry.isDirectory() ? `${at}${entry.name}/` : undefined;
      },
    },
    { order },
  );
  return seen;
}

const files = { "a/1": "", "a/b/2": "", "c/3": "", d: "" };

test("walks deep with the entries of a folder right after it", async () => {
  expect(await names("deep", files)).toEqual(["a", "a/1", "a/b", "a/b/2", "c", "c/3", "d"]);
});

test("walks wide level by level", async () => {
  expect(await names("wide", files)).toEqual(["a", "c", "d", "a/1", "a/b", "c/3", "a/b/2"]);
});

test.each(["deep", "wide"] as const)("walks %s through more folders than open handles, and closes all handles", async (order) => {
  const place = scratch();
  fill(place.root, 250, 0);
  for (let i = 0; i < 250; i++) mkdirSync(`${place.root}/d${i}/e/g`, { recursive: true });
  const sandbox = await place.sandbox();
  const open = () => readdirSync("/proc/self/fd").length;
  const [before, idle] = [openHandles(place.root), open()];
  let most = 0;
  {
    using start = sandbox.folder(place.root);
    const walked = await walk(
      sandbox,
      start,
      0,
      {
        entry(entry, depth: number) {
          most = Math.max(most, depth === 2 ? open() : 0);
          return entry.isDirectory() ? depth + 1 : undefined;
        },
      },
      { order },
    );
    expect(walked).toMatchObject({ seen: 750, folders: 751, unreadable: 0, ended: undefined });
  }
  expect(openHandles(place.root)).toEqual(before);
  expect(most).toBeLessThan(idle + 200);
});

test.each(["deep", "wide"] as const)("closes handles of a walk that goes %s after a stop, a limit and an abort", async (order) => {
  const place = scratch();
  fill(place.root, 30, 10);
  const sandbox = await place.sandbox();
  const before = openHandles(place.root);
  const enter = (entry: { isDirectory(): boolean }, depth: number) => (entry.isDirectory() ? depth + 1 : undefined);
  const go = async (visit: Parameters<typeof walk<number>>[3]["entry"], options: { maxEntries?: number; signal?: AbortSignal }) => {
    using start = sandbox.folder(place.root);
    return await walk(sandbox, start, 0, { entry: visit }, { order, ...options });
  };
  let seen = 0;
  expect(await go((entry, depth) => (++seen > 100 ? STOP : enter(entry, depth)), {})).toMatchObject({ ended: "visitor" });
  expect(await go(enter, { maxEntries: 100 })).toMatchObject({ ended: "entries", seen: 100 });
  await expect(go(enter, { signal: AbortSignal.abort(new Error("no more")) })).rejects.toThrow("no more");
  await expect(
    go(() => {
      throw new Error("visitor");
    }, {}),
  ).rejects.toThrow("visitor");
  expect(openHandles(place.root)).toEqual(before);
});

describe("a long walk", () => {
  /** More than a tree shows. */
  const [FOLDERS, FILES] = [100, 60];
  const ENTRIES = FOLDERS * (FILES + 1);
  // One folder for all: making so many files takes longer than everything that is done with them.
  let root: string;
  let sandbox: Sandbox;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "oarlock-long-")));
    fill(root, FOLDERS, FILES);
    sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }] })).sandbox();
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("yields to other work and reports progress", async () => {
    const received: number[] = [];
    let others = 0;
    setImmediate(() => others++);
    const result = await searchFiles(sandbox, root, { pattern: "**/*1*", limit: ENTRIES, progress: (seen) => received.push(seen) });
    expect(others).toBe(1);
    expect(result.walked.seen).toBe(ENTRIES);
    expect(received[0]).toBeGreaterThan(0);
    expect(received.at(-1)).toBeLessThanOrEqual(ENTRIES);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  test("pauses at least once in ten milliseconds", async () => {
    // A clock of its own: each look at it takes a millisecond, however fast the machine is.
    let [clock, rounds] = [0, 0];
    const now = vi.spyOn(performance, "now").mockImplementation(() => clock++);
    const count = () => {
      rounds++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    try {
      await searchFiles(sandbox, root, { pattern: "**/*1*", limit: ENTRIES });
    } finally {
      clearImmediate(next);
      now.mockRestore();
    }
    expect(clock).toBeGreaterThan(4 * FOLDERS);
    expect(rounds).toBeGreaterThan(clock / 10 - 1);
  });

  test("stops on a signal", async () => {
    const stop = new AbortController();
    const stopped = searchFiles(sandbox, root, { pattern: "**", signal: stop.signal, limit: ENTRIES, progress: () => stop.abort() });
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
  });

  test("finds one file in each folder", async () => {
    const { paths } = await searchFiles(sandbox, root, { pattern: "**/f57" });
    expect(paths).toHaveLength(FOLDERS);
  });

  test("cuts a tree at the entry limit, with its upper level complete", async () => {
    const tree = await folderTree(sandbox, root);
    expect(tree).toMatchObject({ entries: TREE_ENTRIES, truncated: true });
    expect(tree.nodes).toHaveLength(FOLDERS);
    expect(tree.nodes.filter((node) => node.truncated)).toHaveLength(tree.omitted.directories);
    expect(treeText(tree).length).toBeLessThan(1_000_000);
  });
});

describe("depth of a walk", () => {
  test("ends at the stated level without a crash", async () => {
    const place = scratch();
    const levels = MAX_DEPTH + 50;
    mkdirSync(place.at(Array.from({ length: levels }, () => "d").join("/")), { recursive: true });
    const sandbox = await place.sandbox();
    const result = await searchFiles(sandbox, place.root, { pattern: "**", limit: 1000 });
    expect(result.paths).toHaveLength(MAX_DEPTH + 1);
    expect(result.walked.unreadable).toBe(1);
    const tree = await folderTree(sandbox, place.root);
    expect(tree).toMatchObject({ entries: MAX_DEPTH + 1, truncated: true, omitted: { directories: 1 } });
  });
});

describe("PATH-43 a folder that is swapped for a link during a walk", () => {
  test.each(["deep", "wide"] as const)("reveals nothing outside in a walk that goes %s", async (order) => {
    const place = scratch({ "d/in": "", "keep/d2/in": "" });
    const sandbox = await place.sandbox();
    const stop = new AbortController();
    const exchange = (async () => {
      while (!stop.signal.aborted) {
        renameSync(place.at("keep"), place.at("was"));
        symlinkSync(place.out, place.at("keep"));
        await new Promise((resolve) => setImmediate(resolve));
        rmSync(place.at("keep"));
        renameSync(place.at("was"), place.at("keep"));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let i = 0; i < 300; i++) {
      using start = sandbox.folder(place.root);
      await walk(
        sandbox,
        start,
        0,
        {
          entry(entry, depth: number) {
            expect(entry.name).not.toBe("secret.txt");
            return entry.isDirectory() ? depth + 1 : undefined;
          },
        },
        { order },
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    stop.abort();
    await exchange;
  });
});
