// Unknown arguments and null for optional ones, in every revision.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { schema, z as mini } from "../../../src/zod.ts";
import { defineServer, fromJsonSchema, tool, ToolError, type ToolDefinition } from "../../../src/index.ts";
import { nearestName } from "../../../src/features/nearest-name.ts";
import type { Json } from "../../../src/protocol.ts";
import { STATEFUL } from "../../support/sample.ts";
import { NEWEST } from "../../support/stateless-message.ts";
import { ModernTalk } from "../../support/modern-talk.ts";
import { talk } from "../../support/talk.ts";

const seen: unknown[] = [];
const TOOLS: readonly ToolDefinition[] = [
  tool({
    name: "read",
    input: z.object({ path: z.string(), limit: z.int().optional(), tail: z.int().nullish(), lines: z.boolean().default(true) }),
    run: (input) => (seen.push(input), "read"),
  }),
  tool({
    name: "count",
    input: z.object({ text: z.string() }),
    output: z.object({ length: z.int() }),
    run: ({ text }) => ({ length: text.length }),
  }),
  tool({ name: "strict", input: z.strictObject({ path: z.string() }), run: () => "never" }),
  tool({ name: "loose", input: z.looseObject({ path: z.string() }), run: (input) => JSON.stringify(input) }),
  tool({ name: "mini_loose", input: schema(mini.looseObject({ path: mini.string() })), run: (input) => JSON.stringify(input) }),
  tool({ name: "any", input: fromJsonSchema<Json>({ type: "object" }, () => undefined), run: (input) => JSON.stringify(input) }),
  tool({ name: "none", run: () => "nothing" }),
  tool({
    name: "edit",
    input: z.object({
      edits: z.array(z.object({ oldText: z.string(), replaceAll: z.boolean().default(false) })),
      dry_run: z.boolean().default(false),
      mode: z.enum(["overwrite", "append"]).default("overwrite"),
      within: z.object({ max_lines: z.int().optional() }).optional(),
    }),
    run: (input) => (seen.push(input), "edited"),
  }),
  tool({
    name: "fails",
    input: z.object({ path: z.string().optional(), as: z.enum(["error", "result"]) }),
    output: z.object({}),
    run({ as }) {
      if (as === "error") throw new ToolError("No such file.");
      return { content: "No such file.", structured: {}, isError: true };
    },
  }),
];
const server = () => defineServer({ name: "names", version: "1", tools: TOOLS });
const text = (value: string): Json => ({ type: "text", text: value });

describe.each([...STATEFUL, NEWEST])("in %s", (revision) => {
  const called = async (name: string, args: Json): Promise<Json> => {
    if (revision === NEWEST) return new ModernTalk(server()).result("tools/call", { name, arguments: args });
    await using client = await talk(server(), { revision });
    return (await client.request("tools/call", { name, arguments: args })) as Json;
  };
  const contentOf = (answer: Json): unknown => ((answer["result"] ?? answer) as Json)["content"];

  test("names an unknown argument after the result, with a similar known one", async () => {
    expect(contentOf(await called("read", { path: "a", max_results: 1 }))).toEqual([
      text("read"),
      text('Unknown argument "max_results": did you mean "limit"? It was ignored.'),
    ]);
    expect(contentOf(await called("none", { path: "a" }))).toEqual([
      text("nothing"),
      text('Unknown argument "path": this tool takes no arguments. It was ignored.'),
    ]);
  });

  test("keeps a structured result unchanged", async () => {
    const answer = await called("count", { text: "abc", colour: "red" });
    const result = (answer["result"] ?? answer) as Json;
    if ("structuredContent" in result) expect(result["structuredContent"]).toEqual({ length: 3 });
    expect(result["content"]).toEqual([text('{"length":3}'), text('Unknown argument "colour": expected text. It was ignored.')]);
  });

  test.each(["error", "result"])("names it in a failure that is an %s too", async (as) => {
    const answer = JSON.stringify(await called("fails", { as, pth: "a" }));
    expect(answer).toContain("No such file.");
    expect(answer).toContain(JSON.stringify('Unknown argument "pth": did you mean "path"?').slice(1, -1));
    expect(answer).toContain('"isError":true');
  });

  test("names it in a refusal of invalid arguments without a result", async () => {
    for (const name of ["read", "strict"]) {
      const answer = JSON.stringify(await called(name, { pth: "a" }));
      expect(answer).toContain(JSON.stringify('Unknown argument "pth": did you mean "path"?').slice(1, -1));
      expect(answer).not.toContain("ignored");
    }
  });

  test("reads an argument in another spelling as the known one", async () => {
    seen.length = 0;
    const given = { edits: [{ oldText: "a" }, { old_text: "b", "replace-all": true }], dryRun: true, within: { maxLines: 3 } };
    const warning = [
      'Unknown argument "dryRun": read as "dry_run".',
      'Unknown argument "edits.1.old_text": read as "oldText".',
      'Unknown argument "edits.1.replace-all": read as "replaceAll".',
      'Unknown argument "within.maxLines": read as "max_lines".',
    ];
    expect(contentOf(await called("edit", given))).toEqual([text("edited"), text(warning.join("\n"))]);
    expect(seen).toEqual([
      {
        edits: [
          { oldText: "a", replaceAll: false },
          { oldText: "b", replaceAll: true },
        ],
        dry_run: true,
        mode: "overwrite",
        within: { max_lines: 3 },
      },
    ]);
    expect(given.edits[1]).toEqual({ old_text: "b", "replace-all": true });
    expect(JSON.stringify(await called("edit", { edits: [], dryRun: "yes" }))).toContain("dry_run: ");
  });

  test("ignores an argument in another spelling beside the known one", async () => {
    seen.length = 0;
    const content = contentOf(await called("edit", { edits: [], dry_run: true, dryRun: false, DryRun: false, DRY_run: false }));
    expect(seen).toMatchObject([{ dry_run: true }]);
    expect(JSON.stringify(content)).not.toContain("read as");
    await called("edit", { edits: [], dryRun: true, DryRun: false });
    expect(seen[1]).toMatchObject({ dry_run: true });
  });

  test("names the position of an unknown argument inside another one", async () => {
    const answer = await called("edit", { edits: [{ oldText: "a", all: true }], within: { lines: 3 } });
    expect(contentOf(answer)).toEqual([
      text("edited"),
      text(
        'Unknown argument "edits.0.all": did you mean "replaceAll"? It was ignored.\n' +
          'Unknown argument "within.lines": did you mean "max_lines"? It was ignored.',
      ),
    ]);
    expect(JSON.stringify(await called("edit", { edits: [{ old_string: "a" }] }))).toContain(
      JSON.stringify('Unknown argument "edits.0.old_string": did you mean "oldText"?').slice(1, -1),
    );
  });

  test("names the argument whose option an unknown flag is", async () => {
    expect(contentOf(await called("edit", { edits: [], append: true }))).toEqual([
      text("edited"),
      text('Unknown argument "append": did you mean "mode": "append"? It was ignored.'),
    ]);
  });

  test("reads null as absent inside another argument", async () => {
    seen.length = 0;
    await called("edit", { edits: [{ oldText: "a", replaceAll: null }], within: { max_lines: null } });
    expect(seen).toMatchObject([{ edits: [{ oldText: "a", replaceAll: false }], within: {} }]);
  });

  test("accepts further arguments if the schema allows them", async () => {
    for (const name of ["loose", "mini_loose", "any"])
      expect(contentOf(await called(name, { path: "a", more: 1 }))).toEqual([text('{"path":"a","more":1}')]);
  });

  test("reads null as absent for an optional argument whose schema has no null", async () => {
    seen.length = 0;
    expect(contentOf(await called("read", { path: "a", limit: null, tail: null, lines: null }))).toEqual([text("read")]);
    expect(seen).toEqual([{ path: "a", tail: null, lines: true }]);
    expect(JSON.stringify(await called("read", { path: null }))).toContain("path: ");
    expect(contentOf(await called("any", { path: null }))).toEqual([text('{"path":null}')]);
  });
});

test("names at most five unknown arguments, with all characters visible", async () => {
  await using client = await talk(server());
  const args = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`unknown${at}`, 1]));
  const { content } = (await client.call("none", args)) as { content: { text: string }[] };
  expect(content[1]!.text.split("\n")).toHaveLength(5);
  const name = `\u202e"\n${"x".repeat(1000)}`;
  const long = (await client.call("none", { [name]: 1 })) as { content: { text: string }[] };
  expect(long.content[1]!.text).toMatch(/^Unknown argument "\\u202e\\"\\nx{61}…": this tool takes no arguments. It was ignored.$/);
});

describe("the most similar name", () => {
  const KNOWN = ["path", "limit", "ignoreCase", "repo_path", "excludePatterns"];
  test.each([
    ["pth", "path"],
    ["Path", "path"],
    ["ignore_case", "ignoreCase"],
    ["file_path", "path"],
    ["maxResults", "limit"],
    ["repoPath", "repo_path"],
    ["exclude", "excludePatterns"],
    ["lmiit", "limit"],
    ["x", undefined],
    ["colour", undefined],
    ["", undefined],
  ])("of %j is %j", (misspelled, expected) => {
    expect(nearestName(misspelled, KNOWN)).toBe(expected);
  });

  test("is not one that the call gives already", async () => {
    await using client = await talk(server());
    const { content } = (await client.call("count", { text: "a", texts: "b" })) as { content: unknown[] };
    expect(content[1]).toEqual(text('Unknown argument "texts": expected text. It was ignored.'));
  });
});
