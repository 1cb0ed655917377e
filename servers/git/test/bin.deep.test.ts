// The command line: which repositories are served and how, what is output on stderr, and how the process ends.
import { chmodSync, mkdirSync } from "node:fs";
import type { Exit } from "@oarlock/client";
import { connectTo, needs, startRaw, tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test, vi } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { bin } from "./support/target.ts";
import { textOf } from "./support/world.ts";

// Many processes, side by side.
vi.setConfig({ testTimeout: 60_000, maxConcurrency: 4 });

/** Starts it, ends its input, and tells how it went. */
async function run(
  args: readonly string[],
  { cwd = "/", env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Exit & { stderr: string }> {
  await using server = startRaw({ ...bin(args, env), cwd });
  server.end();
  const exit = await server.exit();
  return { ...exit, stderr: server.stderr };
}

async function status(args: readonly string[], cwd = "/", repoPath?: string): Promise<string> {
  await using wired = await connectTo({ ...bin(args), cwd });
  return textOf(await wired.client.call("git_status", repoPath === undefined ? {} : { repo_path: repoPath }));
}

function folderWith(...names: string[]): TempFolder {
  const folder = tempFolder({ plain: {}, file: "x" });
  for (const name of names) makeRepository(folder.at(name), { "d/a": "a" });
  return folder;
}

const CLEAN = "Repository status:\nOn branch main\nnothing to commit, working tree clean";

describe.concurrent("served repositories", () => {
  test("servers#3029 serves repositories named by switch or as positionals, absolute or relative", async () => {
    await using folder = folderWith("one");
    for (const args of [["--repository", folder.at("one")], [folder.at("one")]]) expect(await status(args)).toBe(CLEAN);
    expect(await status(["-r", "."], folder.at("one"))).toBe(CLEAN);
  });

  test("servers#1991 serves the repository around the working directory by default", async () => {
    await using folder = folderWith("one");
    expect(await status([], folder.at("one/d"))).toBe(CLEAN);
    expect(await status([], folder.at("one/d"), folder.at("one/d"))).toBe(CLEAN);
  });

  test("requires a working directory only without a named repository", async () => {
    await using folder = folderWith("one");
    const ended = async (args: readonly string[]): Promise<[number | null, string | undefined]> => {
      mkdirSync(folder.at("gone"));
      const own = bin(args);
      const words = ["-c", 'rmdir "$PWD" && exec "$@"', "sh", own.command, ...(own.args ?? [])];
      await using server = startRaw({ ...own, command: "sh", args: words, cwd: folder.at("gone") });
      server.end();
      const { code } = await server.exit();
      return [code, server.stderr.split("\n")[0]];
    };
    expect(await ended(["--repository", folder.at("one")])).toEqual([0, expect.stringContaining("is ready on stdio")]);
    const sentence = "Error: The working directory was removed or cannot be read by this user. Start in another directory.";
    expect(await ended([])).toEqual([3, sentence]);
    expect(await ended(["--print-config", "json"])).toEqual([3, sentence]);
  });

  test("GIT-02 warns and refuses every call without a named repository or one around the working directory", async () => {
    await using folder = folderWith("one");
    const { code, stderr } = await run([], { cwd: folder.at("plain") });
    expect({ code, output: stderr.includes("No repository was named and the working directory is not in one") }).toEqual({
      code: 0,
      output: true,
    });
    for (const path of [undefined, folder.at("one")]) expect(await status([], folder.at("plain"), path)).toMatch(/^Access denied - /);
  });

  test("refuses a folder inside a repository and names the top", async () => {
    await using folder = folderWith("one");
    const { code, stderr } = await run(["--repository", folder.at("one/d")]);
    expect(code).toBe(2);
    expect(stderr).toContain(`is a folder inside a repository: name its top, ${folder.at("one")}`);
  });

  test("warns of folders that cannot be served and serves the others", async () => {
    await using folder = folderWith("one");
    const { code, stderr } = await run([
      "-r",
      folder.at("none"),
      "-r",
      folder.at("plain"),
      "-r",
      folder.at("file"),
      "-r",
      folder.at("one"),
    ]);
    expect(code).toBe(0);
    for (const [name, why] of [
      ["none", "it does not exist"],
      ["plain", "it is not a git repository"],
      ["file", "it is not a directory"],
    ] as const)
      expect(stderr).toContain(`Cannot serve ${folder.at(name)}, skipping: ${why}`);
  });

  test("names path, reason and remedy in one line when no repository can be served", async () => {
    await using folder = folderWith("one");
    const missing = `Cannot serve repository "${folder.at("none")}": it does not exist. Correct the path.`;
    const plain = `Cannot serve repository "${folder.at("plain")}": it is not a git repository. Name the top folder of a repository, or make one there with: git init`;
    expect(await run(["-r", folder.at("none")])).toMatchObject({ code: 3, stderr: `Error: ${missing}\n` });
    expect(await run(["-r", folder.at("none"), folder.at("plain")])).toMatchObject({ code: 3, stderr: `Error: ${missing} ${plain}\n` });
    expect(await run(["-r", "none"], { cwd: folder.path })).toMatchObject({
      code: 3,
      stderr: `Error: Cannot serve repository "none" (${folder.at("none")}): it does not exist. Correct the path.\n`,
    });
  });

  test("--repositories-root serves all repositories below by name and refuses others", async () => {
    await using folder = folderWith("all/one", "all/deep/two", "other");
    const args = ["--repositories-root", folder.at("all")];
    for (const path of ["one", "deep/two", folder.at("all/one"), folder.at("all/deep/two/d")])
      expect(await status(args, "/", path)).toBe(CLEAN);
    expect(await status(args)).toBe("Several repositories are served: choose one with repo_path. Served: one, deep/two.");
    expect(await status(args, "/", folder.at("other"))).toMatch(/^Access denied - /);
    expect(await status(args, "/", "deep")).toBe("Not a git repository: deep. Served: one, deep/two.");
  });

  test("gives repositories with the same name unique names", async () => {
    await using folder = folderWith("a/project", "b/project");
    await using wired = await connectTo(bin(["-r", folder.at("a/project"), "-r", folder.at("b/project")]));
    expect((await Array.fromAsync(wired.client.resources())).map(({ uri }) => uri)).toEqual([
      "git:///project/status",
      "git:///project-2/status",
      "git:///project/refs",
      "git:///project-2/refs",
    ]);
    expect(textOf(await wired.client.call("git_status", { repo_path: "project-2" }))).toBe(CLEAN);
  });
});

describe.concurrent("the git program", needs("shell scripts"), () => {
  const fake = (folder: TempFolder, says: string): string => {
    folder.write({ git: `#!/bin/sh\n${says}\n` });
    chmodSync(folder.at("git"), 0o755);
    return folder.at("git");
  };

  test("reports a git that is too old in the first reply", async () => {
    await using folder = folderWith("one");
    const git = fake(folder, "echo git version 2.30.1");
    expect(await status(["--git", git, "-r", folder.at("one")])).toBe(
      "git 2.30 is too old: this server needs git 2.36 or later. Update git, or name a newer program with --git FILE.",
    );
  });

  test("exits with code 3 when git is missing, and reports an error when it disappears later", async () => {
    await using folder = folderWith("one");
    expect(await run(["--git", folder.at("none"), "-r", folder.at("one")])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("is not an executable file: name the git program"),
    });
    const git = fake(folder, 'exec /usr/bin/env git "$@"');
    await using wired = await connectTo(bin(["--git", git, "-r", folder.at("one")]));
    const { rmSync } = await import("node:fs");
    rmSync(git);
    expect(textOf(await wired.client.call("git_status"))).toContain("git was not found: install it, or name the program with --git FILE");
  });
});

describe.concurrent("the process", () => {
  test("servers#1317 prints one line when ready, with -v also the served repositories", async () => {
    await using folder = folderWith("one");
    expect((await run(["-r", folder.at("one")])).stderr).toContain("is ready on stdio");
    for (const flag of ["-v", "-vv"]) expect((await run([flag, "-r", folder.at("one")])).stderr).toContain(`Serving ${folder.at("one")}`);
  });

  test.each([["--unknown"], ["--roots=maybe"], ["--toolsets=other"], ["--tools=git_nope"], ["--max-result-bytes=0"], ["--protocols=ext"]])(
    "exits with code 2 on %s",
    async (flag) => {
      await using folder = folderWith("one");
      expect((await run([flag, "-r", folder.at("one")])).code).toBe(2);
    },
  );

  test("reads switches from environment variables", async () => {
    await using folder = folderWith("one");
    await using wired = await connectTo(bin([], { OARLOCK_REPOSITORY: folder.at("one"), OARLOCK_READ_ONLY: "1" }));
    expect((await Array.fromAsync(wired.client.tools())).map(({ name }) => name)).not.toContain("git_commit");
    expect(textOf(await wired.client.call("git_status"))).toBe(CLEAN);
  });

  test("--print-config names the repository with its absolute path", async () => {
    await using folder = folderWith("one");
    const { execFileSync } = await import("node:child_process");
    const { command, args = [] } = bin(["-r", "one", "--print-config", "json"]);
    const output = execFileSync(command, args, { cwd: folder.path, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    expect(output).toContain(folder.at("one"));
  });

  test("--print-config names the repository around the working directory by default", async () => {
    await using folder = folderWith("one");
    const { execFileSync } = await import("node:child_process");
    const argsSaid = (given: readonly string[], cwd = folder.at("one")): string[] => {
      const { command, args = [] } = bin([...given, "--print-config", "json"]);
      const output = execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      const { mcpServers } = JSON.parse(output) as { mcpServers: Record<string, { args: string[] }> };
      return Object.values(mcpServers)[0]!.args;
    };
    expect(argsSaid([]).at(-1)).toBe(folder.at("one"));
    expect(argsSaid(["--repositories-root", "."], folder.path).slice(-2)).toEqual(["--repositories-root", folder.path]);
    expect(argsSaid([], folder.path).at(-1)).toMatch(/bin\.[jt]s$/);
  });
});
