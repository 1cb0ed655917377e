// The tools that only views call: the same facts and checks as the tools of the model, in larger pages.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

const APPS = "io.modelcontextprotocol/ui";
const HOST = { extensions: { [APPS]: { mimeTypes: ["text/html;profile=mcp-app"] } } };
const VIEW_TOOLS = ["view_blame", "view_diff", "view_log"];

let at: World;
let second: string;
beforeAll(async () => {
  at = await world({ tree: { "a.txt": "one\ntwo\n", "old.txt": "same\nlines\nhere\n" } });
  second = at.repository.commit("second", { "a.txt": "one\n2\n" });
  at.repository.git("mv", "old.txt", "new.txt");
  at.repository.write({ "a.txt": "one\n2\nthree\n" });
});
afterAll(() => at[Symbol.asyncDispose]());

interface File {
  path: string;
  oldPath?: string;
  patch?: string;
}

const filesOf = ({ data }: { data: Record<string, unknown> }): File[] => data["files"] as File[];

describe("view_diff", () => {
  test.each([
    { kind: "unstaged", tool: "git_diff_unstaged", args: {}, query: {} },
    { kind: "staged", tool: "git_diff_staged", args: {}, query: {} },
    { kind: "revisions", tool: "git_diff", args: { target: "HEAD~1..HEAD" }, query: { target: "HEAD~1..HEAD" } },
    { kind: "commit", tool: "git_show", args: { revision: "HEAD" }, query: { target: "HEAD" } },
    { kind: "commit", tool: "git_show", args: { revision: "HEAD~1" }, query: { target: "HEAD~1" } },
  ])("returns for $kind the files and patches of $tool $args", async ({ kind, tool, args, query }) => {
    const files = filesOf(await at.call("view_diff", { kind, ...query }));
    expect(files.length).toBeGreaterThan(0);
    expect(files).toEqual(filesOf(await at.call(tool, args)));
  });

  test("shows a rename as one file with given paths", async () => {
    const [file] = filesOf(await at.call("view_diff", { kind: "staged", paths: ["old.txt", "new.txt"] }));
    expect(file).toMatchObject({ path: "new.txt", oldPath: "old.txt" });
  });

  test("refuses a missing target, options as revisions, and repositories outside", async () => {
    expect(await at.failure("view_diff", { kind: "commit" })).toContain("commit needs a target");
    expect(await at.failure("view_diff", { kind: "revisions", target: "--output=x" })).toContain("cannot begin with -");
    expect(await at.failure("view_diff", { kind: "staged", repo_path: "/" })).toBeTruthy();
  });
});

test("view_log continues where a page of git_log ends", async () => {
  const { data } = await at.call("git_log", { max_count: 1 });
  const next = await at.call("view_log", { cursor: data["nextCursor"] });
  const [commit] = next.data["commits"] as { hash: string; parents: string[] }[];
  expect([commit?.hash]).toEqual([at.repository.git("rev-parse", `${second}~1`)]);
  expect(next.text).toBe("1 commit");
});

test("returns for view_blame the lines and hunks of git_blame", async () => {
  const { data } = await at.call("view_blame", { path: "a.txt", revision: "HEAD" });
  expect(data["lines"]).toEqual(["one", "2"]);
  expect(data["hunks"]).toEqual((await at.call("git_blame", { path: "a.txt", revision: "HEAD" })).data["hunks"]);
});

test("keeps the lists of view tools with --lean", async () => {
  await using lean = await world({ tree: { "a.txt": "one\n" }, lean: true });
  expect(filesOf(await lean.call("git_show", { revision: "HEAD" }))).toBeUndefined();
  expect(filesOf(await lean.call("view_diff", { kind: "commit", target: "HEAD" }))).toHaveLength(1);
});

interface Listed {
  name: string;
  _meta?: unknown;
}

const listed = async ({ client }: World): Promise<Listed[]> => ((await client.request("tools/list", {})) as { tools: Listed[] }).tools; // of the server

test("lists view tools and views only for hosts with MCP Apps", async () => {
  await using host = await world({ tree: { "a.txt": "one\n" }, capabilities: HOST });
  const names = (await listed(host)).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("view_")).toSorted()).toEqual(VIEW_TOOLS);
  expect((await listed(at)).filter(({ name, _meta }) => name.startsWith("view_") || _meta !== undefined)).toEqual([]);
});
