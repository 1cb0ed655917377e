// Moves from one file system to another, which copy and then remove, while another program is at work in the source.
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { hasOtherDevice } from "../../support/other-device.ts";
import { refusal, world } from "../support/world.ts";

const LARGE = Buffer.alloc(16 * 1024 * 1024, "x");

/** A root on each of two file systems, and a move from the one to the other during which `act` is called once. */
async function across(fill: (root: string) => void) {
  const { root, open, elsewhere } = world();
  const other = elsewhere();
  fill(root);
  const sandbox = await open({ directories: [root, other].map((path) => ({ path, readOnly: false })) });
  const during = async (begun: RegExp, act: () => void, how: typeof move | typeof copy = move): Promise<unknown> => {
    const moved = how(sandbox, join(root, "s"), join(other, "t"), { recursive: true }).catch((error: unknown) => error);
    while (!readdirSync(other, { recursive: true }).some((name) => begun.test(String(name)))) await setImmediate();
    act();
    return moved;
  };
  return { root, other, sandbox, during };
}

const left = { code: "conflict", message: expect.stringMatching(/copied to the destination, but .* was not removed: /) };

test.runIf(hasOtherDevice)("keeps a file that replaces the source during the move", async () => {
  const { root, other, during } = await across((at) => writeFileSync(join(at, "s"), LARGE));
  const moved = await during(/tmp$/, () => {
    writeFileSync(join(root, "new"), "new");
    renameSync(join(root, "new"), join(root, "s"));
  });
  expect(moved).toMatchObject(left);
  expect(readFileSync(join(root, "s"), "utf8")).toBe("new");
  expect(statSync(join(other, "t")).size).toBe(LARGE.length);
});

test.runIf(hasOtherDevice).each([
  ["added to it", (s: string) => writeFileSync(join(s, "new"), "new"), "new"],
  ["added below it", (s: string) => writeFileSync(join(s, "A", "new"), "new"), "A/new"],
  ["put in the place of another", (s: string) => (writeFileSync(join(s, "z"), "new"), renameSync(join(s, "z"), join(s, "a"))), "a"],
  ["written to after it was copied", (s: string) => appendFileSync(join(s, "a"), "new"), "a"],
])("keeps an entry that is %s while a directory is moved", async (_, act, name) => {
  const { root, during } = await across((at) => {
    mkdirSync(join(at, "s", "A"), { recursive: true });
    writeFileSync(join(at, "s", "a"), "old");
    writeFileSync(join(at, "s", "b"), LARGE);
  });
  const s = join(root, "s");
  // The small file has been copied when the large one is under way.
  const moved = await during(/b$/, () => act(s));
  expect(moved).toMatchObject({ code: "conflict" });
  expect(readFileSync(join(s, name), "utf8")).toMatch(/new$/);
});

test.runIf(hasOtherDevice)("moves a directory with a file of two names", async () => {
  const { root, other, during } = await across((at) => {
    mkdirSync(join(at, "s"));
    writeFileSync(join(at, "s", "a"), "twin");
    linkSync(join(at, "s", "a"), join(at, "s", "b"));
  });
  expect(await during(/tmp$|^t$/, () => undefined)).toMatchObject({ from: join(root, "s"), to: join(other, "t") });
  expect(readdirSync(root)).toEqual([]);
  for (const name of ["a", "b"]) expect(readFileSync(join(other, "t", name), "utf8")).toBe("twin");
});

test.runIf(hasOtherDevice)("keeps a hole in a file when it copies and moves", async () => {
  const { root, open, elsewhere } = world();
  const other = elsewhere();
  const sandbox = await open({ directories: [root, other].map((path) => ({ path, readOnly: false })) });
  const path = join(root, "s");
  writeFileSync(path, "begin");
  truncateSync(path, 64 * 1024 * 1024);
  appendFileSync(path, "end");
  truncateSync(path, 80 * 1024 * 1024 + 7);
  const content = readFileSync(path);
  await copy(sandbox, path, join(root, "c"));
  await move(sandbox, path, join(other, "t"));
  for (const created of [join(root, "c"), join(other, "t")]) {
    expect(readFileSync(created).equals(content)).toBe(true);
    expect(statSync(created).blocks * 512).toBeLessThan(2 * 1024 * 1024);
  }
});

test.runIf(hasOtherDevice).each([move, copy])("reports entries that disappear during a move as changed: %o", async (how) => {
  const { root, other, during } = await across((at) => {
    mkdirSync(join(at, "s"));
    writeFileSync(join(at, "s", "b"), LARGE);
    writeFileSync(join(at, "s", "z"), "");
  });
  const done = await during(/b$/, () => rmSync(join(root, "s", "z")), how);
  expect(done).toMatchObject({ code: "conflict", message: "Directory changed while it was being copied: z. Try again." });
  expect(readdirSync(other)).toEqual([]);
  expect(readdirSync(join(root, "s"))).toEqual(["b"]);
});

test.runIf(hasOtherDevice)("refuses to move a directory with a name that is not UTF-8, and shows the name", async () => {
  const { root, other, sandbox } = await across((at) => {
    mkdirSync(join(at, "s"));
    writeFileSync(join(at, "s", "b"), "");
    writeFileSync(Buffer.concat([Buffer.from(join(at, "s/z")), Buffer.from([0xff])]), "");
  });
  const refused = await refusal(() => move(sandbox, join(root, "s"), join(other, "t")));
  expect(refused).toMatchObject({ code: "invalid", message: expect.stringContaining("not UTF-8: z") });
  expect(readdirSync(other)).toEqual([]);
  expect(readdirSync(join(root, "s"))).toHaveLength(2);
});
