// GIT-27 to GIT-30: transports, submodules, the environment and the owner.
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestRepository } from "../support/repository.ts";
import { ENTRY_POINTS, tryAll, type EntryPoint } from "./entry-points.ts";
import { startStress, type StressRun } from "./stress.ts";

/** Addresses that run a program, read a folder, or reach a host that is not allowed. */
const urls = ({ executionMark: mark, out }: StressRun): string[] => [
  `ext::sh -c touch% ${mark}`,
  `EXT::sh -c touch% ${mark}`,
  `Ext::touch ${mark}`,
  "fd::17/foo",
  "FD::17",
  `file://${out}/repo`,
  `FILE://${out}/repo`,
  `${out}/repo`,
  "../../OUT/repo",
  "./../../OUT/repo",
  `-oProxyCommand=touch ${mark}`,
  `ssh://-oProxyCommand=touch%20${mark}/x`,
  `ssh://-oProxyCommand=touch ${mark}/x`,
  `-oProxyCommand=touch ${mark}:x`,
  "git://127.0.0.1:9/x",
  "http::ext::x",
  `transport::${out}`,
  `testgit::${out}/repo`,
  `--upload-pack=touch ${mark}`,
  `https://127.0.0.1:9/x\n--upload-pack=touch ${mark}`,
  `persistent-https://127.0.0.1:9/x`,
  `ftp://127.0.0.1:9/x`,
  "",
  "::",
];

/** An address of each kind: one that runs a program, and one that reads a folder. */
const RUNNING_OR_READING: readonly number[] = [0, 5];

/** All ways in where there is time; else every second one, of which `turn` says which. */
const isTried = (way: EntryPoint, turn: number): boolean =>
  process.env["OARLOCK_LONG"] === "1" || ENTRY_POINTS.indexOf(way) % 2 === turn % 2;

/** One server for all tests, but for that of the environment. */
let stress: StressRun;

beforeAll(async () => {
  stress = await startStress();
});

afterAll(() => stress[Symbol.asyncDispose]());

test("GIT-27 uses no remote that runs programs or reads folders", async () => {
  const repo = stress.repository("remote");
  const config = readFileSync(stress.at("remote/.git/config"));
  for (const [n, url] of urls(stress).entries()) {
    writeFileSync(stress.at("remote/.git/config"), config);
    repo.configure(
      ["remote.origin.url", url],
      ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
      ["branch.main.remote", "origin"],
      ["branch.main.merge", "refs/heads/main"],
      ["protocol.ext.allow", "always"],
      ["PROTOCOL.Ext.Allow", "always"],
      ["protocol.allow", "always"],
    );
    const calls = [
      ["git_fetch", { repo_path: repo.path }],
      ["git_fetch", { repo_path: repo.path, remote: "origin" }],
      ["git_fetch", { repo_path: "plain", remote: url }],
      ["git_pull", { repo_path: repo.path }],
      ["git_push", { repo_path: repo.path }],
      ["git_push", { repo_path: "plain", remote: url, branch: "main" }],
      ["git_clone", { url, path: stress.at(`cloned${n}`) }],
      ["git_remote", { repo_path: "plain", action: "add", name: `x${n}`, url }],
    ] as const;
    for (const [name, args] of calls)
      expect(await stress.reply(name, args), `${name} ${JSON.stringify(args)}`).toMatchObject({ failed: true });
    if (!RUNNING_OR_READING.includes(n)) continue;
    // One of each kind is used in the other ways too, which leave other branches.
    const used = stress.repository(`used${n}`);
    copyFileSync(stress.at("remote/.git/config"), stress.at(`used${n}/.git/config`));
    await tryAll(stress, used.path, (way) => way.tool !== "git_clone" && isTried(way, n));
  }
  expect(readdirSync(stress.root).filter((name) => name.startsWith("cloned"))).toEqual([]);
  expect(new TestRepository(stress.at("plain")).git("remote")).toBe("");
  await stress.checkRules();
});

test("GIT-27 never runs network programs of a repository's configuration", async () => {
  const run = `touch '${stress.executionMark}';:`;
  const settings: Record<string, readonly (readonly [string, string])[]> = {
    upload: [
      ["remote.origin.uploadpack", run],
      ["remote.origin.url", `${stress.out}/repo`],
    ],
    receive: [
      ["remote.origin.receivepack", run],
      ["remote.origin.url", `${stress.out}/repo`],
    ],
    vcs: [
      ["remote.origin.vcs", "ext"],
      ["remote.origin.url", `sh -c touch% ${stress.executionMark}`],
    ],
    ssh: [
      ["core.sshCommand", run],
      ["remote.origin.url", "ssh://127.0.0.1:9/x"],
      ["ssh.variant", "simple"],
    ],
    proxy: [
      ["core.gitProxy", run],
      ["remote.origin.url", "git://127.0.0.1:9/x"],
    ],
    instead: [
      ["url.ext::sh -c touch% x.insteadOf", "https://"],
      ["remote.origin.url", "https://127.0.0.1:9/x"],
    ],
    instead2: [
      ["URL.ext::.insteadOf", "good:"],
      ["remote.origin.url", `good:sh -c touch% ${stress.executionMark}`],
    ],
    helper: [
      ["credential.helper", `!${run}`],
      ["remote.origin.url", "https://127.0.0.1:9/x"],
    ],
    push: [
      ["remote.origin.pushurl", `ext::sh -c touch% ${stress.executionMark}`],
      ["remote.origin.url", "https://127.0.0.1:9/x"],
    ],
  };
  for (const [name, pairs] of Object.entries(settings))
    stress
      .repository(name)
      .configure(
        ...pairs,
        ["protocol.allow", "always"],
        ["protocol.file.allow", "always"],
        ["branch.main.remote", "origin"],
        ["branch.main.merge", "refs/heads/main"],
      );
  // What uses the network, and a quarter of what reads, which has no reason to.
  const ways = ENTRY_POINTS.filter(({ writes, tool }) => !writes || /fetch|pull|push/.test(tool ?? ""));
  for (const [n, name] of Object.keys(settings).entries())
    await tryAll(stress, stress.at(name), (way) => ways.includes(way) && (way.writes || ways.indexOf(way) % 4 === n % 4));
  await stress.checkRules();
});

test("GIT-27 never fetches missing objects of a partial clone", async () => {
  const repo = stress.repository("partial", { "f.txt": "one\n", "gone.txt": "gone\n" });
  const id = repo.git("rev-parse", "HEAD:gone.txt");
  // The blob is lost, and the repository says who has it.
  rmSync(stress.at("partial/.git/objects", id.slice(0, 2), id.slice(2)));
  repo.configure(
    ["remote.origin.url", `ext::sh -c touch% ${stress.executionMark}`],
    ["remote.origin.promisor", "true"],
    ["remote.origin.partialclonefilter", "blob:none"],
    ["extensions.partialClone", "origin"],
    ["core.repositoryformatversion", "1"],
    ["protocol.ext.allow", "always"],
  );
  repo.loosely("cat-file", "-p", id);
  expect(existsSync(stress.executionMark), "plain git would fetch it").toBe(true);
  rmSync(stress.executionMark);
  for (const args of [{ revision: "HEAD", path: "gone.txt" }, { revision: "HEAD" }, { revision: id }])
    expect(await stress.reply("git_show", { repo_path: "partial", ...args }), JSON.stringify(args)).toMatchObject({ failed: true });
  expect(await stress.reply("git_status", { repo_path: "partial" })).toMatchObject({ failed: false });
  await stress.checkRules();
});

test("GIT-27 opens no connection for a local tool", async () => {
  const heard: string[] = [];
  const listener: Server = createServer((socket) => {
    heard.push("connected");
    socket.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", () => resolve()));
  const { port } = listener.address() as { port: number };
  const repo = stress.repository("local");
  repo.configure(
    ["remote.origin.url", `git://127.0.0.1:${port}/x`],
    ["remote.origin.promisor", "true"],
    ["branch.main.remote", "origin"],
    ["branch.main.merge", "refs/heads/main"],
  );
  const remote = new Set(["git_fetch", "git_pull", "git_push", "git_clone", "git_remote"]);
  await tryAll(stress, repo.path, ({ tool }) => tool === undefined || !remote.has(tool));
  expect(heard).toEqual([]);
  await stress.checkRules();
  await new Promise((resolve) => listener.close(resolve));
});

test("GIT-28 enters no hostile submodule and runs nothing of it", async () => {
  const run = `touch '${stress.executionMark}';:`;
  const repo = stress.repository("outer");
  const inner = stress.repository("outer/sub", { "f.txt": "inner\n", ".gitattributes": "*.txt filter=x diff=x\n" });
  repo.git("add", "sub");
  repo.write({
    ".gitmodules": `[submodule "sub"]\n\tpath = sub\n\turl = --upload-pack=touch ${stress.executionMark}\n\tupdate = !touch ${stress.executionMark}\n\tignore = none\n[submodule "cr"]\n\tpath = "other\r"\n\turl = ../plain\n[submodule "../../hooks"]\n\tpath = .git/hooks\n\turl = -oProxyCommand=x\n`,
  });
  repo.commit("submodules");
  repo.configure(
    ["submodule.sub.url", `ext::sh -c touch% ${stress.executionMark}`],
    ["submodule.sub.active", "true"],
    ["submodule.recurse", "true"],
    ["diff.ignoreSubmodules", "none"],
    ["diff.submodule", "log"],
    ["status.submoduleSummary", "true"],
    ["fetch.recurseSubmodules", "true"],
    ["push.recurseSubmodules", "on-demand"],
  );
  inner.configure(
    ["core.fsmonitor", run],
    ["filter.x.clean", run],
    ["filter.x.smudge", run],
    ["diff.x.textconv", run],
    ["diff.external", run],
  );
  for (const name of ["pre-commit", "post-checkout", "post-index-change"]) {
    stress.write({ [`ROOT/outer/sub/.git/hooks/${name}`]: `#!/bin/sh\n${run}\n` });
    chmodSync(stress.at("outer/sub/.git/hooks", name), 0o755);
  }
  inner.write({ "f.txt": "changed inner\n" });
  repo.git("branch", "stress");
  expect(await stress.reply("git_status", { repo_path: repo.path })).toMatchObject({ failed: false });
  await tryAll(stress, repo.path, ({ tool }) => tool !== "git_clone");
  for (const files of [["sub"], ["sub/"], ["sub/f.txt"], ["."]]) {
    await stress.reply("git_add", { repo_path: "outer", files });
    await stress.reply("git_restore", { repo_path: "outer", files, source: "HEAD" });
    await stress.reply("git_diff_unstaged", { repo_path: "outer", paths: files });
    await stress.reply("git_stash", { repo_path: "outer", action: "push", paths: files, include_untracked: true });
    await stress.reply("git_stash", { repo_path: "outer", action: "pop" });
  }
  await tryAll(stress, stress.at("outer/sub"), (way) => way.tool !== "git_clone" && isTried(way, 0));
  await stress.checkRules();
});

test("GIT-29 ignores the server's environment and a git that stands first in PATH", needs("shell scripts"), async () => {
  const fake = (own: { base: string }): string => join(own.base, "fake");
  await using server = await startStress(
    (own) => {
      own.repository("r");
      own.write({
        "fake/git": `#!/bin/sh\ntouch '${own.executionMark}'\nexit 0\n`,
        "home/.gitconfig": `[core]\n\tfsmonitor = touch '${own.executionMark}';:\n[alias]\n\tstatus = !touch '${own.executionMark}'\n[user]\n\tname = Home\n\temail = home@example.org\n`,
      });
      chmodSync(join(fake(own), "git"), 0o755);
      mkdirSync(join(own.base, "home/.config/git"), { recursive: true });
      writeFileSync(join(own.base, "home/.config/git/config"), `[core]\n\tfsmonitor = touch '${own.executionMark}';:\n`);
    },
    {
      untraced: true,
      env: (base) => ({
        PATH: `${base}/fake:${process.env["PATH"] ?? ""}`,
        HOME: `${base}/home`,
        XDG_CONFIG_HOME: `${base}/home/.config`,
        GIT_DIR: `${base}/OUT/repo/.git`,
        GIT_WORK_TREE: `${base}/OUT`,
        GIT_INDEX_FILE: `${base}/OUT/index`,
        GIT_OBJECT_DIRECTORY: `${base}/OUT/repo/.git/objects`,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: `${base}/OUT/repo/.git/objects`,
        GIT_COMMON_DIR: `${base}/OUT/repo/.git`,
        GIT_NAMESPACE: "elsewhere",
        GIT_CONFIG_COUNT: "2",
        GIT_CONFIG_KEY_0: "core.fsmonitor",
        GIT_CONFIG_VALUE_0: `touch '${base}/MARK';:`,
        GIT_CONFIG_KEY_1: "diff.external",
        GIT_CONFIG_VALUE_1: `touch '${base}/MARK';:`,
        GIT_CONFIG_PARAMETERS: `'core.fsmonitor=touch ${base}/MARK'`,
        GIT_CONFIG_GLOBAL: `${base}/home/.gitconfig`,
        GIT_CONFIG_SYSTEM: `${base}/home/.gitconfig`,
        GIT_CONFIG: `${base}/home/.gitconfig`,
        GIT_SSH_COMMAND: `touch '${base}/MARK'`,
        GIT_SSH: `${base}/fake/git`,
        GIT_PROXY_COMMAND: `${base}/fake/git`,
        GIT_EXEC_PATH: `${base}/fake`,
        GIT_EXTERNAL_DIFF: `touch '${base}/MARK'`,
        GIT_PAGER: `touch '${base}/MARK'`,
        GIT_EDITOR: `touch '${base}/MARK';:`,
        GIT_SEQUENCE_EDITOR: `touch '${base}/MARK';:`,
        GIT_ASKPASS: `${base}/fake/git`,
        SSH_ASKPASS: `${base}/fake/git`,
        GIT_TEMPLATE_DIR: `${base}/OUT`,
        GIT_TRACE: `${base}/trace/GIT_TRACE`,
        GIT_TRACE_SETUP: `${base}/trace/GIT_TRACE_SETUP`,
        GIT_TRACE2: `${base}/trace/GIT_TRACE2`,
        GIT_TRACE2_EVENT: `${base}/trace/GIT_TRACE2_EVENT`,
        GIT_TRACE_PACKET: `${base}/trace/GIT_TRACE_PACKET`,
        GIT_REDIRECT_STDERR: `${base}/trace/redirected`,
        GIT_REPLACE_REF_BASE: "refs/heads",
        GIT_CEILING_DIRECTORIES: base,
        GIT_DISCOVERY_ACROSS_FILESYSTEM: "1",
        GIT_ALLOW_PROTOCOL: "ext:file:fd:git:http:https:ssh",
        GIT_ATTR_SOURCE: "HEAD",
        GIT_DEFAULT_HASH: "sha256",
        GIT_GLOB_PATHSPECS: "1",
        GIT_ICASE_PATHSPECS: "1",
        GIT_DIFF_OPTS: "-u0",
        GIT_SHALLOW_FILE: `${base}/OUT/secret.txt`,
        GIT_GRAFT_FILE: `${base}/OUT/secret.txt`,
        LESSOPEN: `|touch ${base}/MARK`,
        PAGER: `touch '${base}/MARK'`,
        EDITOR: `touch '${base}/MARK'`,
        VISUAL: `touch '${base}/MARK'`,
        LD_PRELOAD: "",
      }),
    },
  );
  const before = readdirSync(join(server.base, "trace"));
  await tryAll(server, server.at("r"), (way) => way.tool !== "git_clone" && isTried(way, 1));
  expect(await server.reply("git_log", { repo_path: "r", revision: "main" })).toMatchObject({
    failed: false,
    text: expect.stringContaining("Commit history:"),
  });
  expect(await server.reply("git_show", { repo_path: "r", revision: "HEAD", path: "f.txt" })).toMatchObject({
    failed: false,
    text: "one\n",
  });
  expect(readdirSync(join(server.base, "trace"))).toEqual(before);
  await server.checkRules();
});

test("GIT-30 refuses a repository of another user and never marks it as safe", async () => {
  const isRoot = process.getuid?.() === 0;
  // Only an administrator can give a folder away; others find one that belongs to the administrator.
  if (isRoot) {
    stress.repository("foreign").git("config", "alias.x", "!true");
    for (const name of ["foreign", "foreign/.git", "foreign/f.txt"]) chownSync(stress.at(name), 12_345, 12_345);
  } else {
    mkdirSync(stress.at("foreign"));
    symlinkSync("/", stress.at("foreign/.git"));
  }
  for (const { entryPoint, failed, text } of await tryAll(
    stress,
    stress.at("foreign"),
    ({ tool }) => tool !== "git_init" && tool !== "git_clone",
  )) {
    expect({ entryPoint, failed }).toEqual({ entryPoint, failed: true });
    if (isRoot && entryPoint.startsWith("git_"))
      expect({ entryPoint, text }).toMatchObject({ text: expect.stringMatching(/another user|owner/) });
  }
  await stress.checkRules();
});
