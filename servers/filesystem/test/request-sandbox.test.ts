// The client's roots over the wire: what they do in each mode, when they change, and when they do not come.
import { readdirSync, writeFileSync } from "node:fs";
import { connectTo, linkTo, tempFolder, TESTED_REVISIONS, type TempFolder, type TestConnection } from "@oarlock/testing";
import type { LogEntry } from "@oarlock/client";
import { findRevision, type Json, type Root } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import type { RootsMode } from "../src/request-sandbox.ts";
import { text } from "./support/served-folder.ts";
import { RawWire } from "./support/raw-wire.ts";
import { soon } from "./support/soon.ts";
import { targetOf } from "./support/target.ts";

const DENIED = /^Access denied - path outside allowed directories: /;

const world = (): TempFolder => tempFolder({ allowed: { a: { f: "in a" }, b: { f: "in b" }, f: "in allowed" }, other: { f: "in other" } });
const equals = (wanted: string[]) => (seen: string[]) => seen.join("\n") === wanted.join("\n");
const root = (path: string): Root => ({ uri: `file://${path}` });

async function allowed({ client }: TestConnection): Promise<string[]> {
  return text(await client.call("list_allowed_directories"))
    .split("\n")
    .slice(1)
    .filter((line) => line.startsWith("/"));
}

const read = async ({ client }: TestConnection, path: string): Promise<string> => text(await client.call("read_text_file", { path }));

describe.each(TESTED_REVISIONS)("— %s", (revision) => {
  // Without sessions the roots are asked for in each request that may ask; lists and subscriptions may not.
  const inSessions = findRevision(revision)!.facts.era === "handshake";
  const connected = async (
    folder: TempFolder,
    mode: RootsMode,
    roots: Root[] | undefined,
    directories = [folder.at("allowed")],
  ): Promise<TestConnection & { logs: LogEntry[] }> => {
    const logs: LogEntry[] = [];
    const target = await targetOf({ directories, roots: mode, lookMs: 20 });
    const wired = await connectTo(target, {
      revision,
      onLog: (entry) => logs.push(entry),
      ...(roots !== undefined && { roots }),
    });
    return Object.assign(wired, { logs });
  };

  test("ROOTS-11 deviation `roots`: narrows the directories by roots inside them, and serves nothing by others", async () => {
    await using folder = world();
    await using wired = await connected(folder, "narrow", [
      root(folder.at("allowed/a")),
      root(folder.at("other")),
      root(`${folder.path}/none`),
    ]);
    expect(await allowed(wired)).toEqual([folder.at("allowed/a")]);
    expect(await read(wired, folder.at("allowed/a/f"))).toBe("in a");
    for (const path of ["allowed/b/f", "allowed/f", "other/f"]) {
      expect(await read(wired, folder.at(path))).toMatch(DENIED);
      // The same sentence inside and outside of the operator's directories.
      expect(await read(wired, folder.at(path))).toMatch(/The client's roots narrow them: start the server with --roots ignore /);
    }
    const created = await wired.client.call("create_directory", { path: folder.at("allowed/x/y") });
    expect(text(created)).toMatch(/--roots ignore/);
    // A root around a directory opens no more than the directory.
    await using wide = await connected(folder, "narrow", [root("/")]);
    expect(await allowed(wide)).toEqual([folder.at("allowed")]);
  });

  test("replaces the directories with --roots replace", async () => {
    await using folder = world();
    await using wired = await connected(folder, "replace", [root(folder.at("other"))]);
    expect(await allowed(wired)).toEqual([folder.at("other")]);
    expect(await read(wired, folder.at("other/f"))).toBe("in other");
    expect(await read(wired, folder.at("allowed/f"))).toMatch(DENIED);
    expect(await read(wired, folder.at("allowed/f"))).toMatch(/The client's roots replace them: start the server with --roots narrow /);
  });

  test("ROOTS-09 ignores and requests no roots with --roots ignore", async () => {
    await using folder = world();
    await using wired = await connected(folder, "ignore", [root(folder.at("other"))]);
    expect(await allowed(wired)).toEqual([folder.at("allowed")]);
    expect(await read(wired, folder.at("other/f"))).toMatch(DENIED);
    expect(wired.messages("received").filter((message) => (message as Json)["method"] === "roots/list")).toEqual([]);
  });

  test.each(["narrow", "replace"] as const)("changes nothing with --roots %s and an empty list from the start", async (mode) => {
    await using folder = world();
    await using wired = await connected(folder, mode, []);
    expect(await allowed(wired)).toEqual([folder.at("allowed")]);
    expect(await read(wired, folder.at("allowed/f"))).toBe("in allowed");
    expect(await read(wired, folder.at("other/f"))).toMatch(DENIED);
    const resources = await Array.fromAsync(wired.client.resources());
    expect(resources.map(({ uri }) => uri)).toEqual([`file://${folder.at("allowed")}`]);
    for (const { uri } of resources) expect(await wired.client.read(uri)).toMatchObject({ contents: [{ uri }] });
    expect(wired.logs.filter(({ level }) => level === "warning")).toEqual([]);
  });

  test.each(["narrow", "replace"] as const)(
    "denies everything with --roots %s and only unusable roots, and logs the reason",
    async (mode) => {
      await using folder = world();
      await using wired = await connected(folder, mode, [{ uri: "file://evil.example/etc" }]);
      // The list of resources is read first: it must not swallow the warning.
      await soon(
        () => Array.fromAsync(wired.client.resources()),
        (resources) => resources.length === (inSessions ? 0 : 1),
      );
      expect(await allowed(wired)).toEqual([]);
      for (const path of ["allowed/f", "other/f"]) expect(await read(wired, folder.at(path))).toMatch(DENIED);
      // Without sessions a client hears log entries only after it has set a level.
      if (inSessions) expect(wired.logs.filter(({ level }) => level === "warning")).toHaveLength(1);
    },
  );

  test.each(["narrow", "replace"] as const)("keeps the directories with --roots %s and no roots offered", async (mode) => {
    await using folder = world();
    await using wired = await connected(folder, mode, undefined);
    expect(await allowed(wired)).toEqual([folder.at("allowed")]);
    expect(await read(wired, folder.at("allowed/f"))).toBe("in allowed");
  });

  test("PATH-19 limits access to the roots without directories, and denies everything without both", async () => {
    await using folder = world();
    await using wired = await connected(folder, "narrow", [root(folder.at("other"))], []);
    expect(await allowed(wired)).toEqual([folder.at("other")]);
    expect(await read(wired, folder.at("other/f"))).toBe("in other");
    await using bare = await connected(folder, "narrow", undefined, []);
    expect(await allowed(bare)).toEqual([]);
    for (const path of [folder.at("other/f"), "f", "package.json", "/etc/hostname", "."]) expect(await read(bare, path)).toMatch(DENIED);
  });

  // oxlint-disable-next-line vitest/no-conditional-tests -- which tests there are is a matter of the era
  if (!inSessions) {
    test("applies a change of the roots to the next call", async () => {
      await using folder = world();
      await using wired = await connected(folder, "narrow", [root(folder.at("allowed/a"))]);
      expect(await allowed(wired)).toEqual([folder.at("allowed/a")]);
      wired.client.setRoots([root(folder.at("allowed/b"))]);
      expect(await allowed(wired)).toEqual([folder.at("allowed/b")]);
      expect(await read(wired, folder.at("allowed/a/f"))).toMatch(DENIED);
    });
    return;
  }

  test("ROOTS-10 ROOTS-14 applies a change of the roots and notifies clients of the resource list", async () => {
    await using folder = world();
    let changes = 0;
    const target = await targetOf({ directories: [folder.at("allowed")] });
    await using wired = await connectTo(target, {
      revision,
      roots: [root(folder.at("allowed/a"))],
      onListChanged: (list) => list === "resources" && changes++,
    });
    expect(await allowed(wired)).toEqual([folder.at("allowed/a")]);
    await soon(
      () => changes,
      (count) => count === 1,
    );
    wired.client.setRoots([root(folder.at("allowed/b"))]);
    await soon(() => allowed(wired), equals([folder.at("allowed/b")]));
    expect(await read(wired, folder.at("allowed/a/f"))).toMatch(DENIED);
    expect((await Array.fromAsync(wired.client.resources())).map(({ uri }) => uri)).toEqual([`file://${folder.at("allowed/b")}`]);
    expect(changes).toBe(2);
    wired.client.setRoots([]);
    await soon(() => allowed(wired), equals([]));
    wired.client.setRoots([root(folder.at("allowed"))]);
    await soon(() => allowed(wired), equals([folder.at("allowed")]));
  });

  test("ends subscriptions outside the new roots and keeps the others", async () => {
    await using folder = world();
    await using wired = await connected(folder, "narrow", [root(folder.at("allowed"))]);
    const seen = { a: 0, b: 0 };
    await wired.client.subscribe(`file://${folder.at("allowed/a/f")}`, () => seen.a++);
    await wired.client.subscribe(`file://${folder.at("allowed/b/f")}`, () => seen.b++);
    wired.client.setRoots([root(folder.at("allowed/b"))]);
    await soon(() => allowed(wired), equals([folder.at("allowed/b")]));
    const before = { ...seen };
    writeFileSync(folder.at("allowed/a/f"), "changed");
    writeFileSync(folder.at("allowed/b/f"), "changed");
    await soon(
      () => seen.b,
      (count) => count > before.b,
    );
    writeFileSync(folder.at("allowed/b/f"), "changed again");
    await soon(
      () => seen.b,
      (count) => count > before.b + 1,
    );
    expect(seen.a).toBe(before.a);
  });
});

const call = (id: number, name: string, args: Json): Json => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("clients that do not answer roots/list", () => {
  test("ROOTS-11 get one request and the directories until they answer", async () => {
    await using folder = world();
    await using wire = new RawWire((await targetOf({ directories: [folder.at("allowed")] })).server());
    await wire.handshake({ roots: { listChanged: true } });
    const asked = await wire.until(({ method }) => method === "roots/list");
    // Directories are listed before roots are known.
    expect(JSON.stringify(await wire.request(call(1, "list_allowed_directories", {})))).toContain(folder.at("allowed"));
    for (let id = 2; id < 12; id++)
      expect(JSON.stringify(await wire.request(call(id, "read_text_file", { path: folder.at("allowed/f") })))).toContain("in allowed");
    expect(wire.texts.filter((text) => text.includes('"roots/list"'))).toHaveLength(1);
    // It answers after all.
    wire.send({ jsonrpc: "2.0", id: asked["id"], result: { roots: [root(folder.at("allowed/a"))] } });
    let id = 20;
    await soon(
      async () => JSON.stringify(await wire.request(call(id++, "read_text_file", { path: folder.at("allowed/f") }))),
      (replyText) => replyText.includes("Access denied"),
    );
  });

  test.each([
    ["an error", { error: { code: -32601, message: "no" } }],
    ["no list", { result: { roots: "x" } }],
    ["nothing", { result: {} }],
  ])("keep the directories when they answer with %s", async (_what, answer) => {
    await using folder = world();
    await using wire = new RawWire((await targetOf({ directories: [folder.at("allowed")] })).server());
    await wire.handshake({ roots: {} });
    wire.send(call(1, "read_text_file", { path: folder.at("allowed/f") }));
    const asked = await wire.until(({ method }) => method === "roots/list");
    wire.send({ jsonrpc: "2.0", id: asked["id"], ...answer });
    const { result } = await wire.until(({ id, method }) => id === 1 && method === undefined);
    expect(JSON.stringify(result)).toContain("in allowed");
  });

  test("P7 ignores roots outside the directories, and resolves links in them", async () => {
    await using folder = world();
    folder.write({ link: linkTo("allowed/a") });
    const roots = [
      `file://${folder.at("link")}`,
      "file://evil.example/etc",
      `file://${folder.at("allowed")}/../other`,
      `file://${folder.at("allowed/b")}?x`,
      `file://${folder.at("allowed/f")}`,
    ];
    await using wired = await connectTo(await targetOf({ directories: [folder.at("allowed")] }), { roots: roots.map((uri) => ({ uri })) });
    expect(await allowed(wired)).toEqual([folder.at("allowed/a")]);
    expect(await read(wired, folder.at("allowed/b/f"))).toMatch(DENIED);
  });

  test("P7 keeps the mark of a directory: read-only below :ro, also when roots replace it", async () => {
    await using folder = world();
    for (const mode of ["narrow", "replace"] as const) {
      for (const offered of [folder.at("allowed/a"), folder.path]) {
        await using wired = await connectTo(await targetOf({ directories: [`${folder.at("allowed")}:ro`], roots: mode }), {
          roots: [root(offered)],
        });
        const { isError } = await wired.client.call("write_file", { path: folder.at("allowed/a/new"), content: "x" });
        expect(isError, `${mode} ${offered}`).toBe(true);
      }
    }
  });
});

describe("L7 the operator's rules stay in place with the client's roots", () => {
  const tree = {
    DIR: { sub: { secret: { f: "hidden" }, open: { f: "open" } }, secret: { f: "hidden" } },
    other: { sub: { secret: { f: "hidden" } } },
  };
  const reading = async (
    folder: TempFolder,
    deny: string,
    offered: string,
    path: string,
    directories = [folder.at("DIR")],
  ): Promise<string> => {
    const target = await targetOf({ directories, deny: [deny], roots: "replace" });
    await using wired = await connectTo(target, { roots: [root(folder.at(offered))] });
    return await read(wired, folder.at(path));
  };

  test.each([
    ["a root below the anchor", "sub/secret", "DIR/sub", "DIR/sub/secret/f"],
    ["the hidden directory as the root", "sub/secret", "DIR/sub/secret", "DIR/sub/secret/f"],
    ["a root around the anchor", "sub/secret", ".", "DIR/sub/secret/f"],
    ["another root", "sub/secret", "other", "other/sub/secret/f"],
    ["another root below the name", "sub/secret", "other/sub", "other/sub/secret/f"],
    ["another root with the hidden name", "secret", "other/sub/secret", "other/sub/secret/f"],
    ["braces", "{sub,x}/secret", "DIR/sub", "DIR/sub/secret/f"],
    ["a dot at its start", "./sub/secret", "DIR/sub", "DIR/sub/secret/f"],
  ])("hides a relative --deny from %s", async (_what, deny, offered, path) => {
    await using folder = tempFolder(tree);
    expect(await reading(folder, deny, offered, path)).toMatch(DENIED);
  });

  test("hides no other name below the operator's directory by a relative --deny", async () => {
    await using folder = tempFolder(tree);
    expect(await reading(folder, "secret/f", "DIR/sub", "DIR/sub/secret/f")).toBe("hidden");
    expect(await reading(folder, "sub/secret", "DIR/sub", "DIR/sub/open/f")).toBe("open");
  });

  test("hides a relative --deny at any depth without directories", async () => {
    await using folder = tempFolder(tree);
    for (const offered of ["DIR", "DIR/sub", "DIR/sub/secret"])
      expect(await reading(folder, "sub/secret", offered, "DIR/sub/secret/f", [])).toMatch(DENIED);
  });

  test("hides the trash from a root inside it", async () => {
    await using folder = tempFolder({ DIR: { f: "deleted" }, state: {} });
    const trash = "state/oarlock/filesystem/trash";
    const target = await targetOf({ directories: [folder.at("DIR")], stateHome: folder.at("state"), allowDelete: true });
    await using wired = await connectTo(target, {});
    await wired.client.call("delete_file", { path: folder.at("DIR/f") });
    const [slot] = readdirSync(folder.at(trash));
    const offered = `${trash}/${slot}`;
    const replacing = await targetOf({ directories: [folder.at("DIR")], stateHome: folder.at("state"), roots: "replace" });
    await using inside = await connectTo(replacing, { roots: [root(folder.at(offered))] });
    expect(await read(inside, folder.at(`${offered}/content`))).toMatch(DENIED);
  });

  test("keeps directories as the boundary even if all are missing", async () => {
    await using folder = world();
    const target = await targetOf({ directories: [folder.at("missing")] });
    await using wired = await connectTo(target, { roots: [root(folder.at("other"))] });
    expect(await read(wired, folder.at("other/f"))).toMatch(DENIED);
  });

  test("keeps `:ro` of a directory that was missing at the start", async () => {
    await using folder = world();
    const target = await targetOf({ directories: [folder.at("other"), `${folder.at("late")}:ro`], roots: "replace" });
    folder.write({ late: { f: "x" } });
    for (const offered of ["late", "."]) {
      await using wired = await connectTo(target, { roots: [root(folder.at(offered))] });
      const { isError } = await wired.client.call("write_file", { path: folder.at("late/f"), content: "y" });
      expect(isError, offered).toBe(true);
    }
  });
});

test.each<[RootsMode, string, string]>([
  ["narrow", "allowed", "cli"],
  ["narrow", "allowed/a", "roots"],
  ["narrow", "..", "cli"],
  ["ignore", "other", "cli"],
  ["replace", "other", "roots"],
])("lists in list_allowed_directories the source of a directory: %s with the root %s", async (mode, offered, source) => {
  await using folder = world();
  const target = await targetOf({ directories: [folder.at("allowed")], roots: mode });
  await using wired = await connectTo(target, { roots: [root(folder.at(offered).replace(/\/[^/]+\/\.\.$/, ""))] });
  const { structuredContent } = await wired.client.call("list_allowed_directories");
  expect(structuredContent).toMatchObject({ directories: [{ source }] });
});

test.each<[RootsMode, string]>([
  ["narrow", "allowed"],
  ["narrow", "allowed/a"],
  ["replace", "other"],
  ["ignore", "other"],
])("readOnly: lists no directory as writable, with roots %s and the root %s", async (mode, offered) => {
  await using folder = world();
  await using wired = await connectTo(await targetOf({ directories: [folder.at("allowed")], readOnly: true, roots: mode }), {
    roots: [root(folder.at(offered))],
  });
  const { structuredContent } = await wired.client.call("list_allowed_directories");
  expect(structuredContent).toMatchObject({ directories: [{ writable: false }] });
});
