// PATH-40: what reading huge files costs.
import { closeSync, ftruncateSync, openSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { refuses, world } from "../support/world.ts";

/** Far more than may be held. Its head comes from a line of 1 GiB in test/cases/path-large.timing.test.ts. */
const LONG_LINE = 256 * 1024 ** 2;

test("PATH-40 refuses a full read of huge files, and serves head and tail in flat memory", async () => {
  const { root, open } = world();
  const sandbox = await open();
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n");
  const fd = openSync(join(root, "huge"), "w");
  writeSync(fd, `${lines}\n`);
  ftruncateSync(fd, 10 * 1024 ** 3);
  writeSync(fd, `\n${lines}\n`, 10 * 1024 ** 3);
  closeSync(fd);
  const long = openSync(join(root, "long"), "w");
  ftruncateSync(long, LONG_LINE);
  writeSync(long, "\nsecond\n", LONG_LINE);
  closeSync(long);
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  try {
    await refuses("too-large", () => readText(sandbox, "huge"));
    expect((await readText(sandbox, "huge", { head: 10 })).content).toBe(lines.split("\n").slice(0, 10).join("\n"));
    expect((await readText(sandbox, "huge", { tail: 10 })).content).toBe(`${lines.split("\n").slice(10).join("\n")}\n`);
    expect(await readText(sandbox, "long", { head: 1 })).toMatchObject({ lineCut: true, truncated: true, nextOffset: 2 });
    expect((await readText(sandbox, "long", { tail: 1 })).content).toBe("second\n");
    expect((await readText(sandbox, "long", { offset: 2 })).content).toBe("second");
    peak = Math.max(peak, process.memoryUsage().rss);
    expect(peak - before).toBeLessThan(64 * 1024 ** 2);
  } finally {
    clearInterval(timer);
    truncateSync(join(root, "huge"));
  }
});
