// What the server logs: its directories, changes, refused accesses, and events beside calls.
import { mkdirSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder, type TestConnection } from "@oarlock/testing";
import { expect, test } from "vitest";
import { targetOf, type Setup } from "./support/target.ts";

/** A client that wants entries from `info` on. */
async function connected(setup: Setup): Promise<{ wired: TestConnection; entries: string[] }> {
  const entries: string[] = [];
  const onLog = ({ level, data }: { level: string; data: unknown }) => entries.push(`${level}: ${String(data)}`);
  const wired = await connectTo(await targetOf(setup), { revision: "2025-11-25", onLog });
  await wired.client.setLevel("info");
  return { wired, entries };
}

test("logs the allowed directories once and each change, but no read or preview", async () => {
  await using folder = tempFolder({ root: { f: "old", g: "g" }, docs: {}, state: {} });
  const { wired, entries } = await connected({
    directories: [folder.at("root"), `${folder.at("docs")}:ro`],
    stateHome: folder.at("state"),
    allowDelete: true,
  });
  await using _ = wired;
  const { client } = wired;
  await client.call("read_text_file", { path: "f" });
  await client.call("edit_file", { path: "f", edits: [{ oldText: "old", newText: "new" }], dryRun: true });
  await client.call("edit_file", { path: "f", edits: [{ oldText: "old", newText: "new" }] });
  await client.call("create_directory", { path: "d" });
  await client.call("delete_file", { path: "g" });
  await client.call("delete_file", { path: "missing" });
  await client.call("undo_change", { list: true });
  await expect
    .poll(() => entries)
    .toEqual([
      `info: Allowed directories: ${folder.at("root")}, ${folder.at("docs")} (read-only)`,
      expect.stringMatching(/^info: edit_file: Edited .*\/root\/f \(kept in the trash: \w+\)$/),
      "info: create_directory: Successfully created directory d",
      expect.stringMatching(/^info: delete_file: Successfully deleted g \(kept in the trash: \w+\)$/),
    ]);
});

test("logs refused accesses by tools, prompts and resources, at most thirty in a minute", async () => {
  await using folder = tempFolder({ root: { f: "f" } });
  const { wired, entries } = await connected({ directories: [folder.at("root")] });
  await using _ = wired;
  const { client } = wired;
  const refused = "Access denied - path outside allowed directories: /etc/pass\\nwd";
  await client.call("read_text_file", { path: "/etc/pass\nwd" });
  await client.call("read_multiple_files", { paths: ["f", "/etc/pass\nwd"] });
  await client.prompt("explore_directory", { path: "/etc/pass\nwd" }).catch(() => undefined);
  await client.read("file:///etc/pass%0Awd").catch(() => undefined);
  await client.subscribe("file:///etc/pass%0Awd", () => undefined).catch(() => undefined);
  const sources = ["read_text_file", "read_multiple_files", "explore_directory", "resources/read", "resources/subscribe"];
  await expect
    .poll(() => entries.filter((entry) => entry.includes("Access denied")))
    .toEqual(sources.map((from) => `info: ${from}: ${refused}`));
  for (let at = 0; at < 40; at += 1) await client.call("read_text_file", { path: `/outside/${at}` });
  await expect.poll(() => entries.at(-1)).toBe("info: Further refusals are not logged for a minute.");
  expect(entries.filter((entry) => entry.includes("Access denied"))).toHaveLength(30);
});

test("logs permanent removals from the trash and an unusable trash", async () => {
  await using folder = tempFolder({ root: { f: "1" }, state: {}, file: "" });
  const trash = folder.at("state/oarlock/filesystem/trash");
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  // Names begin with the time: 1970.
  for (const name of ["000000000aaaaaa-1", "000000000bbbbbb-1"]) mkdirSync(`${trash}/${name}`);
  for (const [stateHome, entry] of [
    ["state", "info: Trash: removed the oldest 2 entries for good."],
    ["file", `warning: Trash ${folder.at("file/oarlock/filesystem/trash")} cannot be used, so nothing is kept for undo:`],
  ] as const) {
    const { wired, entries } = await connected({ directories: [folder.at("root")], stateHome: folder.at(stateHome) });
    await using _ = wired;
    await wired.client.call("write_file", { path: "f", content: "2" });
    await wired.client.call("write_file", { path: "f", content: "3" });
    await expect.poll(() => entries.filter((line) => line.startsWith(entry))).toHaveLength(1);
  }
});

test("logs a subscription over the limit", async () => {
  await using folder = tempFolder({ root: {} });
  const { wired, entries } = await connected({ directories: [folder.at("root")] });
  await using _ = wired;
  for (let at = 0; at < 257; at += 1) {
    writeFileSync(folder.at("root", `${at}`), "");
    await wired.client.subscribe(`file://${folder.at("root", `${at}`)}`, () => undefined).catch(() => undefined);
  }
  await expect.poll(() => entries.at(-1)).toBe("warning: Subscription refused: 256 are open, the most for this server.");
});
