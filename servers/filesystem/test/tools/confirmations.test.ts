// Acts that ask their user first: an overwriting move, and a write over a file that has changed since it was read.
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import {
  accept,
  cancel,
  connectTo,
  decline,
  scriptUser,
  tempFolder,
  TESTED_REVISIONS,
  type ScriptedReply,
  type TempFolder,
  type TestConnection,
} from "@oarlock/testing";
import { findRevision, type CallToolResult } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

const withElicitation = TESTED_REVISIONS.filter((revision) => findRevision(revision)!.facts.elicit);

const move = (wired: TestConnection, folder: TempFolder): Promise<CallToolResult> =>
  wired.client.call("move_file", { source: folder.at("a"), destination: folder.at("b"), overwrite: true });

/** The yes, and everything that is none. */
const NO: readonly (readonly [string, ScriptedReply])[] = [
  ["no", accept({ confirm: false })],
  ["a form sent off as it was", accept({})],
  ["decline", decline],
  ["cancel", cancel],
];

/** What is refused whatever the user would say. */
const IMPOSSIBLE: readonly (readonly [tool: string, source: string, destination: string, replyText: string, recursive?: boolean])[] = [
  ["move_file", "none", "b", "No such file or directory"],
  ["copy_file", "none", "b", "No such file or directory"],
  ["move_file", "b", "b", "Destination is the source itself"],
  ["copy_file", "b", "b", "Destination is the source itself"],
  ["move_file", "d", "b", "Destination already exists"],
  ["copy_file", "d", "b", "Destination already exists", true],
  ["copy_file", "d", "b", "Pass recursive: true"],
  ["move_file", "a", "d", "Destination already exists"],
  ["move_file", "d", "full", "a directory that is not empty"],
  ["copy_file", "a", "d", "Destination already exists"],
  ["move_file", "ro/f", "b", "read-only"],
  ["copy_file", "a", "ro/f", "read-only"],
];

describe.each(withElicitation)("— %s", (revision) => {
  const connected = async (folder: TempFolder, lines: readonly ScriptedReply[]) => {
    const person = scriptUser(lines, ["form"]);
    return { person, wired: await connectTo(await targetOf({ directories: [folder.path] }), { ...person.handlers, revision }) };
  };

  test("ELIC-08 asks one boolean for an overwriting move, and continues when accepted", async () => {
    await using folder = tempFolder({ a: "new", b: "old" });
    const { person, wired } = await connected(folder, [accept({ confirm: true })]);
    await using _ = wired;
    const result = await move(wired, folder);
    expect(text(result)).toBe(`Successfully moved ${folder.at("a")} to ${folder.at("b")}`);
    expect(result.structuredContent).toMatchObject({ replaced: true });
    expect(folder.tree()).toEqual({ b: expect.any(String) });
    expect(folder.read("b")).toBe("new");
    const [question] = person.requests;
    expect(question).toMatchObject({ kind: "form", message: expect.stringContaining(folder.at("b")) });
    expect((question as { requestedSchema: unknown }).requestedSchema).toEqual({
      type: "object",
      properties: { confirm: { type: "boolean", default: false, description: expect.any(String) } },
    });
    person.done();
  });

  test.each(NO)("ELIC-20 refuses an overwriting move on %s", async (_answer, line) => {
    await using folder = tempFolder({ a: "new", b: "old" });
    const before = folder.tree();
    const { person, wired } = await connected(folder, [line]);
    await using _ = wired;
    const result = await move(wired, folder);
    expect(result.isError).toBe(true);
    expect(text(result)).toContain("did not agree");
    expect(folder.tree()).toEqual(before);
    person.done();
  });

  test("asks nothing when nothing is lost, and refuses a move without overwrite", async () => {
    await using folder = tempFolder({ a: "new", b: "old" });
    const { person, wired } = await connected(folder, []);
    await using _ = wired;
    expect(text(await wired.client.call("move_file", { source: folder.at("a"), destination: folder.at("b") }))).toBe(
      `Destination already exists: ${folder.at("b")}`,
    );
    expect(
      (await wired.client.call("move_file", { source: folder.at("a"), destination: folder.at("c"), overwrite: true })).isError,
    ).toBeUndefined();
    person.done();
  });

  test.each(["move_file", "copy_file"])("%s names the path in a directory that is there", async (tool) => {
    await using folder = tempFolder({ a: "new", d: { x: "x" }, e: { y: "y" } });
    const { wired } = await connected(folder, []);
    await using _ = wired;
    const to = (destination: string, source: string, more = {}) =>
      wired.client.call(tool, { source: folder.at(source), destination: folder.at(destination), ...more }).then(text);
    // The text of move_file is that of the reference server here.
    const advice = tool === "copy_file" ? /\/d\. To put the source into the directory, name \S+\/d\/a$/ : /already exists: \S+\/d$/;
    for (const more of [{}, { overwrite: true }]) expect(await to("d", "a", more)).toMatch(advice);
    for (const folderName of ["d/", "new/"])
      expect(await to(folderName, "a")).toMatch(/^A path that ends in a slash must be a directory: \S+\. .*, name \S+\/\w+\/a$/);
    expect(await to("d/", "e", { recursive: tool === "copy_file" || undefined, overwrite: true })).toMatch(/, name \S+\/d\/e$/);
  });

  test.each([
    ["move_file", [accept({ confirm: true })]],
    ["copy_file", []],
  ] as const)("%s replaces a dangling link like any other", async (tool, lines) => {
    await using folder = tempFolder({ a: "new" });
    symlinkSync("nowhere", folder.at("b"));
    const { person, wired } = await connected(folder, lines);
    await using _ = wired;
    const result = await wired.client.call(tool, { source: folder.at("a"), destination: folder.at("b"), overwrite: true });
    expect(result.structuredContent, text(result)).toMatchObject({ replaced: true });
    expect(folder.read("b")).toBe("new");
    person.done();
  });

  test("makes the missing directories of a move and a copy, and none where it fails", async () => {
    await using folder = tempFolder({ a: "1", b: "2" });
    await using wired = await connectTo(await targetOf({ directories: [folder.path] }));
    const act = async (tool: string, source: string, destination: string) => text(await wired.client.call(tool, { source, destination }));
    expect(await act("copy_file", "a", "new/copies/a")).toBe("Successfully copied a to new/copies/a\nMade the directory new/copies.");
    expect(await act("move_file", "b", "old/2026/b")).toBe("Successfully moved b to old/2026/b\nMade the directory old/2026.");
    expect(await act("move_file", "none", "gone/deep/b")).toMatch(/^No such file or directory: none/);
    expect(await act("copy_file", "none", "gone/deep/b")).toMatch(/^No such file or directory: none/);
    expect(await act("move_file", "old", "old/x/y")).toMatch(/^A directory cannot be moved into itself: /);
    expect(Object.keys(folder.tree())).toEqual(["a", "new/", "new/copies/", "new/copies/a", "old/", "old/2026/", "old/2026/b"]);
  });

  test("replaces a file by copy_file with overwrite without asking, as write_file does", async () => {
    await using folder = tempFolder({ a: "new", b: "old", c: "old" });
    const { person, wired } = await connected(folder, []);
    await using _ = wired;
    const copied = await wired.client.call("copy_file", { source: folder.at("a"), destination: folder.at("b"), overwrite: true });
    expect(copied.structuredContent, text(copied)).toMatchObject({ replaced: true });
    await wired.client.call("write_file", { path: folder.at("c"), content: "new" });
    expect([folder.read("a"), folder.read("b"), folder.read("c")]).toEqual(["new", "new", "new"]);
    person.done();
  });

  test("refuses a path outside without asking", async () => {
    await using folder = tempFolder({ in: { a: "new" }, b: "old" });
    const person = scriptUser([], ["form"]);
    await using wired = await connectTo(await targetOf({ directories: [folder.at("in")] }), { ...person.handlers, revision });
    symlinkSync("../none", folder.at("in/out"));
    for (const to of ["b", "in/out"]) {
      const result = await wired.client.call("move_file", { source: folder.at("in/a"), destination: folder.at(to), overwrite: true });
      expect(text(result)).toBe(`Access denied - path outside allowed directories: ${folder.at(to)}`);
    }
    person.done();
  });

  test.each([
    ["no", decline],
    ["yes", accept({ confirm: true })],
  ])("ELIC-20 asks again about a directory that grows during the confirmation, and follows %s", async (answer, line) => {
    await using folder = tempFolder({ d: { f: "f" } });
    const growing: ScriptedReply = () => {
      writeFileSync(folder.at("d/more"), "more");
      return accept({ confirm: true });
    };
    const { person, wired } = await connected(folder, [growing, line]);
    await using _ = wired;
    const result = await wired.client.call("delete_file", { path: folder.at("d"), recursive: true });
    expect(person.requests.map((question) => "message" in question && /the (\d+) entr/.exec(question.message)?.[1])).toEqual(["1", "2"]);
    expect(result.isError, text(result)).toBe(answer === "no" ? true : undefined);
    expect(existsSync(folder.at("d/more"))).toBe(answer === "no");
    person.done();
  });

  test("refuses an impossible move or copy without asking and without naming the switch", async () => {
    await using folder = tempFolder({ a: "a", b: "b", d: { f: "f" }, full: { f: "f" }, ro: { f: "f" } });
    const before = folder.tree();
    const directories = [folder.path, `${folder.at("ro")}:ro`];
    for (const kinds of [["form"], []] as const) {
      const person = scriptUser([], kinds);
      await using wired = await connectTo(await targetOf({ directories }), { ...person.handlers, revision });
      for (const [tool, source, destination, replyText, recursive = false] of IMPOSSIBLE) {
        const paths = { source: folder.at(source), destination: folder.at(destination) };
        const result = await wired.client.call(tool, { ...paths, recursive, overwrite: true });
        expect([result.isError, text(result)], `${tool} ${source} ${destination}`).toEqual([true, expect.stringContaining(replyText)]);
      }
      person.done();
    }
    expect(folder.tree()).toEqual(before);
  });

  test.each([["yes", accept({ confirm: true }), "mine"] as const, ...NO.map(([answer, line]) => [answer, line, "theirs"] as const)])(
    "asks about a write over a file that changed since its etag, and leaves the right file on %s",
    async (_answer, line, left) => {
      await using folder = tempFolder({ f: "before" });
      const { person, wired } = await connected(folder, [line]);
      await using _ = wired;
      const { etag } = (await wired.client.call("read_text_file", { path: folder.at("f") })).structuredContent as { etag: string };
      writeFileSync(folder.at("f"), "theirs");
      const result = await wired.client.call("write_file", { path: folder.at("f"), content: "mine", expectedEtag: etag });
      expect(result.isError).toBe(left === "mine" ? undefined : true);
      expect(folder.read("f")).toBe(left);
      person.done();
    },
  );

  test.each([
    ["overwrite", "no", decline, "theirs once more"],
    ["overwrite", "yes", accept({ confirm: true }), "mine"],
    ["append", "yes", accept({ confirm: true }), "theirs once moremine"],
  ] as const)("ELIC-20 asks again about a file that changes during the confirmation: %s, %s", async (mode, _answer, line, left) => {
    await using folder = tempFolder({ f: "theirs" });
    const changing: ScriptedReply = () => {
      writeFileSync(folder.at("f"), "theirs once more");
      return accept({ confirm: true });
    };
    const { person, wired } = await connected(folder, [changing, line]);
    await using _ = wired;
    const args = { path: folder.at("f"), content: "mine", mode, expectedEtag: "c-0000000000000000000000" };
    await wired.client.call("write_file", args);
    expect(folder.read("f")).toBe(left);
    const asked = expect.objectContaining({ message: expect.stringContaining(mode === "append" ? "Add to it" : "Replace it") });
    expect(person.requests).toEqual([asked, asked]);
    person.done();
  });

  test("creates a file that disappeared since its etag after the user accepts", async () => {
    await using folder = tempFolder({});
    const { person, wired } = await connected(folder, [accept({ confirm: true })]);
    await using _ = wired;
    const args = { path: folder.at("f"), content: "mine", expectedEtag: "c-0000000000000000000000" };
    expect((await wired.client.call("write_file", args)).structuredContent).toMatchObject({ created: true });
    expect(person.requests).toEqual([expect.objectContaining({ message: expect.stringContaining("does not exist any more") })]);
    person.done();
  });
});

describe.each(TESTED_REVISIONS)("without elicitation — %s", (revision) => {
  test("ELIC-03 refuses an overwriting move and names the switch that allows it", async () => {
    await using folder = tempFolder({ a: "new", b: "old" });
    await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { revision });
    const result = await move(wired, folder);
    expect(result.isError).toBe(true);
    expect(text(result)).toContain("--allow-delete");
    expect(folder.read("b")).toBe("old");
  });

  test("copies over a file by copy_file with overwrite", async () => {
    await using folder = tempFolder({ a: "new", b: "old" });
    await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { revision });
    const result = await wired.client.call("copy_file", { source: folder.at("a"), destination: folder.at("b"), overwrite: true });
    expect(result.isError, text(result)).toBeUndefined();
    expect(folder.read("b")).toBe("new");
  });

  test("moves over a file with --allow-delete", async () => {
    await using folder = tempFolder({ a: "new", b: "old" });
    await using wired = await connectTo(await targetOf({ directories: [folder.path], allowDelete: true }), { revision });
    expect((await move(wired, folder)).isError).toBeUndefined();
    expect(folder.read("b")).toBe("new");
  });

  test("refuses a write over a file that changed since its etag", async () => {
    await using folder = tempFolder({ f: "before" });
    await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { revision });
    const result = await wired.client.call("write_file", {
      path: folder.at("f"),
      content: "mine",
      expectedEtag: "c-0000000000000000000000",
    });
    expect(result.isError).toBe(true);
    expect(text(result)).toMatch(/changed/);
    expect(folder.read("f")).toBe("before");
  });
});
