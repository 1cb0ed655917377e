// GIT-32: large blobs, long lines, many commits, branches and folders take neither much time nor much memory. By default in small;
// OARLOCK_LONG=1 takes the sizes of the catalogue.
import { createWriteStream, writeFileSync } from "node:fs";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { TestRepository } from "../support/repository.ts";
import { expectHealthInTime } from "./health-in-time.ts";
import { startStress, type StressRun } from "./stress.ts";

const LONG = process.env["OARLOCK_LONG"] === "1";
const MIB = 1024 * 1024;
const BLOB_MIB = LONG ? 2048 : 8;
const LINE_MIB = LONG ? 500 : 12;
const COMMITS = LONG ? 1_000_000 : 3000;
const BRANCHES = LONG ? 100_000 : 1500;
const DEPTH = LONG ? 10_000 : 2000;
/** No reply is larger. */
const MOST_REPLY = 2_500_000;
/** Room for the server to grow in, whatever git says: 300 MiB as a rule, and more where a busy machine lets the collector wait. */
const MOST_MEMORY = 512 * MIB;

/** One answer: in time, within its bound, and marked where it was cut. */
async function bounded(stress: StressRun, name: string, args: object, deadlineMs = 35_000): Promise<string> {
  const answer = JSON.stringify(await stress.call(name, { repo_path: "r", ...args }, deadlineMs));
  expect(answer.length, `${name} ${JSON.stringify(args)}`).toBeLessThan(MOST_REPLY);
  await expectHealthInTime(stress);
  return answer;
}

const marked = /"truncated":true|nextCursor|"omitted":\[\{|"isError":true|\[truncated/;

async function peak(stress: StressRun): Promise<void> {
  const memory = stress.server.memory();
  if (memory !== undefined) expect(memory.peak).toBeLessThan(MOST_MEMORY);
}

/** So many bytes of `line`, by pieces. */
async function fill(path: string, mib: number, piece: Buffer): Promise<void> {
  const file = createWriteStream(path);
  for (let n = 0; n < mib; n++) if (!file.write(piece)) await once(file, "drain");
  file.end();
  await once(file, "close");
}

test("GIT-32 serves a huge blob, of many lines or one", async () => {
  let repo: TestRepository | undefined;
  await using stress = await startStress((own) => void (repo = own.repository("r")));
  const line = Buffer.alloc(MIB, "0123456789abcdef 0123456789abcdef 0123456789abcdef 0123456789abc\n");
  await fill(stress.at("r/lines.txt"), BLOB_MIB, line);
  await fill(stress.at("r/line.txt"), LINE_MIB, Buffer.alloc(MIB, "x"));
  for (const args of [{}, { include_untracked: true }, { include_untracked: true, paths: ["line.txt"] }])
    await bounded(stress, "git_diff_unstaged", args);
  repo?.git("-c", "core.bigFileThreshold=4g", "add", "-A");
  expect(await bounded(stress, "git_diff_staged", {})).toMatch(marked);
  expect(await bounded(stress, "git_diff_staged", { paths: ["line.txt"] })).toMatch(marked);
  repo?.git("commit", "-qm", "huge");
  expect(await bounded(stress, "git_show", { revision: "HEAD" })).toMatch(marked);
  expect(await bounded(stress, "git_show", { revision: "HEAD", path: "lines.txt" })).toMatch(marked);
  expect(await bounded(stress, "git_show", { revision: "HEAD", path: "line.txt" })).toMatch(marked);
  expect(await bounded(stress, "git_grep", { pattern: "x" })).toMatch(marked);
  expect(await bounded(stress, "git_grep", { pattern: "0", revision: "HEAD" })).toMatch(marked);
  expect(await bounded(stress, "git_blame", { path: "line.txt" })).toMatch(marked);
  expect(await bounded(stress, "git_blame", { path: "lines.txt" })).toMatch(marked);
  for (const args of [{ pickaxe: "z" }, { stat: true }]) await bounded(stress, "git_log", args);
  await stress.request("resources/read", { uri: "git:///r/blob/HEAD/lines.txt" }, 35_000);
  await stress.request("resources/read", { uri: "git:///r/commit/HEAD" }, 35_000);
  await peak(stress);
  await stress.checkRules();
}, 600_000);

test("GIT-32 serves very many commits, branches and tags", async () => {
  await using stress = await startStress((own) => {
    const repo = own.repository("r", {});
    repo.git("update-ref", "-d", "HEAD");
    repo.fill(COMMITS, 50);
    const id = repo.git("rev-parse", "HEAD");
    const refs = Array.from({ length: BRANCHES }, (_, n) => [`refs/heads/some-longer-name-of-a-branch/number-${n}`, `refs/tags/v${n}`]);
    repo.packedRefs(id, refs.flat());
  });
  expect(await bounded(stress, "git_log", { max_count: 1_000_000_000 })).toMatch(marked);
  expect(await bounded(stress, "git_log", { max_count: 100, stat: true })).toMatch(marked);
  expect(await bounded(stress, "git_log", { grep: "no such thing" })).not.toMatch(marked);
  expect(await bounded(stress, "git_branch", { branch_type: "all" })).toMatch(marked);
  expect(await bounded(stress, "git_branch", { branch_type: "all", limit: 1_000_000 })).toMatch(BRANCHES > 10_000 ? marked : /number-1/);
  expect(await bounded(stress, "git_tag", { action: "list" })).toMatch(marked);
  expect(await bounded(stress, "git_show", { revision: "some-longer-name-of-a-branch/number-1x" })).toMatch(/did you mean/i);
  await bounded(stress, "git_blame", { path: "file-1.txt" });
  const ref = { type: "ref/resource", uri: "git:///{repo}/blob/{revision}/{+path}" };
  for (const value of ["", "some", "v1", "x"])
    await stress.request("completion/complete", { ref, argument: { name: "revision", value }, context: { arguments: { repo: "r" } } });
  await stress.request("resources/read", { uri: "git:///r/refs" });
  await peak(stress);
  await stress.checkRules();
}, 600_000);

test("GIT-32 serves a very deep tree and very many changed and untracked files", async () => {
  await using stress = await startStress((own) => {
    const repo = own.repository("r");
    const stream = `blob\nmark :1\ndata 5\ndeep\ncommit refs/heads/deep\ncommitter a <a@b> 1700000000 +0000\ndata 1\nx\nM 100644 :1 ${"d/".repeat(DEPTH)}f\n`;
    repo.raw(["fast-import", "--quiet"], { input: stream });
    for (let n = 0; n < 4000; n++) writeFileSync(own.at(`r/an untracked file with a long name, number ${n}.txt`), "x\n");
  });
  for (const args of [
    { revision: "deep" },
    { revision: "deep", format: "names" },
    { revision: "deep", path: "d" },
    { revision: "deep", path: `${"d/".repeat(DEPTH)}f` },
  ])
    await bounded(stress, "git_show", args);
  await bounded(stress, "git_diff", { target: "deep", base: "main" });
  await bounded(stress, "git_grep", { pattern: "deep", revision: "deep" });
  expect(await bounded(stress, "git_status", {})).toMatch(marked);
  expect(await bounded(stress, "git_status", { limit: 1_000_000 })).toMatch(/number 3999/);
  await bounded(stress, "git_diff_unstaged", { include_untracked: true });
  await bounded(stress, "git_add", { files: ["."] });
  expect(await bounded(stress, "git_diff_staged", {})).toMatch(/number 3999/);
  await peak(stress);
  await stress.checkRules();
}, 600_000);
