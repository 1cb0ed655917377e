// Writing in place, where the system refuses the rename.
import { linkSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAt } from "../../../src/disk/access/entry-stat.ts";
import { AttributeTakeover } from "../../../src/disk/attributes/attribute-takeover.ts";
import { parseMountPoints } from "../../../src/disk/rights/mount-point.ts";
import { replace } from "../../../src/disk/write/atomic-replace.ts";
import { bytesFill } from "../../../src/disk/write/file-bytes.ts";
import type { Fill, Replacement } from "../../../src/disk/write/replacement.ts";
import { linuxCalls } from "../support/platform-calls.ts";
import { refusal, world } from "../support/world.ts";

const busy = {
  ...linuxCalls,
  rename: () => {
    throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
  },
};

async function setting() {
  const { root, open } = world();
  const sandbox = await open();
  const path = join(root, "f");
  writeFileSync(path, "old content");
  const put = async (fill: Fill, how: Partial<Replacement> = {}): Promise<string | undefined> => {
    using entry = sandbox.entry("f");
    const old = lookAt(entry)!;
    const attributes = new AttributeTakeover(entry, old);
    const lock = { temp: ".oarlock-0123456789abcdef0123456789abcdef.tmp" };
    await replace(entry, lock, fill, { old, attributes, mayWriteInPlace: true, calls: busy, ...how }, () => undefined);
    return attributes.loss;
  };
  return { root, path, put, text: () => readFileSync(path, "utf8") };
}

const fill = bytesFill(Buffer.from("new"));

test("keeps the file itself and reports that the write was not atomic", async () => {
  const { root, path, put, text } = await setting();
  const { ino } = lstatSync(path);
  expect(await put(fill)).toMatch(/^The file was written in place, which is not atomic/);
  expect([text(), lstatSync(path).ino, readdirSync(root)]).toEqual(["new", ino, ["f"]]);
});

test("is not used where it was not allowed", async () => {
  const { put, text } = await setting();
  expect((await refusal(() => put(fill, { mayWriteInPlace: false }))).message).toMatch(/^In use by the system \(EBUSY\)/);
  expect(text()).toBe("old content");
});

test("writes the old content back when the new one cannot be written", async () => {
  const { put, text } = await setting();
  let calls = 0;
  const failing: Fill = async (fd) => {
    await fill(fd);
    if ((calls += 1) > 1) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    return 3;
  };
  expect((await refusal(() => put(failing))).message).toMatch(/^No space left on the disk/);
  expect(text()).toBe("old content");
});

test("leaves a file alone that has other names", async () => {
  const { root, put, text } = await setting();
  linkSync(join(root, "f"), join(root, "g"));
  expect((await refusal(() => put(fill))).message).toContain("other names (hard links)");
  expect(text()).toBe("old content");
});

test("leaves a file alone that another program has changed", async () => {
  const { path, put, text } = await setting();
  const stale = lstatSync(path, { bigint: true });
  writeFileSync(path, "theirs");
  expect((await refusal(() => put(fill, { old: stale, mustBeOld: true }))).code).toBe("conflict");
  expect(text()).toBe("theirs");
});

test("finds mount points with blanks in their names", () => {
  const table = "36 35 98:0 / /mnt rw - ext4 /dev/root rw\n37 35 0:5 /a /home/my\\040dir rw shared:1 - tmpfs tmpfs rw\n";
  expect(parseMountPoints(table)).toEqual(["/mnt", "/home/my dir"]);
});
