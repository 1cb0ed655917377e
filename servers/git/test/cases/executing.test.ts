// GIT-19 to GIT-26 in memory, one payload of each case. `executing.deep.test.ts` has all payloads, and shows that plain git runs them.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryRun } from "./memory-run.ts";
import { PAYLOADS } from "./payloads.ts";

const CASES = ["GIT-19", "GIT-20", "GIT-21", "GIT-22", "GIT-23", "GIT-24", "GIT-25", "GIT-26"];
const payloads = CASES.map((id) => PAYLOADS.find(({ title }) => title.startsWith(id))!);

/** Tools that would run a hook, a filter, a signer, an editor or a monitor. */
const CALLS = [
  ["git_status", {}],
  ["git_diff_unstaged", {}],
  ["git_add", { files: ["."] }],
  ["git_commit", { message: "m", allow_empty: true }],
  ["git_checkout", { branch_name: "new", create: true }],
] as const;

let run: MemoryRun;

beforeAll(async () => {
  run = new MemoryRun();
  for (const [n, { plant }] of payloads.entries()) {
    plant(run.repository(`r${n}`), `touch '${run.executionMark}'`);
    // Making the repository runs some of them.
    rmSync(run.executionMark, { force: true });
  }
  await run.start();
});

afterAll(() => run[Symbol.asyncDispose]());

test.each(payloads.map(({ title }, n) => [title, n] as const))("%s: runs nothing", async (_title, n) => {
  for (const [tool, args] of CALLS)
    expect((await run.reply(tool, { repo_path: run.at(`r${n}`), ...args })).text).not.toContain("Internal error");
  try {
    run.checkRules();
  } finally {
    rmSync(run.executionMark, { force: true });
  }
});
