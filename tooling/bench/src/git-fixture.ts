/** The repository that the git suite works on, made once and kept: many files and commits, some changed, some untracked. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { madeOnce, numberedLine as line } from "./paths.ts";

const HOT_LINES = 400;
const CHANGED = 50;
const UNTRACKED = 20;

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
const file = (at: number): string => `src/pkg${at % 100}/mod${Math.floor(at / 100)}.ts`;

/** What `git fast-import` reads: each commit changes one module, each fifth one also `hot.ts`. */
function history(commits: number, files: number): string {
  const hot = Array.from({ length: HOT_LINES }, (_, at) => line(at));
  const parts: string[] = [];
  for (let n = 0; n < commits; n++) {
    hot[(n * 37) % HOT_LINES] = line(n + 1000);
    parts.push(
      `commit refs/heads/main\ncommitter bench <bench@example.invalid> ${1_700_000_000 + n * 60} +0000\n`,
      data(`change ${n}: adjust module ${n % files}`),
    );
    if (n === 0) for (let at = 0; at < files; at++) parts.push(`M 644 inline ${file(at)}\n`, data(line(at) + line(at + 1)));
    else parts.push(`M 644 inline ${file((n * 7) % files)}\n`, data(line(n) + line(n * 3)));
    if (n % 5 === 0) parts.push("M 644 inline hot.ts\n", data(hot.join("")));
    parts.push("\n");
  }
  return parts.join("");
}

/** A repository of so many commits and files, with changes in the work tree. */
export const repository = (commits: number, files: number): string =>
  madeOnce(`repository-${commits}-${files}`, (draft) => makeRepository(draft, commits, files));

function makeRepository(draft: string, commits: number, files: number): void {
  mkdirSync(draft, { recursive: true });
  const git = (args: readonly string[], input = ""): void => {
    const env = { PATH: process.env["PATH"], HOME: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
    execFileSync("git", args, { cwd: draft, input, env, stdio: ["pipe", "ignore", "inherit"] });
  };
  git(["init", "--quiet", "--initial-branch=main"]);
  git(["config", "gc.auto", "0"]);
  git(["fast-import", "--quiet"], history(commits, files));
  git(["reset", "--quiet", "--hard", "main"]);
  git(["repack", "-adq"]);
  for (let at = 0; at < CHANGED; at++) writeFileSync(join(draft, file(at * 13)), `${line(at)}changed\n`);
  for (let at = 0; at < UNTRACKED; at++) writeFileSync(join(draft, `untracked${at}.txt`), "new\n");
  git(["status"]); // refreshes the index once, so that no measured command does it
}
