// Every way of looking, in one kind of repository, against git's own plumbing.
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestRepository } from "../support/repository.ts";
import { worldOf, type World } from "../support/world.ts";
import { SITUATIONS, type Situation } from "./situations.ts";

export type SituationName = keyof typeof SITUATIONS;

async function served(folder: TempFolder, { make }: Situation): Promise<World> {
  const repository = make(folder);
  // What a linked work tree or a submodule belongs to is served with it.
  const inside = repository.path.startsWith(folder.at("all"));
  return worldOf(folder, repository, inside ? { repositoriesRoots: [folder.at("all")] } : {});
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** The commit of each line. */
async function blamed({ repository, call }: World): Promise<unknown[]> {
  const { data } = await call("git_blame", { repo_path: repository.path, path: "a.txt", revision: "HEAD" });
  const hunks = data["hunks"] as { startLine: number; endLine: number; hash: string }[];
  return hunks.flatMap(({ startLine, endLine, hash }) => Array.from({ length: endLine - startLine + 1 }, () => hash));
}

const blamedByGit = (repository: TestRepository): string[] =>
  lines(repository.git("blame", "--line-porcelain", "HEAD", "--", "a.txt")).flatMap(
    (line) => /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? [],
  );

/** Registers the tests of one kind of repository, which is made once, as they only read. */
export function testSituation(title: SituationName): void {
  const situation: Situation = SITUATIONS[title];
  let at: World;
  beforeAll(async () => {
    at = await served(tempFolder(), situation);
  });
  afterAll(() => at[Symbol.asyncDispose]());

  test("matches git's own log, branches, tags, show, blame, grep and diff", async () => {
    const { repository } = at;
    const where = { repo_path: repository.path };
    const git = (...args: string[]): string[] => lines(repository.git(...args));
    const names = (value: unknown, member = "name"): unknown[] => (value as Record<string, unknown>[]).map((one) => one[member]);

    expect(names((await at.call("git_log", { ...where, max_count: 50 })).data["commits"], "hash")).toEqual(git("log", "--format=%H"));
    const branches = (await at.call("git_branch", { ...where, branch_type: "all" })).data["branches"];
    expect(names(branches, "head")).toEqual(git("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes"));
    const tags = (await at.call("git_tag", { ...where, action: "list" })).data["tags"];
    expect(names(tags)).toEqual(git("tag", "--sort=refname"));
    const files = (await at.call("git_show", { ...where, revision: "HEAD", format: "stat" })).data["files"] as Record<string, unknown>[];
    expect(files.map(({ path, additions, deletions }) => [path, additions, deletions])).toEqual(
      git("show", "--format=", "--numstat", "--diff-merges=first-parent", "HEAD").map((line) => {
        const [added, deleted, ...path] = line.split("\t");
        return [path.join("").replace(/^dir\/\{.* => (.*)\}$/, "dir/$1"), Number(added), Number(deleted)];
      }),
    );
    if (situation.partial !== true) expect(await blamed(at)).toEqual(blamedByGit(repository));
    const found = (await at.call("git_grep", { ...where, pattern: "o", revision: "HEAD" })).data["matches"] as Record<string, unknown>[];
    expect(found.map(({ path, line }) => `${String(path)}:${String(line)}`)).toEqual(
      git("grep", "-n", "o", "HEAD").map((line) => line.split(":").slice(1, 3).join(":")),
    );
    if (situation.bare === true) return;
    for (const [name, args] of [
      ["git_diff_unstaged", ["diff"]],
      ["git_diff_staged", ["diff", "--cached"]],
    ] as const) {
      const { text } = await at.call(name, where);
      expect(text.slice(text.indexOf("\n") + 1)).toBe(repository.raw([...args, "--ignore-submodules=dirty"]).toString());
    }
  });

  test("matches git's own status, or reports a missing work tree", async () => {
    const where = { repo_path: at.repository.path };
    if (situation.bare === true) return expect(await at.failure("git_status", where)).toMatch(/bare/);
    const { data } = await at.call("git_status", where);
    const output = lines(at.repository.raw(["status", "--porcelain=v2", "--branch", "--ignore-submodules=dirty"]).toString());
    const header = (name: string): string | undefined => output.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3);
    expect(data["head"]).toBe(header("branch.oid"));
    expect(data["branch"]).toBe(header("branch.head") === "(detached)" ? undefined : header("branch.head"));
    expect(data["upstream"]).toBe(header("branch.upstream"));
    const rest = output.filter((line) => !line.startsWith("#"));
    const count = (fits: RegExp): number => rest.filter((line) => fits.test(line)).length;
    const sizes = ["staged", "unstaged", "untracked", "conflicts"].map((name) => (data[name] as unknown[]).length);
    expect(sizes).toEqual([count(/^[12] [^.]/), count(/^[12] .[^.]/), count(/^\? /), count(/^u /)]);
  });
}
