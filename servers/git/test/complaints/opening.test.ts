// Complaints about opening repositories, about starting, and about what is called to it; each answered by a test. The README lists them.
import { mkdirSync, symlinkSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, startRaw, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { bin } from "../support/target.ts";
import { textOf, world } from "../support/world.ts";

const DENIED = /^Access denied/;

test("servers#604 servers#4550 servers#4552 opens only named repositories, or the one around the working directory", async () => {
  await using folder = tempFolder();
  const [one, other] = ["one", "other"].map((name) => makeRepository(folder.at(name), { f: name }));
  await using named = await connectTo(bin(["--repository", folder.at("one")]));
  expect(textOf(await named.client.call("git_log", { repo_path: other?.path }))).toMatch(DENIED);
  expect(textOf(await named.client.call("git_log", { repo_path: one?.path }))).toContain("first");
  mkdirSync(folder.at("one/deep"));
  await using around = await connectTo({ ...bin([]), cwd: folder.at("one/deep") });
  expect(textOf(await around.client.call("git_log", {}))).toContain("first");
  expect(textOf(await around.client.call("git_log", { repo_path: other?.path }))).toMatch(DENIED);
});

test("servers#3613 removed roots no longer count", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { f: "one" });
  const root = (path: string) => ({ uri: `file://${path}` });
  await using wired = await connectTo(bin(["--repository", repository.path]), { roots: [root(folder.path)] });
  const log = async (): Promise<string> => textOf(await wired.client.call("git_log", {}));
  expect(await log()).toContain("first");
  for (const roots of [[], [root(folder.at("elsewhere"))]]) {
    wired.client.setRoots(roots);
    await expect.poll(log, { timeout: 3000 }).toMatch(DENIED);
    wired.client.setRoots([root(repository.path)]);
    await expect.poll(log, { timeout: 3000 }).toContain("first");
  }
});

test("servers#3029 servers#3997 servers#1991 accepts `.` and any folder of the work tree, and names the top of a part", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "src/deep/f": "one" });
  symlinkSync("project", folder.at("link"));
  for (const [cwd, path] of [
    [repository.path, "."],
    [folder.path, "project"],
    [folder.path, "./project/"],
    [folder.path, "link"],
  ] as const) {
    await using wired = await connectTo({ ...bin(["--repository", path]), cwd });
    for (const repo_path of [undefined, ".", repository.path, `${repository.path}/src/deep`, "src", "src/deep"]) {
      const args: Json = repo_path === undefined ? {} : { repo_path };
      expect(textOf(await wired.client.call("git_log", args)), `${path} ${repo_path}`).toContain("first");
    }
  }
  await using part = startRaw({ ...bin(["--repository", "."]), cwd: `${repository.path}/src` });
  expect((await part.exit()).code).not.toBe(0);
  expect(part.stderr).toContain(repository.path);
});

test("servers#619 takes the committer from the environment, the repository or the user, and never makes one up", async () => {
  await using folder = tempFolder({ home: { ".gitconfig": "[user]\n\tname = Home User\n\temail = home@example.org\n" }, empty: {} });
  const repository = makeRepository(folder.at("project"), { f: "one" });
  const commitWith = async (env: Readonly<Record<string, string>>): Promise<string> => {
    await using wired = await connectTo(bin(["--repository", repository.path], env));
    const output = textOf(await wired.client.call("git_commit", { message: "who", allow_empty: true }));
    return output.startsWith("Changes committed") ? repository.git("log", "-1", "--format=%an <%ae>, %cn <%ce>") : output;
  };
  const role = (name: string) =>
    Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, name],
        [`GIT_${who}_EMAIL`, "e@example.org"],
      ]),
    );
  expect(await commitWith({ HOME: folder.at("home"), ...role("Of Environment") })).toBe(
    "Of Environment <e@example.org>, Of Environment <e@example.org>",
  );
  expect(await commitWith({ HOME: folder.at("home") })).toBe("Ada Lovelace <ada@example.org>, Ada Lovelace <ada@example.org>");
  repository.git("config", "--remove-section", "user");
  expect(await commitWith({ HOME: folder.at("home") })).toBe("Home User <home@example.org>, Home User <home@example.org>");
  const head = repository.git("rev-parse", "HEAD");
  expect(await commitWith({ HOME: folder.at("empty") })).toMatch(/^The committer is unknown: set user\.name/);
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
});

test("servers#1317 prints that it is ready on stderr only", async () => {
  await using folder = tempFolder();
  const { path } = makeRepository(folder.at("project"), { f: "one" });
  await using server = startRaw(bin(["--repository", path]));
  await expect.poll(() => server.stderr, { timeout: 5000 }).toMatch(/ready/);
  expect(server.unread).toEqual([]);
});

test("MrLesk/Backlog.md#403 wandercom/kindex#18 riponcm/projectmem#4 git gets no pipe of the protocol: a call while many more are on their way", async () => {
  await using at = await world({ tree: { f: "one" }, transport: "stdio" });
  const all = await Promise.all(Array.from({ length: 40 }, () => at.call("git_status")));
  expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  expect(at.wired.faults).toEqual([]);
});

test("cyanheads/git-mcp-server#32 cyanheads/git-mcp-server#2 the first call needs no other before it, and nothing is kept for the next", async () => {
  await using folder = tempFolder();
  const one = makeRepository(folder.at("all/one"), { f: "one" });
  makeRepository(folder.at("all/two"), { f: "two" });
  await using single = await connectTo(bin(["--repository", one.path]));
  expect(textOf(await single.client.call("git_status", {}))).toMatch(/^Repository status:/);
  await using several = await connectTo(bin(["--repositories-root", folder.at("all")]));
  expect(textOf(await several.client.call("git_status", { repo_path: "one" }))).toMatch(/^Repository status:/);
  expect(textOf(await several.client.call("git_status", {}))).toMatch(/repo_path.*one.*two/s);
});

test("cyanheads/git-mcp-server#56 clone, worktrees and links stay inside, and --read-only offers nothing that writes", async () => {
  await using folder = tempFolder({ out: {} });
  const repository = makeRepository(folder.at("in/project"), { f: "one" });
  symlinkSync(folder.at("out"), folder.at("in/project/way"));
  await using wired = await connectTo(bin(["--repositories-root", folder.at("in"), "--toolsets=default,remote,integrate"]));
  for (const path of ["../../out/x", "way/x", folder.at("out/x"), "../../../x"]) {
    for (const [name, args] of [
      ["git_worktree", { action: "add", path, branch: "new", create: true }],
      ["git_clone", { url: "https://127.0.0.1:9/x.git", path }],
      ["git_init", { path }],
    ] as const)
      if (name === "git_worktree" || path.startsWith("/"))
        expect(textOf(await wired.client.call(name, { repo_path: "project", ...args })), `${name} ${path}`).toMatch(DENIED);
  }
  expect(folder.tree()).not.toHaveProperty("out/x");
  expect(repository.git("worktree", "list").split("\n").length).toBe(1);
  await using reading = await connectTo(bin(["--repository", repository.path, "--read-only", "--toolsets=default,remote,integrate"]));
  const tools = await Array.fromAsync(reading.client.tools());
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
});

test("gitkraken/gk-cli#222 no account and no network: nothing is asked for, and no tool of the default list speaks to anybody", async () => {
  await using at = await world({ tree: { f: "one" }, transport: "stdio" });
  const tools = await Array.fromAsync(at.client.tools());
  expect(tools.filter(({ annotations }) => annotations?.openWorldHint !== false)).toEqual([]);
  expect(tools.map(({ name }) => name)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/fetch|pull|push|clone|remote|login|auth/)]),
  );
});
