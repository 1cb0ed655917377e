// The floor for git: the bare loop of the stdio floor with the git command itself behind each tool, its output as it is. It checks
// nothing and is no server to use, only the limit to measure against.
import { spawn } from "node:child_process";

const commands = {
  git_status: () => ["status", "--porcelain=v2", "--branch"],
  git_log: ({ max_count }) => ["log", `--max-count=${max_count}`, "--format=%H%n%an%n%aI%n%s%n"],
  git_diff: ({ target }) => ["diff", target],
  git_blame: ({ path }) => ["blame", "--porcelain", path],
};

const run = (cwd, args) =>
  new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });

async function answer({ id, method, params }) {
  if (id === undefined) return;
  let result = {};
  if (method === "initialize") {
    result = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "floor", version: "1.0.0" } };
  } else if (method === "tools/list") {
    result = { tools: Object.keys(commands).map((name) => ({ name, inputSchema: { type: "object" } })) };
  } else if (method === "tools/call") {
    const { repo_path, ...rest } = params.arguments;
    result = { content: [{ type: "text", text: await run(repo_path, commands[params.name](rest)) }] };
  }
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}\n`);
}

let held = null;
process.stdin.on("data", (chunk) => {
  let from = 0;
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
    if (held === null) void answer(JSON.parse(chunk.utf8Slice(from, end)));
    else {
      held.push(chunk.subarray(from, end));
      void answer(JSON.parse(Buffer.concat(held).toString()));
      held = null;
    }
    from = end + 1;
  }
  if (from < chunk.length) (held ??= []).push(chunk.subarray(from));
});
