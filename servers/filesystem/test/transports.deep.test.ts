// A few calls of each kind over stdio and HTTP, in a revision with a handshake and in the stateless one: texts and structured results, pages,
// resources, notifications, confirmations, roots and cancelled calls. Their facts are tested in this process, the transports in the kit.
import { mkdirSync, writeFileSync } from "node:fs";
import { accept, connectTo, scriptUser, tempFolder } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { onServedFolder, text } from "./support/served-folder.ts";
import { soon } from "./support/soon.ts";
import { targetOf } from "./support/target.ts";

/** Each transport and each revision once; with `OARLOCK_LONG=1` all four. */
const CELLS = (["stdio", "http"] as const).flatMap((transport, n) =>
  ["2025-11-25", "2026-07-28"]
    .filter((_, at) => process.env["OARLOCK_LONG"] === "1" || at === n)
    .map((revision) => ({ revision, transport })),
);

const LIST = { f0: "", f1: "", f2: "", f3: "", f4: "" };

describe.each(CELLS)("in $revision over $transport", (connection) => {
  test("writes, reads and edits a file", () =>
    onServedFolder(connection, { f: "one\n" }, async ({ says, failure, call, at }) => {
      const path = at("f");
      const etag = expect.stringMatching(/^\S{8,}$/);
      const written = { path, bytesWritten: 8, created: false, etag };
      await says("write_file", { path, content: "häuser\n" }, `Successfully wrote to ${path}`, written);
      expect(await failure("edit_file", { path, edits: [{ oldText: "none", newText: "x" }] })).toMatch(/^Could not find exact match/);
      await call("edit_file", { path, edits: [{ oldText: "häuser", newText: "haus" }] });
      expect(text(await call("read_text_file", { path }))).toBe("haus\n");
    }));

  test("continues a list by its cursor", () =>
    onServedFolder(connection, LIST, async ({ call, folder }) => {
      const first = await call("list_directory", { path: folder, limit: 3 });
      const { nextCursor: cursor } = first.structuredContent as { nextCursor: string };
      expect(text(await call("list_directory", { path: folder, limit: 3, cursor }))).toBe("[FILE] f3\n[FILE] f4");
    }));

  test("reads a resource, and notifies when it changes", () =>
    onServedFolder(connection, { f: "1" }, async ({ client, at }) => {
      const uri = `file://${at("f")}`;
      expect((await client.read(uri)).contents).toMatchObject([{ uri, text: "1" }]);
      let notices = 0;
      await client.subscribe(uri, () => (notices += 1));
      writeFileSync(at("f"), "22");
      await soon(
        () => notices,
        (count) => count > 0,
      );
      await client.unsubscribe(uri);
    }));

  test("asks before an overwriting move, keeps the old file, and brings it back", async () => {
    await using folder = tempFolder({ root: { a: "new", b: "old" }, state: {} });
    const person = scriptUser([accept({ confirm: true })], ["form"]);
    const target = await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state") });
    await using wired = await connectTo(target, { ...person.handlers, ...connection });
    const moved = await wired.client.call("move_file", { source: "a", destination: "b", overwrite: true });
    expect(moved.structuredContent).toMatchObject({ replaced: true });
    person.done();
    const { undo: id } = moved.structuredContent as { undo: string };
    await wired.client.call("undo_change", { id });
    expect(folder.read("root/b")).toBe("old");
    expect(wired.faults).toEqual([]);
  });

  test("narrows the directories to the client's roots", async () => {
    await using folder = tempFolder({ a: { f: "in a" }, b: { f: "in b" } });
    const roots = [{ uri: `file://${folder.at("a")}` }];
    await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { roots, ...connection });
    const read = async (path: string) => text(await wired.client.call("read_text_file", { path: folder.at(path) }));
    expect(await read("a/f")).toBe("in a");
    expect(await read("b/f")).toMatch(/^Access denied/);
  });

  test("ends a long call when it is cancelled, and reports progress of another", async () => {
    await using forest = tempFolder();
    for (let d = 0; d < 12; d++) {
      mkdirSync(forest.at(`d${d}`));
      for (let f = 0; f < 200; f++) writeFileSync(forest.at(`d${d}`, `f${f}-${"abc".repeat(75)}`), "");
    }
    const excludePatterns = Array.from({ length: 99 }, (_, at) => `**/*a*b*${at}x*`);
    const args: Json = { path: forest.path, pattern: "**/nothing", excludePatterns };
    await using wired = await connectTo(await targetOf({ directories: [forest.path] }), connection);
    const cancel = new AbortController();
    const outcome = wired.client.call("search_files", args, { signal: cancel.signal }).then(
      () => "finished",
      () => "cancelled",
    );
    // Answered while the long call runs.
    await wired.client.call("list_allowed_directories");
    cancel.abort(new Error("enough"));
    expect(await outcome).toBe("cancelled");
    const reported: number[] = [];
    await wired.client.call("search_files", args, { onProgress: ({ progress }) => reported.push(progress) });
    expect(reported.length).toBeGreaterThan(0);
    expect(wired.faults).toEqual([]);
  });
});
