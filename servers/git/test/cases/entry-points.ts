// Every entry point that takes a repository: tools with their actions, resources, completion and prompts (rule G9: the same check on each).
import type { Json } from "@oarlock/server-kit/protocol";
import { toReply, type ToolReply } from "@oarlock/testing";

/** The server that is tried: in a process of its own (`StressRun`) or in this one (`MemoryRun`). */
export interface AttackedServer {
  request(method: string, params: Json): Promise<Json>;
  reply(tool: string, args: Json): Promise<EntryReply>;
}

export interface EntryPoint {
  readonly name: string;
  /** It is a tool of this name. */
  readonly tool?: string;
  /** What the tool is called with, besides the repository. */
  args?(repo: string): Json;
  readonly writes: boolean;
  enter(server: AttackedServer, repo: string): Promise<EntryReply>;
}

type EntryReply = Pick<ToolReply, "text" | "failed">;

export interface Outcome extends EntryReply {
  readonly entryPoint: string;
}

type MakeArgs = (repo: string) => Json;

/** Arguments that are right for a repository with a file `f.txt` and a branch `main`; by tool, one after another. */
const CALLS: readonly (readonly [tool: string, args: Json | MakeArgs, writes?: "writes"])[] = [
  ["git_status", {}],
  ["git_diff_unstaged", { include_untracked: true }],
  ["git_diff_unstaged", { format: "stat" }],
  ["git_diff_staged", {}],
  ["git_log", { all_branches: true }],
  ["git_diff", { target: "HEAD" }],
  ["git_diff", { target: "HEAD", base: "HEAD", merge_base: true, format: "names" }],
  ["git_show", { revision: "HEAD" }],
  ["git_show", { revision: "HEAD", path: "f.txt" }],
  ["git_show", { revision: "HEAD", path: "." }],
  ["git_log", { stat: true, pickaxe: "one", paths: ["f.txt"] }],
  ["git_log", { pickaxe: "one", follow: true, paths: ["f.txt"] }],
  ["git_log", { author: "a", grep: "first", start_timestamp: "2000-01-01", end_timestamp: "now" }],
  ["git_log", { line_range: "1,1", paths: ["f.txt"] }],
  ["git_log", { grep_diff: "one" }],
  ["git_diff", { target: "HEAD", format: "sizes" }],
  ["git_shortlog", { revision: "HEAD", paths: ["f.txt"] }],
  ["git_bisect", { good: "HEAD", text: "one", path: "f.txt" }],
  ["git_branch", { branch_type: "all", contains: "HEAD", sort: "date" }],
  ["git_blame", { path: "f.txt" }],
  ["git_blame", { path: "f.txt", revision: "HEAD", ignore_whitespace: true, follow: true }],
  ["git_grep", { pattern: "." }],
  ["git_grep", { pattern: ".", revision: "HEAD", paths: ["f.txt"] }],
  ["git_tag", { action: "list" }],
  ["git_stash", { action: "list" }],
  ["git_worktree", { action: "list" }],
  ["git_reflog", {}],
  ["git_remote", { action: "list" }],
  ["git_remote", { action: "add", name: "stress-remote", url: "https://127.0.0.1:9/x.git" }, "writes"],
  ["git_remote", { action: "remove", name: "stress-remote" }, "writes"],
  ["git_add", { files: ["."], dry_run: true }],
  ["git_add", { files: ["."] }, "writes"],
  ["git_reset", {}, "writes"],
  ["git_stash", { action: "push", message: "m" }, "writes"],
  ["git_stash", { action: "show" }],
  ["git_stash", { action: "apply" }, "writes"],
  ["git_stash", { action: "drop" }, "writes"],
  ["git_add", { files: ["f.txt"] }, "writes"],
  ["git_untrack", { paths: ["f.txt"] }, "writes"],
  ["git_add", { files: ["f.txt"], executable: false }, "writes"],
  ["git_add", { files: ["f.txt"], resolution: "ours" }, "writes"],
  ["git_add", { files: ["f.txt"], content: "one\n" }, "writes"],
  ["git_commit", { message: "m", allow_empty: true }, "writes"],
  ["git_commit", { message: "m", amend: true, allow_empty: true }, "writes"],
  ["git_commit", { message: "m", amend: true, revision: "HEAD~1" }, "writes"],
  ["git_create_branch", { branch_name: "stress" }, "writes"],
  ["git_checkout", { branch_name: "stress" }, "writes"],
  ["git_checkout", { branch_name: "main" }, "writes"],
  ["git_create_branch", { branch_name: "stress-old" }, "writes"],
  ["git_branch", { action: "rename", name: "stress-old", new_name: "stress-new" }, "writes"],
  ["git_branch", { action: "delete", name: "stress-new" }, "writes"],
  ["git_tag", { action: "create", name: "stress-tag", message: "m" }, "writes"],
  ["git_tag", { action: "delete", name: "stress-tag" }, "writes"],
  ["git_restore", { files: ["f.txt"], source: "HEAD" }, "writes"],
  ["git_restore", { files: ["f.txt"], staged: true }, "writes"],
  ["git_worktree", { action: "add", path: "stress-tree", branch: "stress" }, "writes"],
  ["git_worktree", { action: "remove", path: "stress-tree" }, "writes"],
  ["git_worktree", { action: "prune" }, "writes"],
  ["git_merge", { revision: "stress" }, "writes"],
  ["git_merge", { step: "abort" }, "writes"],
  ["git_rebase", { upstream: "stress" }, "writes"],
  ["git_rebase", { step: "abort" }, "writes"],
  ["git_cherry_pick", { revisions: ["stress"] }, "writes"],
  ["git_cherry_pick", { step: "abort" }, "writes"],
  ["git_revert", { revisions: ["HEAD"] }, "writes"],
  ["git_revert", { step: "abort" }, "writes"],
  ["git_init", (repo) => ({ path: `${repo}-new` }), "writes"],
  ["git_fetch", {}, "writes"],
  ["git_fetch", { remote: "origin", prune: true, tags: true }, "writes"],
  ["git_pull", {}, "writes"],
  ["git_push", {}, "writes"],
  ["git_push", { remote: "origin", branch: "main", set_upstream: true }, "writes"],
  ["git_clone", (repo) => ({ url: "https://127.0.0.1:9/x.git", path: `${repo}-clone` }), "writes"],
  ["git_reset", { mode: "hard" }, "writes"],
];

const tool = (name: string, given: Json | MakeArgs, writes: boolean): EntryPoint => {
  const args: MakeArgs = typeof given === "function" ? given : () => given;
  return {
    name: `${name} ${typeof given === "function" ? "" : JSON.stringify(given)}`,
    tool: name,
    args,
    writes,
    enter: (server, repo) => server.reply(name, { repo_path: repo, ...args(repo) }),
  };
};

const PROMPTS: Readonly<Record<string, Json>> = {
  commit_message: {},
  review_changes: { target: "HEAD" },
  summarize_history: { since: "2000-01-01" },
  release_notes: { from: "HEAD", to: "HEAD" },
  resolve_conflicts: {},
};

const RESOURCES = ["status", "refs", "commit/HEAD", "diff/HEAD..HEAD", "tree/HEAD/", "blob/HEAD/f.txt"];
const TEMPLATES = ["blob/{revision}/{+path}", "tree/{revision}/{+path}"];

export const ENTRY_POINTS: readonly EntryPoint[] = [
  ...CALLS.map(([name, args, writes]) => tool(name, args, writes !== undefined)),
  ...Object.entries(PROMPTS).map(([name, args]): EntryPoint => ({
    name: `prompt ${name}`,
    writes: false,
    enter: async (server, repo) => toReply(await server.request("prompts/get", { name, arguments: { repo, ...args } })),
  })),
  ...["resources/read", "resources/subscribe"].flatMap((method) =>
    (method === "resources/read" ? RESOURCES : ["status", "refs"]).map((rest): EntryPoint => ({
      name: `${method} ${rest}`,
      writes: false,
      async enter(server, repo) {
        const uri = `git:///${encodeURIComponent(repo)}/${rest}`;
        const answer = await server.request(method, { uri });
        if (method === "resources/subscribe") await server.request("resources/unsubscribe", { uri });
        return toReply(answer);
      },
    })),
  ),
  ...TEMPLATES.flatMap((template) =>
    ["revision", "path"].map((name): EntryPoint => ({
      name: `completion ${name} of ${template}`,
      writes: false,
      async enter(server, repo) {
        const ref = { type: "ref/resource", uri: `git:///{repo}/${template}` };
        const context = { arguments: { repo, ...(name === "path" && { revision: "HEAD" }) } };
        const { result, error } = await server.request("completion/complete", { ref, argument: { name, value: "" }, context });
        const values = (result as { completion?: { values: string[] } } | undefined)?.completion?.values ?? [];
        return { text: error === undefined ? values.join("\n") : JSON.stringify(error), failed: values.length === 0 };
      },
    })),
  ),
];

/** The names of the tools that there are. */
export async function toolsOf(server: AttackedServer): Promise<Json[]> {
  const { result } = await server.request("tools/list", {});
  return (result as { tools: Json[] }).tools;
}

/** Goes in by every way that `fits`, one after another. */
export async function tryAll(
  server: AttackedServer,
  repo: string,
  fits: (entryPoint: EntryPoint) => boolean = () => true,
): Promise<Outcome[]> {
  const names = new Set((await toolsOf(server)).map(({ name }) => name));
  const outcomes: Outcome[] = [];
  for (const entryPoint of ENTRY_POINTS) {
    if ((entryPoint.tool === undefined || names.has(entryPoint.tool)) && fits(entryPoint))
      outcomes.push({ entryPoint: entryPoint.name, ...(await entryPoint.enter(server, repo)) });
  }
  return outcomes;
}
