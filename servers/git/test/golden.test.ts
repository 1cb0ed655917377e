// The exact list of tools that each revision sees (UPDATE_GOLDEN=1 writes the files anew), and the rules by which hosts take a tool.
import { isObject, type Json, type Tool } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, expectGolden, jsonBytes, testHostCompatibility } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { serverWithToolsets, type Setup } from "./support/target.ts";

const LIMIT_HINT = "hosts load the whole list: shorten descriptions in src/tools/, or give the tool a toolset that is off by default";

const READ_ONLY_HINT =
  "a tool with hints.readOnly stays with --read-only: enter a new one in the list of this test (test/golden.test.ts), in the order of src/tools/index.ts";

interface Selection extends Pick<Setup, "readOnly" | "lean"> {
  readonly toolsets?: readonly string[];
  readonly revision?: string;
}

const ALL = { toolsets: ["default", "remote", "integrate"] };

/** The answer to `tools/list`. That the switches of the command line select the same is tested in `smoke/` and in `packages/cli`. */
async function answered({ toolsets, revision, ...setup }: Selection = {}): Promise<Json> {
  const server = await serverWithToolsets(setup, toolsets);
  await using wired = await connectTo(server, revision === undefined ? {} : { revision });
  const result = await wired.client.request("tools/list", {});
  if (!isObject(result)) throw new TypeError("no list");
  return result;
}

const listed = async (selection?: Selection): Promise<Tool[]> => (await answered(selection))["tools"] as Tool[];

everyRevision("TOOL-02 TOOL-03 TOOL-42 TOOL-43 lists the tools of the golden file", async (revision) => {
  expectGolden(new URL(`golden/${revision}.tools.json`, import.meta.url), await listed({ revision }));
});

test("lists all toolsets as in the golden file", async () => {
  expectGolden(new URL("golden/all.tools.json", import.meta.url), await listed(ALL));
});

everyRevision("TOOL-08 returns two lists equal byte by byte", async (revision) => {
  expect(JSON.stringify(await listed({ revision }))).toBe(JSON.stringify(await listed({ revision })));
});

everyRevision("answers tools/list with at most 20 KB without optional toolsets", async (revision) => {
  expect(jsonBytes(await answered({ revision })), LIMIT_HINT).toBeLessThanOrEqual(20_000);
});

test("offers no tool that changes anything with --read-only", async () => {
  const tools = await listed({ ...ALL, readOnly: true });
  expect(
    tools.map(({ name }) => name),
    READ_ONLY_HINT,
  ).toEqual([
    "git_status",
    "git_diff_unstaged",
    "git_diff_staged",
    "git_diff",
    "git_log",
    "git_show",
    "git_branch",
    "git_blame",
    "git_grep",
    "git_reflog",
    "git_stash",
    "git_worktree",
    "git_tag",
    "git_remote",
    "git_shortlog",
    "git_bisect",
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
});

test("leaves out output schemas with --lean", async () => {
  const tools = await listed({ lean: true });
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  expect(jsonBytes({ tools }), LIMIT_HINT).toBeLessThanOrEqual(16_000);
});

test("annotates tools that may replace commits or refs as destructive, and relative moves as not idempotent", async () => {
  const tools = await listed(ALL);
  const marked = (hint: "destructiveHint" | "idempotentHint", value: boolean): string[] =>
    tools.filter(({ annotations }) => annotations?.[hint] === value).map(({ name }) => name);
  expect(marked("destructiveHint", false)).toEqual([
    "git_add",
    "git_untrack",
    "git_create_branch",
    "git_checkout",
    "git_clone",
    "git_init",
  ]);
  expect(marked("idempotentHint", true)).toEqual(["git_add", "git_restore", "git_fetch", "git_push"]);
});

describe("host compatibility", async () => {
  const tools = await listed(ALL);

  testHostCompatibility(tools);
});
