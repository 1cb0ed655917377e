// The floor for git: the bare frame of the floors with the git command itself behind each tool, its output as it is. It checks
// nothing and is no server to use, only the limit to measure against.
import { spawn } from "node:child_process";
import { serveTools } from "./floor-frame.mjs";

const run = (cwd, ...args) =>
  new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });

serveTools({
  git_status: ({ repo_path }) => run(repo_path, "status", "--porcelain=v2", "--branch"),
  git_log: ({ repo_path, max_count }) => run(repo_path, "log", `--max-count=${max_count}`, "--format=%H%n%an%n%aI%n%s%n"),
  git_diff: ({ repo_path, target }) => run(repo_path, "diff", target),
  git_blame: ({ repo_path, path }) => run(repo_path, "blame", "--porcelain", path),
});
