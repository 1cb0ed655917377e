// GIT-15: revisions and patterns that would take git very long.
import { expect, test } from "vitest";
import { expectHealthInTime } from "./health-in-time.ts";
import { startStress, type StressRun } from "./stress.ts";

test("GIT-15 ends a costly revision with an id or a clean error in time while it serves other calls", async () => {
  const words = Array.from({ length: 300 }, (_, at) => `${"a".repeat(60 + (at % 7))}!`).join(" ");
  const prepare = (own: StressRun): void => {
    const repo = own.repository("r");
    for (let n = 0; n < 10; n++) repo.commit(`${words} ${"x".repeat(2000)} ${n}`);
  };
  await using stress = await startStress(prepare, { args: ["--timeout=2500"] });
  const revisions = [
    ":/^(a+)+$",
    "HEAD^{/(x+x+)+y}",
    `:/${"(x+x+)+".repeat(5)}y`,
    ":/\\(\\(\\(x\\{1,99\\}\\)\\{1,99\\}\\)\\{1,99\\}\\)",
    "HEAD~999999999",
    "HEAD^999999999",
    "HEAD~99999999999999999999999",
    "@{1000000}",
    "HEAD@{1000000.years.ago}",
    "HEAD:../../OUT/secret.txt",
    "HEAD:/etc/passwd",
    "HEAD:./../../OUT/secret.txt",
    "HEAD:~/x",
    ":0:../OUT/secret.txt",
    `HEAD${"^".repeat(900)}`,
    `HEAD${"~1".repeat(450)}`,
    "HEAD^{}^{}^{tree}^{commit}",
    "@{u}",
    "@{-1}",
    "--",
    "HEAD^@",
    "HEAD^!",
    "HEAD^-",
    "^HEAD",
    "main^{/}",
    ":/",
    "x".repeat(100_000),
  ];
  for (const revision of revisions) {
    const calls = [
      stress.reply("git_show", { repo_path: "r", revision }),
      stress.reply("git_log", { repo_path: "r", revision, max_count: 1 }),
      stress.reply("git_diff", { repo_path: "r", target: revision, format: "names" }),
      stress.reply("git_branch", { repo_path: "r", contains: revision }),
    ];
    await expectHealthInTime(stress);
    for (const { text } of await Promise.all(calls)) expect(text.length, revision.slice(0, 80)).toBeLessThan(200_000);
  }
  for (const pattern of ["\\(x*x*\\)*y", "\\(\\(\\(x\\{1,99\\}\\)\\{1,99\\}\\)\\{1,99\\}\\)", "\\(a*\\)*\\1b", "["]) {
    for (const args of [{ grep: pattern }, { author: pattern }, { pickaxe: pattern }])
      await stress.reply("git_log", { repo_path: "r", ...args });
    await expectHealthInTime(stress);
  }
  await stress.checkRules();
}, 180_000);
