/** A repository that is looked at, staged in and watched: a git process for nearly each act. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cancelled, watched } from "../load/kit.ts";
import { fails, must, succeeds } from "../load/expect.ts";
import type { Domain } from "./domain.ts";

const COMMITS = 40;

/** By the git of this machine, which knows nothing of its user here. */
function makeRepository(path: string): void {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"];
  const git = (args: readonly string[], input = ""): void =>
    void execFileSync("git", ["-C", path, ...who, ...args], { input, stdio: ["pipe", "ignore", "ignore"] });
  mkdirSync(path);
  git(["init"]);
  const commits = Array.from({ length: COMMITS }, (_, at) => {
    const text = Array.from({ length: 60 }, (_line, line) => `line ${line} since ${line % (at + 1)}\n`).join("");
    const say = `change ${at}`;
    const head = `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + at * 60} +0000\ndata ${say.length}\n${say}\n`;
    return `${head}M 644 inline a.txt\ndata ${text.length}\n${text}\nM 644 inline d/f${at}.txt\ndata 6\nhello\n\n`;
  });
  git(["fast-import", "--quiet"], commits.join(""));
  git(["reset", "--hard", "main"]);
  writeFileSync(join(path, "a.txt"), "changed\n");
}

export const git: Domain = {
  name: "git",
  prepare(folder) {
    if (!existsSync(folder.at("clone"))) makeRepository(folder.at("clone"));
    return ["--repository", folder.at("clone")];
  },
  call: () => ({ name: "git_log", args: {} }),
  works: (folder) => ({
    status: async (client) => must((await succeeds(client.call("git_status"))).includes("a.txt"), "the change is missing"),
    log: async (client) => must((await succeeds(client.call("git_log", { max_count: 20 }))).includes("change 39"), "no commits"),
    show: async (client) => void (await succeeds(client.call("git_show", { revision: "HEAD~3" }))),
    diff: async (client) => void (await succeeds(client.call("git_diff", { target: "HEAD~5" }))),
    unstaged: async (client) => void (await succeeds(client.call("git_diff_unstaged"))),
    blame: async (client) => void (await succeeds(client.call("git_blame", { path: "a.txt", revision: "HEAD" }))),
    grep: async (client) => void (await succeeds(client.call("git_grep", { pattern: "hello" }))),
    branches: async (client) => must((await succeeds(client.call("git_branch"))).includes("main"), "no branch"),
    cancelled: (client) => cancelled(client, "git_log", { max_count: 40, stat: true }, 1),
    // Two at a time may be in each other's way, which the tool says.
    "add and reset": async (client) => {
      await client.call("git_add", { files: ["a.txt"] });
      await client.call("git_reset");
    },
    watched: async (client) => {
      const { uri } = (await Array.fromAsync(client.resources())).find((one) => one.uri.endsWith("/status")) ?? { uri: "none" };
      const file = folder.at(`clone/${randomUUID()}.txt`);
      await watched(client, uri, async () => writeFileSync(file, "new"));
      rmSync(file);
    },
    resource: async (client) => {
      const [first] = await Array.fromAsync(client.resources());
      await client.read(first?.uri ?? "none");
    },
    "no such revision": (client) => fails(client.call("git_show", { revision: "nowhere" })),
  }),
};
