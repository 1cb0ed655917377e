// The lists of tools of the four servers as hosts take them: their limits, their hints, and the toolset minimal with the twenty tasks.
import { readFileSync } from "node:fs";
import { connect } from "@oarlock/client";
import { linkMemory, type Server } from "@oarlock/server-kit";
import { isObject, REVISIONS, type Tool } from "@oarlock/server-kit/protocol";
import { jsonBytes, tempFolder } from "@oarlock/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { selectTools } from "../../../packages/cli/src/tool-selection.ts";
import { MINIMAL_TOOLS as FILESYSTEM } from "../../../servers/filesystem/src/host/minimal-tools.ts";
import { createServer as createFilesystem } from "../../../servers/filesystem/src/server.ts";
import { MINIMAL_TOOLS as GIT } from "../../../servers/git/src/host/minimal-tools.ts";
import { createServer as createGit } from "../../../servers/git/src/server.ts";
import { MINIMAL_TOOLS as MEMORY } from "../../../servers/memory/src/host/minimal-tools.ts";
import { createServer as createMemory } from "../../../servers/memory/src/server.ts";
import { MINIMAL_TOOLS as SQLITE } from "../../../servers/sqlite/src/host/minimal-tools.ts";
import { createServer as createSqlite } from "../../../servers/sqlite/src/server.ts";

/** What Claude Code keeps of a description and of the instructions. */
const MAX_TEXT = 2048;
/** Hosts and searches among tools show so much of a description. */
const SUMMARY_LENGTH = 80;
const MAX_MINIMAL_TOKENS = 1200;
const BYTES_PER_TOKEN = 4;

/** The four servers with all tools, on a folder of their own. */
const SERVERS = {
  filesystem: {
    subject: /\b(?:files?|director(?:y|ies)|changes?)\b|read_text_file|permissions/i,
    minimal: FILESYSTEM,
    create: async (at: string) => (await createFilesystem({ directories: [{ path: at, readOnly: false }], trash: `${at}/.trash` })).server,
  },
  git: {
    subject: /commit|branch|change|file|stash|tag|remote|repository|HEAD|revision|work tree/i,
    minimal: GIT,
    create: async (at: string) => (await createGit({ repositoriesRoots: [at], cwd: "/" })).server,
  },
  sqlite: {
    subject: /statement|table|row|database|data\b|file|insight|column|foreign key/i,
    minimal: SQLITE,
    create: async (at: string) => createSqlite({ databases: [{ name: "a", file: `${at}/a.db`, write: true }], filesDir: at }).server,
  },
  memory: {
    subject: /entit|fact|relation|observation|graph|search/i,
    minimal: MEMORY,
    create: async (at: string) => createMemory({ location: { database: `${at}/m.db` } }),
  },
};
type Name = keyof typeof SERVERS;
const NAMES = Object.keys(SERVERS) as Name[];

async function open(name: Name): Promise<Server> {
  const folder = tempFolder({});
  const server = await SERVERS[name].create(folder.path);
  onTestFinished(async () => folder[Symbol.asyncDispose]());
  await server.ready();
  return server;
}

/** The result of tools/list for a client, and the instructions. */
async function listed(
  server: Server,
  client = { name: "lists", version: "1" },
  revision = "2025-11-25",
): Promise<{ tools: Tool[]; bytes: number; instructions: string }> {
  const connection = await connect(linkMemory(server), { clientInfo: client, revision });
  try {
    const result = await connection.request("tools/list", {});
    const { tools } = result as { tools: Tool[] };
    return { tools, bytes: jsonBytes(result), instructions: connection.instructions ?? "" };
  } finally {
    await connection.close();
  }
}

const ALL = { readOnly: false, tools: [], excludeTools: [] };

async function minimalList(name: Name, revision?: string): Promise<{ tools: Tool[]; bytes: number; instructions: string }> {
  const server = await open(name);
  selectTools(server.tools, { ...ALL, toolsets: ["minimal"] }, SERVERS[name].minimal);
  return await listed(server, undefined, revision);
}

describe.each(NAMES)("%s", (name) => {
  test("keeps descriptions and instructions within what hosts show", async () => {
    for (const { tools, instructions } of [await listed(await open(name)), await minimalList(name)]) {
      expect(instructions.length).toBeGreaterThan(0);
      expect(instructions.length).toBeLessThanOrEqual(MAX_TEXT);
      for (const tool of tools)
        expect([tool.name, (tool.description ?? "").length]).toEqual([
          tool.name,
          expect.toSatisfy((length) => length >= 10 && length <= MAX_TEXT),
        ]);
    }
  });

  test("says in the first 80 characters of a description what a tool works on", async () => {
    for (const { tools } of [await listed(await open(name)), await minimalList(name)]) {
      const summaries = tools.map((tool) => `${tool.name}: ${(tool.description ?? "").slice(0, SUMMARY_LENGTH)}`);
      expect(summaries.filter((summary) => !SERVERS[name].subject.test(summary.replace(/^\S+/, "")))).toEqual([]);
    }
  });

  test("gives every property a type", async () => {
    const { tools } = await listed(await open(name));
    expect(tools.flatMap((tool) => [tool.inputSchema, tool.outputSchema].flatMap((schema) => untyped(schema, tool.name)))).toEqual([]);
  });

  test("hints to Claude Code which tools it needs at once, and which results are bounded", async () => {
    const { tools } = await listed(await open(name), { name: "claude-code", version: "2.1.199" });
    const having = (key: string): string[] => tools.filter(({ _meta }) => _meta?.[key] !== undefined).map((tool) => tool.name);
    expect(having("anthropic/alwaysLoad").length).toBeOneOf([3, 4]);
    expect(having("anthropic/maxResultSizeChars").length).toBeGreaterThan(2);
    expect(having("anthropic/requiresUserInteraction").length).toBeGreaterThan(0);
    expect(
      tools.filter(
        ({ _meta, annotations }) => _meta?.["anthropic/requiresUserInteraction"] !== undefined && annotations?.destructiveHint !== true,
      ),
    ).toEqual([]);
  });

  test.each(REVISIONS)("lists the toolset minimal in at most 1,200 tokens in %s", async (revision) => {
    const { tools, bytes } = await minimalList(name, revision);
    // A tool may be missing for want of a second database.
    expect(Object.keys(SERVERS[name].minimal)).toEqual(expect.arrayContaining(tools.map((tool) => tool.name)));
    expect(tools.length).toBeGreaterThan(5);
    expect(bytes / BYTES_PER_TOKEN).toBeLessThanOrEqual(MAX_MINIMAL_TOKENS);
  });
});

/** The calls of each task in tooling/docs/user-tasks.md that solve it: `tool argument argument`. */
const TASKS: readonly (readonly [task: string, server: Name, calls: readonly string[]])[] = [
  ["Why is the retry test disabled?", "git", ["git_grep pattern paths", "git_blame path start_line end_line", "git_log pickaxe"]],
  ["Undo my last commit but keep the changes", "git", ["git_reset mode revision"]],
  ["Split this change in two commits", "git", ["git_reset", "git_diff_unstaged", "git_add files patch", "git_commit message"]],
  ["Find the TODOs that are older than a year", "git", ["git_grep pattern", "git_log end_timestamp", "git_blame path"]],
  [
    "Take up the idea that I put aside, on the branch of the discounts",
    "git",
    ["git_stash action", "git_checkout branch_name", "git_log author grep"],
  ],
  ["Which customers bought at least twice?", "sqlite", ["list_tables", "describe_table table_name", "read_query query params"]],
  ["Move the cancelled orders before 2024 to the archive", "sqlite", ["run_transaction statements dry_run"]],
  ["Rename the column price_cents", "sqlite", ["write_query query dry_run"]],
  ["Find something for rainy days", "sqlite", ["search_text query"]],
  [
    "Delete the customers who never ordered, and show the revenue by month",
    "sqlite",
    ["write_query query dry_run", "describe_table table_name sample_rows", "read_query query"],
  ],
  ["What went wrong in this log?", "filesystem", ["search_file_contents path pattern contextLines", "read_text_file path offset limit"]],
  ["Put back the file that you have just overwritten", "filesystem", ["undo_change id"]],
  ["Correct my letter to the landlord", "filesystem", ["read_text_file path", "edit_file path edits"]],
  ["What did I spend on travel in July?", "filesystem", ["search_files path pattern", "search_file_contents path pattern"]],
  [
    "Tidy my photos",
    "filesystem",
    ["list_directory path", "create_directory path", "move_file source destination overwrite", "delete_file path dryRun"],
  ],
  ["What do you know about my flat?", "memory", ["search_nodes query", "open_nodes names"]],
  ["What did we know about the shop project last month?", "memory", ["open_nodes names asOf"]],
  ["Bo and Bo Lind are the same person", "memory", ["update_entities updates", "open_nodes names asOf"]],
  [
    "Forget his allergy; Mum's birthday is the 13th",
    "memory",
    ["delete_observations deletions purge", "delete_entities entityNames", "delete_relations relations", "add_observations observations"],
  ],
  [
    "What is new since April? I have moved",
    "memory",
    ["search_nodes query since", "add_observations observations", "create_relations relations", "open_nodes names asOf"],
  ],
];

test("knows the calls of every task in tooling/docs/user-tasks.md", () => {
  const page = readFileSync(new URL("../user-tasks.md", import.meta.url), "utf8");
  const titles = [...page.matchAll(/^### \d+\. "(.+?)"/gm)].map(([, title]) => title);
  expect(TASKS.map(([task]) => task)).toEqual(titles);
});

test.each(NAMES)("lists in the toolset minimal of %s what its five tasks call", async (name) => {
  const { tools } = await minimalList(name);
  const known = new Map(tools.map((tool) => [tool.name, Object.keys(tool.inputSchema.properties ?? {})]));
  const calls = TASKS.filter(([, server]) => server === name).flatMap(([, , all]) => all.map((call) => call.split(" ")));
  expect(calls.filter(([tool = "", ...args]) => !args.every((arg) => known.get(tool)?.includes(arg)) || !known.has(tool))).toEqual([]);
  expect(calls.length).toBeGreaterThan(4);
});

test.each(NAMES)("names in the skill of %s what its five tasks call", (name) => {
  const skill = readFileSync(new URL(`../../../servers/${name}/skills/use-${name}/SKILL.md`, import.meta.url), "utf8");
  const called = new Set(
    TASKS.filter(([, server]) => server === name).flatMap(([, , calls]) => calls.map((call) => call.split(" ")[0] ?? "")),
  );
  expect([...called].filter((tool) => !skill.includes(`\`${tool}\``))).toEqual([]);
});

/** Paths of properties without a type. */
function untyped(schema: unknown, at: string): string[] {
  if (!isObject(schema)) return [];
  const own = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {}).flatMap(([property, value]) => [
    ...(isObject(value) && value["type"] !== undefined ? [] : [`${at}.${property}`]),
    ...untyped(value, `${at}.${property}`),
  ]);
  return [...own, ...untyped(schema["items"], `${at}[]`)];
}
