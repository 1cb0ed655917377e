/** Tests which tools a client sees, by the switches that select them. */
import { apps, ui } from "@oarlock/extensions/apps";
import { defineServer, fromJsonSchema, tool } from "@oarlock/server-kit";
import { expect, test } from "vitest";
import { selectTools } from "../src/tool-selection.ts";
import { look } from "./support/sample-in-memory.ts";

const EVERY_DAY = ["show_options", "change", "change_slowly", "unhinted", "wait", "encoded", "big", "reject_unseen", "throw_later"];
const READING = ["show_options", "wait", "encoded", "big"];

const table: [args: string[], tools: string[], env?: Record<string, string>][] = [
  [[], EVERY_DAY],
  [["--read-only"], READING],
  [["--toolsets", "default"], EVERY_DAY],
  [
    ["--toolsets", "remote"],
    ["push", "fetch"],
  ],
  [
    ["--toolsets", "default, remote", "--read-only"],
    ["show_options", "fetch", "wait", "encoded", "big"],
  ],
  [
    ["--toolsets", "default", "--toolsets", "remote", "--exclude-tools", EVERY_DAY.join(",")],
    ["push", "fetch"],
  ],
  [
    ["--tools", "wait,change"],
    ["change", "wait"],
  ],
  [
    ["--tools", "wait,push"],
    ["push", "wait"],
  ],
  [["--tools", "wait,push", "--toolsets", "default"], ["wait"]],
  [["--tools", "wait,push,unhinted", "--read-only"], ["wait"]],
  [["--tools", "wait,change", "--exclude-tools", "change"], ["wait"]],
  [["--tools", "change", "--read-only"], []],
  [["--tools", "change"], [], { OARLOCK_READ_ONLY: "1" }],
  [[], ["fetch"], { OARLOCK_TOOLSETS: "remote", OARLOCK_EXCLUDE_TOOLS: "push" }],
  [["--tools", "big"], ["big"], { OARLOCK_TOOLS: "wait" }],
];

test.each(table)("registers for %j %j", async (args, tools, env = {}) => {
  await look(args, async (sample) => expect(await sample.tools()).toEqual(tools), { env });
});

test.each([
  [["--read-only"], "change", "It is switched off by --read-only. The operator can start the server without this switch."],
  [["--exclude-tools", "wait"], "wait", "It is switched off by --exclude-tools. The operator can remove its name there."],
  [["--tools", "wait"], "change", "It is switched off by --tools. The operator can add its name there."],
  [[], "push", "It is in the toolset remote, which is switched off. The operator can start the server with --toolsets default,remote."],
])("names with %j, in a call of %s, the switch", async (args, name, reason) => {
  await look(args, async (sample) => {
    await sample.tools(); // without a switch tools are loaded after the handshake
    const { error } = await sample.request("tools/call", { name });
    expect(error).toEqual({ code: -32602, message: `Unknown tool: ${name}. ${reason}` });
  });
});

test("logs a warning for a selection of no tools", async () => {
  await look(["--read-only", "--tools", "change"], async (sample) => expect(sample.stderr).toContain("Warning: No tools are enabled"));
});

test("selects tools before they are loaded", async () => {
  const hello = tool({ name: "hello", hints: { readOnly: true }, run: () => "Hello" });
  const change = tool({ name: "change", run: () => "changed" });
  const server = defineServer({
    name: "late",
    version: "1.0.0",
    lazy: { capabilities: { tools: { listChanged: true } }, load: async () => ({ tools: [hello, change] }) },
  });
  selectTools(server.tools, { readOnly: true, toolsets: [], tools: [], excludeTools: [] });
  await server.ready();
  expect([...server.tools].map(({ name }) => name)).toEqual(["hello"]);
  expect(server.tools.version).toBe(1); // one list: no client has seen another
});

const searching = () => {
  const input = fromJsonSchema(
    {
      type: "object",
      properties: {
        text: { type: "string" },
        limit: { type: "integer" },
        in: {
          type: "array",
          items: { type: "object", properties: { path: { type: "string" }, deep: { type: "boolean" } }, required: ["path"] },
        },
      },
      required: ["text"],
    },
    () => undefined,
  );
  const hints = { readOnly: false, destructive: true, idempotent: true, openWorld: false };
  const search = tool({
    name: "search",
    title: "Search",
    description: "Search a text.",
    input,
    hints,
    run: (given) => JSON.stringify(given),
  });
  const forViews = tool({ name: "view_page", extensions: [ui({ visibility: ["app"] })], run: () => "" });
  const tools = [search, forViews, tool({ name: "clear", run: () => "" }), tool({ name: "push", toolset: "remote", run: () => "" })];
  return defineServer({ name: "s", version: "1", tools, extensions: [apps({ views: [] })] }).tools;
};
const NONE = { readOnly: false, toolsets: [], tools: [], excludeTools: [] };

test("lists in the toolset minimal few tools with few arguments, and keeps what views call", () => {
  const tools = searching();
  selectTools(tools, { ...NONE, toolsets: ["minimal"] }, { search: { arguments: ["in"], description: "Search." } });
  expect([...tools].map(({ name }) => name)).toEqual(["search", "view_page"]);
  expect(tools.get("search")?.listing()).toEqual({
    name: "search",
    description: "Search.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string" },
        in: { type: "array", items: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } },
      },
      required: ["text"],
    },
    annotations: { idempotentHint: true, openWorldHint: false },
  });
  expect(tools.withheld.get("clear")).toBe(
    "It is in the toolset default, which is switched off. The operator can start the server with --toolsets minimal,default.",
  );
});

test("lists a tool in full beside minimal by its own toolset", () => {
  const tools = searching();
  selectTools(tools, { ...NONE, toolsets: ["minimal", "default"] }, { search: {} });
  expect([...tools].map(({ name }) => name)).toEqual(["search", "view_page", "clear"]);
  expect(tools.get("search")?.listing()).toMatchObject({ title: "Search" });
});

test("refuses the toolset minimal of a server without one", () => {
  expect(() => selectTools(searching(), { ...NONE, toolsets: ["minimal"] })).toThrow('Unknown toolset "minimal" in --toolsets');
});
