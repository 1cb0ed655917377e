// The command line: which directories are served and how, what is said on stderr, and how the process ends.
import { link } from "node:fs/promises";
import { join } from "node:path";
import type { Exit } from "@oarlock/client";
import { connectTo, startRaw, tempFolder, type TestConnection } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { text } from "./support/served-folder.ts";
import { soon } from "./support/soon.ts";
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

describe.concurrent("directories of the command line", () => {
  test("warns of directories that cannot be served and serves the others", async () => {
    await using folder = tempFolder({ a: { f: "1" }, file: "x" });
    const { code, stderr } = await run([folder.at("none"), folder.at("file"), folder.at("a"), " "]);
    expect(code).toBe(0);
    expect((await run([folder.at("a")])).stderr).not.toMatch(/warning/i);
    expect(stderr).toMatch(new RegExp(`^.*warning.*${folder.at("none")}.*does not exist`, "im"));
    expect(stderr).toMatch(new RegExp(`^.*warning.*${folder.at("file")}.*not a directory`, "im"));
    await using wired = await served([folder.at("none"), folder.at("a")]);
    expect(await replyText(wired, "list_allowed_directories", {})).toBe(`Allowed directories:\n${folder.at("a")}`);
  });

  test.each([[["none"]], [["none", "file"]], [[""]], [[" ", "\t"]]])(
    "PATH-19 deviation `start`: exits with code 3 and a remedy when all directories are unusable: %j",
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

  test("names each unusable directory with reason and remedy in the one line of the error", async () => {
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

  test("follows the switches: read-only, hidden, no files with several names", async () => {
    await using folder = tempFolder({ rw: { f: "x", single: "y", "id.pem": "canary" }, ro: { f: "x" } });
    await link(folder.at("rw/f"), folder.at("rw/other"));
    await using wired = await served(["--refuse-hard-links", "--deny=*.pem", folder.at("rw"), `${folder.at("ro")}:ro`]);
    expect(await replyText(wired, "read_text_file", { path: "single" })).toBe("y");
    expect(await replyText(wired, "read_text_file", { path: folder.at("rw/f") })).toMatch(/name|link/i);
    expect(await replyText(wired, "read_text_file", { path: folder.at("rw/id.pem") })).toMatch(DENIED);
    expect(await replyText(wired, "write_file", { path: folder.at("ro/f"), content: "y" })).toMatch(/read-only/);
  });

  test("servers#632 servers#3505 offers and knows no changing tool with --read-only or its environment variable", async () => {
    await using folder = tempFolder({ f: "x" });
    for (const wired of [await served(["--read-only", folder.path]), await served([folder.path], { OARLOCK_READ_ONLY: "1" })]) {
      await using _ = wired;
      const tools = await Array.fromAsync(wired.client.tools());
      expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
      expect(tools).toHaveLength(11);
      for (const name of ["write_file", "edit_file", "create_directory", "move_file", "copy_file", "delete_file"])
        await expect(wired.client.call(name, { path: folder.at("f"), content: "y" })).rejects.toMatchObject({ code: -32602 });
      expect(folder.read("f")).toBe("x");
    }
  });

  test("PATH-19 prints a hint and denies everything, the working directory too, without a directory", async () => {
    await using folder = tempFolder({ f: "x" });
    const { code, stderr } = await run([], undefined, folder.path);
    expect(code).toBe(0);
    expect(stderr).toMatch(/No directory was named/);
    await using wired = await connectTo({ ...bin(), cwd: folder.path });
    for (const path of ["f", ".", folder.at("f"), "/etc/hostname", "/"])
      expect(await replyText(wired, "read_text_file", { path })).toMatch(DENIED);
    expect(await replyText(wired, "list_allowed_directories", {})).toMatch(/^Allowed directories:/);
  });

  test("PATH-23 expands a ~ only on the command line", async () => {
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

describe.concurrent("the process", () => {
  test.each([
    ["--nonsense", "x"],
    ["--roots=none", "x"],
    ["--max-result-bytes=0", "x"],
    ["--tools=write_fil", "."],
  ])("exits with code 2 on %s", async (...args) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr.split("\n")[0]).toMatch(/.{10,}/);
  });

  test("refuses to start with an invalid glob", async () => {
    await using folder = tempFolder();
    expect((await run(["--deny=!x", folder.path])).code).not.toBe(0);
  });

  test("STDIO-10 RPC-20 exits with code 0 at the end of input and completes a write in flight", async () => {
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
    "RPC-28 exits with code 0 on %s, with the old or the new content and no temporary file",
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

  test("leaves the old or the new content when it is killed during writes", async () => {
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

  test("RPC-27 STDIO-03 prints only messages on stdout, from start to end", async () => {
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

  test("logs the directories at the start and refusals on stderr with --log-level info", async () => {
    await using folder = tempFolder({ root: {} });
    for (const args of [["--log-level", "info"], []]) {
      await using server = startRaw(bin([...args, folder.at("root")]));
      await server.handshake();
      await server.request({
        jsonrpc: "2.0",
        id: 2,
        method: "tools/call",
        params: { name: "read_text_file", arguments: { path: "/etc/passwd" } },
      });
      const refused = "read_text_file: Access denied - path outside allowed directories: /etc/passwd";
      if (args.length > 0)
        await soon(
          () => server.stderr,
          (printed) => printed.includes(refused),
        );
      for (const line of [refused, `Allowed directories: ${folder.at("root")}`]) expect(server.stderr.includes(line)).toBe(args.length > 0);
    }
  });
});
