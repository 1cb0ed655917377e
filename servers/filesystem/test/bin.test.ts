// The command line: which directories are served and how, what is said on stderr, and how the process ends.
import { link } from "node:fs/promises";
import { join } from "node:path";
import type { Exit } from "@oarlock/client";
import { connectTo, linkTo, startRaw, tempFolder, type TempFolder, type TestConnection } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { text } from "./support/cells.ts";
import { bin } from "./support/target.ts";

/** Starts it, ends its input, and tells how it went. */
async function run(args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Exit & { stderr: string }> {
  await using server = startRaw({ ...bin(args, env), ...(cwd !== undefined && { cwd }) });
  server.end();
  const exit = await server.exit();
  return { ...exit, stderr: server.stderr };
}

const served = (args: readonly string[], env?: Record<string, string>): Promise<TestConnection> => connectTo(bin(args, env));
const replyText = async ({ client }: TestConnection, name: string, args: Record<string, unknown>): Promise<string> =>
  text(await client.call(name, args));
const DENIED = /^Access denied - path outside allowed directories: /;

describe.concurrent("the directories", () => {
  test("all are served", async () => {
    await using folder = tempFolder({ a: { f: "1" }, b: { f: "2" } });
    expect(await run([folder.at("a"), folder.at("b")])).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/warning/i) });
    await using wired = await served([folder.at("a"), folder.at("b")]);
    expect(await replyText(wired, "list_allowed_directories", {})).toBe(`Allowed directories:\n${folder.at("a")}\n${folder.at("b")}`);
    // A relative path is meant in each, first fit.
    expect(await replyText(wired, "read_text_file", { path: "f" })).toBe("1");
  });

  test("some that cannot be served are named in a warning, the others are served", async () => {
    await using folder = tempFolder({ a: { f: "1" }, file: "x" });
    const { code, stderr } = await run([folder.at("none"), folder.at("file"), folder.at("a"), " "]);
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^.*warning.*${folder.at("none")}.*does not exist`, "im"));
    expect(stderr).toMatch(new RegExp(`^.*warning.*${folder.at("file")}.*not a directory`, "im"));
    await using wired = await served([folder.at("none"), folder.at("a")]);
    expect(await replyText(wired, "list_allowed_directories", {})).toBe(`Allowed directories:\n${folder.at("a")}`);
  });

  test.each([[["none"]], [["none", "file"]], [[""]], [[" ", "\t"]]])(
    "PATH-19 deviation `start`: %j and nothing else ends the start with code 3 and a remedy",
    async (names) => {
      await using folder = tempFolder({ file: "x" });
      const { code, stderr } = await run(
        names.map((name) => (name.trim() === "" ? name : folder.at(name))),
        undefined,
        folder.path,
      );
      expect(code === 3 || (code === 2 && names.includes(""))).toBe(true);
      expect(stderr).toMatch(/directories|directory|empty/i);
      expect(stderr).not.toMatch(/ready/);
    },
  );

  test("that can all not be served are named with reason and remedy in the one line of the error", async () => {
    await using folder = tempFolder({ file: "x" });
    const missing = `Cannot serve directory "${folder.at("none")}": it does not exist. Create it, or correct the path.`;
    const file = `Cannot serve directory "${folder.at("file")}": it is not a directory. Name the directory that it is in.`;
    expect(await run([folder.at("none"), folder.at("file")])).toMatchObject({ code: 3, stderr: `Error: ${missing} ${file}\n` });
    const nodes = ["--http", "--port=0", "--backplane=redis://127.0.0.1:1", `--state-key=${"k".repeat(40)}`];
    expect(await run([folder.at("none"), ...nodes])).toMatchObject({ code: 3, stderr: `Error: ${missing}\n` });
    const names = ["1", "2", "3", "4", "5", "6", "7"];
    const { stderr } = await run(names, undefined, folder.path);
    expect(stderr).toMatch(
      /^Error: Cannot serve directory "1" \(.+1\): it does not exist\. Cannot serve .* 2 more cannot be served either\.\n$/,
    );
    expect(stderr.match(/Create it/g)).toHaveLength(1);
  });

  test("PATH-19 none at all: a hint, and everything is denied, the working directory too", async () => {
    await using folder = tempFolder({ f: "x" });
    const { code, stderr } = await run([], undefined, folder.path);
    expect(code).toBe(0);
    expect(stderr).toMatch(/No directory was named/);
    await using wired = await connectTo({ ...bin(), cwd: folder.path });
    for (const path of ["f", ".", folder.at("f"), "/etc/hostname", "/"])
      expect(await replyText(wired, "read_text_file", { path })).toMatch(DENIED);
    expect(await replyText(wired, "list_allowed_directories", {})).toMatch(/^Allowed directories:/);
  });

  test("PATH-13 --refuse-hard-links reads and edits no file that has another name", async () => {
    await using folder = tempFolder({ f: "x", single: "y" });
    await link(folder.at("f"), folder.at("other"));
    await using wired = await served(["--refuse-hard-links", folder.path]);
    expect(await replyText(wired, "read_text_file", { path: "single" })).toBe("y");
    for (const path of ["f", "other"]) expect(await replyText(wired, "read_text_file", { path })).toMatch(/name|link/i);
    expect(await replyText(wired, "edit_file", { path: "f", edits: [{ oldText: "x", newText: "z" }] })).toMatch(/name|link/i);
    // A write replaces the one name and reads nothing of what the others share.
    await replyText(wired, "write_file", { path: "f", content: "z" });
    expect(folder.read("other")).toBe("x");
  });

  test("PATH-16 one that is given as a link is served under both spellings", async () => {
    await using folder = tempFolder({ real: { f: "x" }, link: linkTo("real") });
    await using wired = await served([folder.at("link")]);
    for (const path of [folder.at("link/f"), folder.at("real/f"), "f"])
      expect(await replyText(wired, "read_text_file", { path })).toBe("x");
    expect(await replyText(wired, "list_directory", { path: folder.path })).toMatch(DENIED);
  });

  test("PATH-05 odd spellings of one are that one", async () => {
    await using folder = tempFolder({ data: { f: "x" }, "data-secret": { f: "canary" }, x: {} });
    for (const spelling of ["data/", "/data", "./data", "x/../data"].map((path) => `${folder.path}/${path}`)) {
      await using wired = await served([spelling]);
      expect(await replyText(wired, "read_text_file", { path: folder.at("data/f") }), spelling).toBe("x");
      expect(await replyText(wired, "read_text_file", { path: folder.at("data-secret/f") }), spelling).toMatch(DENIED);
    }
  });

  test("PATH-23 a ~ is expanded here, and only here", async () => {
    await using folder = tempFolder({ home: { notes: { f: "mine" }, "~": "a file" } });
    const HOME = folder.at("home");
    await using wired = await served(["~/notes"], { HOME });
    expect(await replyText(wired, "list_allowed_directories", {})).toBe(`Allowed directories:\n${folder.at("home/notes")}`);
    expect(await replyText(wired, "read_text_file", { path: "~/notes/f" })).toBe("No such file or directory: ~/notes/f");
    await using whole = await served(["~:ro"], { HOME });
    expect(await replyText(whole, "read_text_file", { path: "./~" })).toBe("a file");
    expect(await replyText(whole, "read_text_file", { path: "~" })).toBe("a file");
    expect(await replyText(whole, "write_file", { path: "x", content: "" })).toMatch(/read-only|only be read/i);
  });
});

describe.concurrent("what may be written", () => {
  test("DIR:ro can be read and not written, beside one that can", async () => {
    await using folder = tempFolder({ ro: { f: "x", d: {} }, rw: { g: "y" } });
    await using wired = await served([`${folder.at("ro")}:ro`, folder.at("rw")]);
    expect(await replyText(wired, "read_text_file", { path: folder.at("ro/f") })).toBe("x");
    const before = folder.tree();
    await refusesWrites(wired, folder, "ro");
    expect(await replyText(wired, "move_file", { source: folder.at("rw/g"), destination: folder.at("ro/g") })).toMatch(READ_ONLY);
    expect(await replyText(wired, "move_file", { source: folder.at("ro/f"), destination: folder.at("rw/f") })).toMatch(READ_ONLY);
    expect(folder.tree()).toEqual(before);
    expect(await replyText(wired, "write_file", { path: folder.at("rw/new"), content: "x" })).toMatch(/^Successfully/);
    const { structuredContent } = await wired.client.call("list_allowed_directories");
    expect(structuredContent).toMatchObject({
      directories: [
        { path: folder.at("ro"), writable: false, source: "cli" },
        { path: folder.at("rw"), writable: true, source: "cli" },
      ],
    });
  });

  test("--read-only offers no tool that changes anything, and knows none", async () => {
    await using folder = tempFolder({ f: "x" });
    for (const wired of [await served(["--read-only", folder.path]), await served([folder.path], { OARLOCK_READ_ONLY: "1" })]) {
      await using _ = wired;
      const tools = await Array.fromAsync(wired.client.tools());
      expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
      expect(tools).toHaveLength(11);
      for (const name of ["write_file", "edit_file", "create_directory", "move_file", "copy_file", "delete_file"]) {
        await expect(wired.client.call(name, { path: folder.at("f"), content: "y" })).rejects.toMatchObject({ code: -32602 });
      }
      expect(folder.read("f")).toBe("x");
    }
  });
});

const READ_ONLY = /read-only|only be read/i;

async function refusesWrites(wired: TestConnection, folder: TempFolder, at: string): Promise<void> {
  for (const [name, args] of [
    ["write_file", { path: folder.at(at, "f"), content: "y" }],
    ["write_file", { path: folder.at(at, "new"), content: "y" }],
    ["write_file", { path: folder.at(at, "a/b/new"), content: "y", createDirectories: true }],
    ["edit_file", { path: folder.at(at, "f"), edits: [{ oldText: "x", newText: "y" }] }],
    ["create_directory", { path: folder.at(at, "new") }],
    ["move_file", { source: folder.at(at, "f"), destination: folder.at(at, "g") }],
  ] as const) {
    expect(await replyText(wired, name, args), `${name} ${JSON.stringify(args)}`).toMatch(READ_ONLY);
  }
}

describe.concurrent("--deny", () => {
  test("PATH-33 hides what matches from every tool, resource, completion and prompt", async () => {
    await using folder = tempFolder({
      ".env": "canary",
      "a.txt": "x",
      keys: { "id.pem": "canary", "b.txt": "y" },
      sub: { ".env.local": "canary" },
      link: linkTo(".env"),
    });
    await using wired = await served(["--deny=**/.env*", "--deny=*.pem", folder.path]);
    const { client } = wired;
    for (const name of [".env", "keys/id.pem", "sub/.env.local", "link", ".env.new"]) {
      for (const [tool, args] of [
        ["read_text_file", { path: folder.at(name) }],
        ["get_file_info", { path: folder.at(name) }],
        ["read_media_file", { path: folder.at(name) }],
        ["write_file", { path: folder.at(name), content: "x" }],
        ["edit_file", { path: folder.at(name), edits: [{ oldText: "canary", newText: "" }] }],
        ["move_file", { source: folder.at(name), destination: folder.at("moved") }],
        ["move_file", { source: folder.at("a.txt"), destination: folder.at(name) }],
        ["create_directory", { path: folder.at(name) }],
      ] as const) {
        expect(await replyText(wired, tool, args), `${tool} ${name}`).toBe(
          `Access denied - path outside allowed directories: ${folder.at(name)}`,
        );
      }
      await expect(client.read(`file://${folder.at(name)}`)).rejects.toMatchObject({ code: -32002 });
      await expect(client.subscribe(`file://${folder.at(name)}`, () => undefined)).rejects.toMatchObject({ code: -32002 });
    }
    const lists = [
      await replyText(wired, "list_directory", { path: folder.path }),
      await replyText(wired, "list_directory_with_sizes", { path: folder.at("sub") }),
      await replyText(wired, "directory_tree", { path: folder.path }),
      await replyText(wired, "search_files", { path: folder.path, pattern: "**" }),
      JSON.stringify(await client.prompt("explore_directory", { path: folder.path })),
      JSON.stringify(await client.complete({ type: "ref/prompt", name: "explore_directory" }, { name: "path", value: folder.at(".") })),
      JSON.stringify(await client.complete({ type: "ref/resource", uri: "file:///{+path}" }, { name: "path", value: folder.at("keys/") })),
    ];
    for (const list of lists) expect(list).not.toMatch(/\.env|\.pem/);
    // A directory with something hidden in it cannot be moved, or it might show.
    expect(await replyText(wired, "move_file", { source: folder.at("keys"), destination: folder.at("other") })).toMatch(/hidden/);
    expect(await replyText(wired, "read_text_file", { path: folder.at("keys/b.txt") })).toBe("y");
    expect(await replyText(wired, "read_text_file", { path: folder.at(".ENV") })).toMatch(/^No such file/);
  });

  test("a glob that is none stops the start", async () => {
    await using folder = tempFolder();
    expect((await run(["--deny=!x", folder.path])).code).not.toBe(0);
  });
});

describe.concurrent("the process", () => {
  test.each([
    ["--nonsense", "x"],
    ["--roots=none", "x"],
    ["--max-result-bytes=0", "x"],
    ["--tools=write_fil", "."],
  ])("%s stops the start with code 2", async (...args) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr.split("\n")[0]).toMatch(/.{10,}/);
  });

  test("STDIO-10 RPC-20 ends with code 0 when its input ends, a write under way being whole", async () => {
    await using folder = tempFolder();
    await using server = startRaw(bin([folder.path]));
    await server.handshake();
    const content = "x".repeat(1_000_000);
    void server.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "write_file", arguments: { path: folder.at("f"), content } },
    });
    server.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(folder.tree()).toEqual({ f: expect.stringMatching(/^file 644 1000000 /) });
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "RPC-28 %s ends it with code 0, with the old or the new content and no temporary file",
    async (signal) => {
      await using folder = tempFolder({ f: "old" });
      await using server = startRaw(bin([folder.path]));
      await server.handshake();
      const content = "y".repeat(3_000_000);
      for (let id = 1; id <= 5; id++)
        void server.send({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "write_file", arguments: { path: folder.at("f"), content } },
        });
      await server.message();
      server.kill(signal);
      expect(await server.exit()).toEqual({ code: 0, signal: null });
      expect(folder.tree()).toEqual({ f: expect.stringMatching(/^file 644 (3|3000000) /) });
    },
  );

  test("a kill during writes leaves the old or the new content", async () => {
    await using folder = tempFolder({ f: "old" });
    for (let round = 0; round < 5; round++) {
      await using server = startRaw(bin([folder.path]));
      await server.handshake();
      for (let id = 1; id <= 20; id++)
        void server.send({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "write_file", arguments: { path: folder.at("f"), content: String(round).repeat(1_000_000) } },
        });
      for (let answers = 0; answers <= round; answers++) await server.message();
      server.kill("SIGKILL");
      await server.exit();
      expect(folder.read("f")).toMatch(/^(?:old|(\d)\1{999999})$/);
    }
  });

  test("RPC-27 STDIO-03 nothing but messages is on stdout, from start to end", async () => {
    await using folder = tempFolder({ f: "x" });
    await using server = startRaw(bin([folder.path, join(folder.path, "none")]));
    await server.handshake();
    await server.request({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "read_text_file", arguments: { path: folder.at("f") } },
    });
    server.end();
    await server.exit();
    expect(server.unread).toEqual([]);
    expect(server.stderr).toContain("oarlock-filesystem");
  });
});
