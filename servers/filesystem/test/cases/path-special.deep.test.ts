// PATH-36 to PATH-39 and PATH-41: entries that are not regular files, and files that always change.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tryAll } from "./entrances.ts";
import { startStress } from "./stress.ts";

const posix = process.platform !== "win32";
const linux = process.platform === "linux";
const MiB = 1024 * 1024;

describe.runIf(posix)("special files", () => {
  test("PATH-36 deviation `regular-files`: delays no plain read by eight reads of pipes without a writer", async () => {
    await using stress = await startStress();
    const pipes = Array.from({ length: 8 }, (_, at) => `p${at}`);
    execFileSync(
      "mkfifo",
      pipes.map((name) => stress.at(name)),
    );
    const reads = pipes.map((path) => stress.reply("read_text_file", { path }));
    await stress.checkHealth();
    for (const replyText of await Promise.all(reads))
      expect(replyText).toMatchObject({ failed: true, text: expect.stringMatching(/^Not a regular file/) });
    expect(await stress.reply("get_file_info", { path: "p0" })).toMatchObject({
      failed: false,
      text: expect.stringContaining("isFile: false"),
    });
    expect((await stress.reply("list_directory", { path: "." })).text).toContain("[OTHER] p0");
    const contents = ({ name }: { name: string }): boolean =>
      !/^(get_file_info|completion|resources\/subscribe|prompt find|delete_file dryRun)/.test(name);
    for (const { entrance, refused } of await tryAll(stress, "p0", contents)) expect(refused, entrance).toBe(true);
    expect(readdirSync(stress.root).toSorted()).toEqual([...pipes, "plain.txt"]);
    await stress.checkRules();
  });

  test.each(["zero", "urandom", "tty", "full", "stdin", "fd/0"])(
    "PATH-37 refuses a link to /dev/%s without reading a byte",
    async (device) => {
      await using stress = await startStress();
      symlinkSync(`/dev/${device}`, stress.at("d"));
      for (const { entrance, refused } of await tryAll(stress, "d", ({ name }) => !name.startsWith("completion")))
        expect(refused, entrance).toBe(true);
      expect((await stress.reply("search_files", { path: ".", pattern: "**" })).text.split("\n")).toHaveLength(2);
      await stress.checkRules();
    },
  );

  test("PATH-37 refuses devices below an allowed /dev by their type", async () => {
    await using stress = await startStress({}, { directories: (base) => [`${base}/ROOT`, "/dev"] });
    for (const path of ["/dev/zero", "/dev/urandom", "/dev/full"]) {
      for (const name of ["read_text_file", "read_media_file"])
        expect(await stress.reply(name, { path }, 2000), path).toMatchObject({
          failed: true,
          text: expect.stringMatching(/^Not a regular file/),
        });
      expect(await stress.reply("write_file", { path, content: "x" }, 2000), path).toMatchObject({ failed: true });
      expect((await stress.request("resources/read", { uri: `file://${path}` }, 2000))["error"], path).toMatchObject({ code: -32602 });
    }
    for (const path of ["/dev/stdin", "/dev/fd/0", "/dev/fd/3"])
      expect(await stress.reply("read_text_file", { path }, 2000), path).toMatchObject({ failed: true });
    await stress.checkRules();
  });

  test("PATH-38 reports metadata of a socket and refuses its content", async () => {
    await using stress = await startStress();
    const socket: Server = createServer().listen(stress.at("s"));
    await new Promise((resolve) => socket.once("listening", resolve));
    const contents = ({ name }: { name: string }): boolean =>
      !/^(get_file_info|completion|resources\/subscribe|prompt find|delete_file dryRun)/.test(name);
    for (const { entrance, refused } of await tryAll(stress, "s", contents)) expect(refused, entrance).toBe(true);
    expect(await stress.reply("get_file_info", { path: "s" })).toMatchObject({ failed: false });
    expect(readdirSync(stress.root).toSorted()).toEqual(["plain.txt", "s"]);
    socket.close();
    await stress.checkRules();
  });
});

test.runIf(linux)("PATH-39 refuses the magic links of /proc and /dev even when / is allowed", async () => {
  await using stress = await startStress({}, { directories: () => ["/"] });
  const paths = [
    "/proc/self/environ",
    "/proc/self/root/etc/passwd",
    `/proc/self/root${stress.root}/plain.txt`,
    "/proc/self/cwd/package.json",
    "/proc/self/fd/3",
    "/proc/self/fd/0",
    "/proc/self/exe",
    "/proc/self/maps",
    `/proc/${stress.pid}/environ`,
    `/proc/${stress.pid}/fd/1`,
    "/proc/1/root/etc/passwd",
    "/dev/stdin",
    "/dev/fd/0",
    "/dev/fd/1",
  ];
  const contents = ({ name, writes }: { name: string; writes: boolean }): boolean =>
    !writes && !/^(get_file_info|completion|resources\/subscribe|prompt find|move_file)/.test(name);
  for (const path of paths)
    for (const { entrance, refused } of await tryAll(stress, path, contents)) expect(refused, `${entrance} ${path}`).toBe(true);
  await stress.checkRules();
});

test("PATH-41 ends the read of an endlessly growing file at its size at the start or the limit of a reply", async () => {
  await using stress = await startStress({ log: "start\n" });
  const grower = spawn(process.execPath, [fileURLToPath(new URL("fixtures/grower.ts", import.meta.url)), stress.at("log")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await new Promise((resolve) => grower.stdout.once("data", resolve));
    for (let round = 0; round < 20; round++) {
      const { text } = await stress.reply("read_text_file", { path: "log" });
      expect(text.length).toBeLessThan(3 * MiB);
    }
    expect((await stress.reply("read_text_file", { path: "log", head: 1 })).text).toBe("start");
    expect((await stress.reply("read_text_file", { path: "log", tail: 1 })).failed).toBe(false);
    await stress.reply("read_media_file", { path: "log" });
  } finally {
    grower.kill("SIGKILL");
  }
  await stress.checkRules();
});
