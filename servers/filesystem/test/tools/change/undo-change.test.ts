// undo_change: from the reply of a deletion or an overwriting write back to the file, over the wire.
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { accept, connectTo, everyRevision, scriptUser, tempFolder } from "@oarlock/testing";
import type { CallToolResult } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { text } from "../../support/served-folder.ts";
import { targetOf } from "../../support/target.ts";

const idIn = (result: CallToolResult): string => /call undo_change with the id (\w+)\./.exec(text(result))![1]!;

everyRevision("restores deleted and overwritten files by undo_change with the id in the reply", async (revision) => {
  await using folder = tempFolder({ root: { f: "old", g: "old", h: "old", d: { x: "x" } }, state: {} });
  const target = await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state"), allowDelete: true });
  await using wired = await connectTo(target, { revision });
  const { client } = wired;
  const at = (name: string) => folder.at("root", name);
  const before = folder.tree();
  const acts: readonly (readonly [string, Record<string, unknown>])[] = [
    ["delete_file", { path: at("f") }],
    ["delete_file", { path: at("d"), recursive: true }],
    ["write_file", { path: at("g"), content: "new" }],
    ["edit_file", { path: at("g"), edits: [{ oldText: "old", newText: "new" }] }],
    ["copy_file", { source: at("f"), destination: at("g"), overwrite: true }],
  ];
  for (const [tool, args] of acts) {
    const done = await client.call(tool, args as never);
    expect(done.isError, text(done)).toBeUndefined();
    const id = idIn(done);
    if (revision >= "2025-06-18") expect(done.structuredContent).toMatchObject({ undo: id });
    const name = tool === "delete_file" ? args["path"] : at("g");
    expect(text(await client.call("undo_change", { list: true, path: name }))).toContain(`${id}: ${name} (`);
    expect(text(await client.call("undo_change", { list: true }))).toContain(`${id}: ${basename(String(name))} (`);
    const undone = await client.call("undo_change", { id });
    expect(text(undone)).toMatch(/^Successfully brought back /);
    if (tool !== "delete_file") expect(folder.read(`root/g`)).toBe("old");
  }
  expect(Object.keys(folder.tree()).filter((name) => name.startsWith("root"))).toEqual(
    Object.keys(before).filter((name) => name.startsWith("root")),
  );
  expect((await client.call("undo_change", { id: "none" })).isError).toBe(true);
});

test("says which change it took back", async () => {
  await using folder = tempFolder({ root: { f: "old" }, state: {} });
  await using wired = await connectTo(
    await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state"), allowDelete: true }),
  );
  await wired.client.call("write_file", { path: folder.at("root/f"), content: "new" });
  const [, time] = /overwritten (\S+)\.\d+Z/.exec(text(await wired.client.call("undo_change", { list: true }))) ?? [];
  expect(text(await wired.client.call("undo_change", {}))).toContain(`\nThis took back the change of ${time}Z.`);
  await wired.client.call("delete_file", { path: folder.at("root/f") });
  expect(text(await wired.client.call("undo_change", {}))).toMatch(/\nThis took back the deletion of \S+:\d\dZ\.$/);
});

test("takes back a conversion of many files in one call", async () => {
  await using folder = tempFolder({ root: { a: "1\r\n", b: "2\r\n" }, state: {} });
  await using wired = await connectTo(await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state") }));
  const converted = await wired.client.call("edit_file", { path: folder.at("root/a"), paths: [folder.at("root/b")], lineEnding: "lf" });
  expect([folder.read("root/a"), folder.read("root/b")]).toEqual(["1\n", "2\n"]);
  expect(text(await wired.client.call("undo_change", { id: idIn(converted) }))).toMatch(
    /^Successfully brought back 2 files\n[^]*\nThis took back the change of \S+Z\.$/,
  );
  expect([folder.read("root/a"), folder.read("root/b")]).toEqual(["1\r\n", "2\r\n"]);
});

test("states in move_file's confirmation and in the replies of copy_file, write_file and edit_file whether the old file is kept", async () => {
  await using folder = tempFolder({ root: { a: "new", b: "new", c: "new", f: "old" }, state: {}, file: "" });
  const kept = "Replace f by a? The server keeps what is there now for 14 days, and can bring it back.";
  const lost = "Replace f by a? What is there now is lost.";
  const notice = "This cannot be undone: what was there before could not be kept.";
  for (const [stateHome, question] of [
    ["state", kept],
    ["file", lost], // a folder cannot be created there
    [undefined, lost],
  ] as const) {
    for (const name of ["a", "b", "c"]) writeFileSync(folder.at("root", name), "new");
    writeFileSync(folder.at("root/f"), "old");
    const person = scriptUser([accept({ confirm: true })], ["form"]);
    const setup = { directories: [folder.at("root")], ...(stateHome !== undefined && { stateHome: folder.at(stateHome) }) };
    await using wired = await connectTo(await targetOf(setup), person.handlers);
    const replies = [
      await wired.client.call("move_file", { source: "a", destination: "f", overwrite: true }),
      await wired.client.call("copy_file", { source: "b", destination: "f", overwrite: true }),
      await wired.client.call("write_file", { path: "f", content: "newer" }),
      await wired.client.call("edit_file", { path: "f", edits: [{ oldText: "newer", newText: "newest" }] }),
    ];
    expect(person.requests).toEqual([expect.objectContaining({ message: question })]);
    for (const reply of replies) {
      const last = reply.content.at(-1);
      const end = last?.type === "text" && reply.content.length > 1 ? last.text : undefined;
      if (stateHome === "state") expect(end).toMatch(/^To undo this, call undo_change with the id \w+\.$/);
      else expect(end).toBe(stateHome === undefined ? undefined : notice);
    }
    const unchanged = await wired.client.call("edit_file", { path: "f", edits: [{ oldText: "newest", newText: "newest" }] });
    expect(unchanged.content).toHaveLength(1);
  }
});

test("states before a deletion whether it can be undone", async () => {
  for (const stateHome of [undefined, "state"]) {
    await using folder = tempFolder({ root: { f: "old" }, state: {} });
    const person = scriptUser([accept({ confirm: true })], ["form"]);
    const target = await targetOf({
      directories: [folder.at("root")],
      ...(stateHome !== undefined && { stateHome: folder.at(stateHome) }),
    });
    await using wired = await connectTo(target, person.handlers);
    const result = await wired.client.call("delete_file", { path: folder.at("root/f") });
    expect(result.isError).toBeUndefined();
    const way =
      stateHome === undefined ? /\? It cannot be brought back\.$/ : /\? The server keeps it for 14 days, and can bring it back\.$/;
    expect(person.requests).toEqual([expect.objectContaining({ message: expect.stringMatching(way) })]);
    expect(text(result).includes("undo_change")).toBe(stateHome !== undefined);
    const tools = await Array.fromAsync(wired.client.tools());
    expect(tools.some(({ name }) => name === "undo_change")).toBe(stateHome !== undefined);
    if (stateHome !== undefined) expect(readdirSync(folder.at("state/oarlock/filesystem/trash"))).toHaveLength(1);
  }
});

test("undoes by undo_change one change of a path at a time, and without a path the last one", async () => {
  await using folder = tempFolder({ root: { d: { f: "one" }, g: "old" }, state: {} });
  symlinkSync("g", folder.at("root/link"));
  const target = await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state"), allowDelete: true });
  await using wired = await connectTo(target, {});
  const call = async (tool: string, args: Record<string, unknown>) => {
    const done = await wired.client.call(tool, args as never);
    expect(done.isError, text(done)).toBeUndefined();
    return done;
  };
  const f = folder.at("root/d/f");
  await call("write_file", { path: f, content: "two" });
  await call("edit_file", { path: f, edits: [{ oldText: "two", newText: "three" }] });
  await call("write_file", { path: folder.at("root/link"), content: "new" });
  await call("undo_change", { path: f });
  expect(folder.read("root/d/f")).toBe("two");
  const back = await call("undo_change", { path: f });
  expect(folder.read("root/d/f")).toBe("one");
  expect(text(await wired.client.call("undo_change", { path: f }))).toMatch(/^No change of .*f can be taken back\./);
  await call("undo_change", { id: idIn(back) });
  expect(folder.read("root/d/f")).toBe("two");
  await call("undo_change", { path: folder.at("root/link") });
  expect(folder.read("root/g")).toBe("old");
  await call("delete_file", { path: folder.at("root/d"), recursive: true });
  await call("undo_change", {});
  expect(folder.read("root/d/f")).toBe("two");
  await call("delete_file", { path: f });
  await call("delete_file", { path: folder.at("root/d"), recursive: true });
  await call("undo_change", { path: f });
  expect(folder.read("root/d/f")).toBe("two");
  expect(text(await wired.client.call("undo_change", { path: "/etc/passwd" }))).toContain("denied");
});

test("restores a directory promised to the user after repeated silent overwriting of another file", async () => {
  await using folder = tempFolder({ root: { d: { x: "precious" }, f: "" }, state: {} });
  const person = scriptUser([accept({ confirm: true })], ["form"]);
  await using wired = await connectTo(await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state") }), person.handlers);
  const deleted = await wired.client.call("delete_file", { path: "d", recursive: true });
  const trash = folder.at("state/oarlock/filesystem/trash");
  for (let count = 0; count < 30; count += 1) await wired.client.call("write_file", { path: "f", content: `${count}` });
  await wired.client.call("undo_change", { list: true });
  expect(readdirSync(trash).length).toBeLessThan(15);
  expect((await wired.client.call("undo_change", { id: idIn(deleted) })).isError).toBeUndefined();
  expect(folder.read("root/d/x")).toBe("precious");
});
