// PATH-40: how much memory files cost that are too large.
import { appendFileSync, closeSync, ftruncateSync, openSync, truncateSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { startStress, type Stress } from "./stress.ts";

const MiB = 1024 * 1024;

/** Runs `work`, and tells how much more memory the server took at its peak. */
async function growth(stress: Stress, work: () => Promise<void>): Promise<number> {
  const before = stress.server.memory()?.peak ?? 0;
  await work();
  return (stress.server.memory()?.peak ?? 0) - before;
}

test("PATH-40 refuses whole reads and edits of 10 GiB, and serves head and tail in little memory", async () => {
  await using stress = await startStress({ huge: "first\nsecond\n" });
  const fd = openSync(stress.at("huge"), "r+");
  ftruncateSync(fd, 10 * 1024 * MiB);
  writeSync(fd, "\nlast but one\nlast\n", 10 * 1024 * MiB);
  closeSync(fd);
  const grown = await growth(stress, async () => {
    expect(await stress.reply("read_text_file", { path: "huge", head: 2 })).toMatchObject({ text: "first\nsecond", failed: false });
    expect((await stress.reply("read_text_file", { path: "huge", tail: 2 })).text.trimEnd()).toBe("last but one\nlast");
    for (const [name, args] of [
      ["read_text_file", {}],
      ["read_multiple_files", { paths: ["huge"] }],
      ["edit_file", { edits: [{ oldText: "first", newText: "x" }] }],
      ["edit_file", { edits: [{ oldText: "first", newText: "x" }], dryRun: true }],
    ] as const) {
      expect((await stress.reply(name, { path: "huge", ...args })).text, name).toMatch(/bytes/);
    }
    expect((await stress.reply("read_media_file", { path: "huge" })).text).toContain("resource_link");
    expect((await stress.reply("get_file_info", { path: "huge" })).text).toContain("size: 107374182");
    expect((await stress.request("resources/read", { uri: `file://${stress.at("huge")}` }))["error"]).toMatchObject({ code: -32602 });
  });
  expect(grown).toBeLessThan(64 * MiB);
  await stress.checkRules();
});

test("PATH-40 serves the head of a line of 1 GiB and marks the cut", async () => {
  await using stress = await startStress({ line: "" });
  truncateSync(stress.at("line"), 1024 * MiB);
  appendFileSync(stress.at("line"), "\nend\n");
  const letters = await startStress({ line: "x".repeat(20 * MiB) });
  await using _ = letters;
  const grown = await growth(letters, async () => {
    const { text, failed } = await letters.reply("read_text_file", { path: "line", head: 1 });
    expect(failed).toBe(false);
    expect(text.length).toBeLessThan(2 * MiB);
    expect(text.slice(-200)).toMatch(/truncated|cut/);
  });
  expect(grown).toBeLessThan(64 * MiB);
  const nul = await growth(stress, async () => {
    // A gigabyte of NUL is not text; the refusal is quick and short.
    const { text } = await stress.reply("read_text_file", { path: "line", head: 1 });
    expect(text.length).toBeLessThan(2 * MiB);
    expect((await stress.reply("read_text_file", { path: "line", tail: 1 })).text.trimEnd()).toBe("end");
  });
  expect(nul).toBeLessThan(64 * MiB);
  await letters.checkRules();
  await stress.checkRules();
});
