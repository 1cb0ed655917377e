// What types forbid and authors do all the same, outside of tools: one answer that is an error, and the next request is served.
import { describe, expect, test } from "vitest";
import {
  defineServer,
  McpError,
  prompt,
  resource,
  text,
  template,
  tool,
  type Middleware,
  type RuntimeOptions,
  type PromptSpec,
  type ResourceSpec,
} from "../../src/index.ts";
import { toFetch } from "../../src/fetch.ts";
import { z } from "zod";
import { talk } from "../support/talk.ts";

const INTERNAL = { code: -32603, message: expect.stringMatching(/^Internal error \(ref [0-9a-f]{4}\)$/) };

const READ: Record<string, unknown> = {
  null: null,
  number: 5,
  object: {},
  "a number as text": { text: 5 },
  "a number as blob": { blob: 5 },
  "a buffer of bytes": new ArrayBuffer(3),
  "a whole result": { contents: [{ uri: "slip://1", text: "x" }] },
  "a list with a hole": ["x", null],
};

const SAID: Record<string, unknown> = {
  undefined,
  null: null,
  number: 5,
  "one block": text("x"),
  blocks: [text("x")],
  texts: ["x"],
  "a message with text for content": [{ role: "user", content: "x" }],
  "a role that is none": [{ role: "system", content: text("x") }],
  "a whole result": { messages: [{ role: "user", content: text("x") }] },
};

const COMPLETED: Record<string, unknown> = {
  undefined,
  null: null,
  text: "abc",
  set: new Set(["a"]),
  numbers: [1, 2],
  "a list with a hole": ["a", undefined],
};

const logged: string[] = [];
const log = (_level: string, data: unknown): void => void logged.push(typeof data === "string" ? data : "");

function server(returned: unknown) {
  const read = (() => returned) as ResourceSpec["read"];
  const get = (() => returned) as PromptSpec<never>["get"];
  return defineServer({
    name: "slips",
    version: "1",
    resources: [resource({ uri: "slip://1", name: "one", read })],
    prompts: [
      prompt({ name: "slip", get }),
      prompt({ name: "typed", args: z.object({ a: z.string() }), complete: { a: () => returned as string[] }, get: () => "x" }),
    ],
  });
}

describe("KIT-14 bad results outside of tools are one error each, and the log names the expected value", () => {
  const typed = { ref: { type: "ref/prompt", name: "typed" }, argument: { name: "a", value: "" } };
  const matrix = [
    ...Object.keys(READ).map((what) => ["resources/read", what, READ[what], { uri: "slip://1" }, "Reading slip://1 returned"] as const),
    ...Object.keys(SAID).map((what) => ["prompts/get", what, SAID[what], { name: "slip" }, 'Prompt "slip" returned'] as const),
    ...Object.keys(COMPLETED).map(
      (what) => ["completion/complete", what, COMPLETED[what], typed, 'The completion of "a" returned'] as const,
    ),
  ];

  test.each(matrix)("%s: %s", async (method, _what, returned, params, words) => {
    logged.length = 0;
    await using client = await talk(server(returned), { log });
    expect(await client.error(method, params)).toEqual(INTERNAL);
    expect(logged).toEqual([expect.stringContaining(`${words} `)]);
    expect(logged[0]).toContain(": expected ");
    expect(await client.result("ping")).toEqual({});
  });
});

const FAILS: Record<string, () => unknown> = {
  throws: () => {
    throw new Error("no");
  },
  "is rejected": () => Promise.reject(new Error("no")),
};

describe.each(Object.keys(FAILS))("KIT-14 unawaited work that %s ends nothing", (how) => {
  const fail = FAILS[how] as () => undefined;

  test("ends a watch", async () => {
    const watched = resource({ uri: "slip://1", name: "one", read: () => "x", watch: () => fail });
    await using client = await talk(defineServer({ name: "slips", version: "1", resources: [watched] }));
    await client.result("resources/subscribe", { uri: "slip://1" });
    expect(await client.result("resources/unsubscribe", { uri: "slip://1" })).toEqual({});
    expect(await client.result("ping")).toEqual({});
  });

  test("writes its own log", async () => {
    const tools = [
      tool({ name: "logs", run: (_input, ctx) => (ctx.log.error("x"), "reply") }),
      tool({ name: "throws", run: () => Promise.reject(new Error("secret detail")) }),
    ];
    const own: RuntimeOptions["log"] = fail;
    await using client = await talk(defineServer({ name: "slips", version: "1", tools }), { log: own });
    expect(await client.replyText("logs")).toBe("reply");
    expect(await client.result("tools/call", { name: "throws" })).toMatchObject({ isError: true });
    expect(await client.result("ping")).toEqual({});
  });
});

test("KIT-14 keeps the code of an error longer than a response may be, and clips its message", async () => {
  const long = "x".repeat(10_000);
  const small = { code: -32001, message: "x".repeat(5000), data: "x".repeat(4000) };
  const errors = {
    small,
    wordy: { ...small, message: long },
    wide: { ...small, data: "é".repeat(5000) },
    heavy: { ...small, message: "No", data: long },
  };
  const fail = (name: keyof typeof errors) => (): never => {
    const { code, message, data } = errors[name];
    throw new McpError(code, message, data);
  };
  const names = ["small", "wordy", "wide", "heavy"] as const;
  const tools = names.map((name) => tool({ name, run: fail(name) }));
  const prompts = names.map((name) => prompt({ name, get: fail(name) }));
  await using client = await talk(defineServer({ name: "slips", version: "1", tools, prompts }), { limits: { resultBytes: 10_000 } });
  const cut = { code: -32001, message: `${"x".repeat(300)}…` };
  for (const method of ["tools/call", "prompts/get"]) {
    expect(await client.error(method, { name: "small" })).toEqual(small);
    expect(await client.error(method, { name: "wordy" })).toEqual(cut);
    expect(await client.error(method, { name: "wide" })).toEqual(cut);
    expect(await client.error(method, { name: "heavy" })).toEqual({ code: -32001, message: "No" });
  }
});

test("throws when an entry is added to a list that the definition leaves out", async () => {
  const replyText = tool({ name: "reply", run: () => "reply" });
  expect(() => defineServer({ name: "slips", version: "1" }).tools.add(replyText)).toThrow(
    "Cannot add tools: the server was defined without this list.",
  );
  const empty = defineServer({ name: "slips", version: "1", tools: [] });
  empty.tools.add(replyText);
  await using client = await talk(empty);
  expect(await client.replyText("reply")).toBe("reply");
});

describe("a definition without what serves it is refused by name", () => {
  const DEFINITIONS: [owner: string, define: () => unknown][] = [
    ['tool "a": expected a function run, got undefined.', () => tool({ name: "a" } as never)],
    ['prompt "a": expected a function get, got a list.', () => prompt({ name: "a", get: [] as never })],
    ['resource "a:b": expected a function read, got string.', () => resource({ uri: "a:b", name: "a", read: "x" as never })],
    ['template "a:{b}": expected a function read, got undefined.', () => template({ uri: "a:{b}", name: "a" } as never)],
    ["Invalid server: expected a name and a version as text", () => defineServer({ name: "a" } as never)],
    ["Invalid server: expected a name and a version as text", () => defineServer({ version: "1" } as never)],
    ["tool: expected name as text, got undefined.", () => tool({ run: () => "x" } as never)],
    ["prompt: expected name as text, got undefined.", () => prompt({ get: () => "x" } as never)],
    ['resource "a:b": expected name as text, got undefined.', () => resource({ uri: "a:b", read: () => "x" } as never)],
    ['template "a:{b}": expected name as text, got undefined.', () => template({ uri: "a:{b}", read: () => "x" } as never)],
    ["resource: expected uri as text, got undefined.", () => resource({ name: "a", read: () => "x" } as never)],
    ["template: expected uri as text, got undefined.", () => template({ name: "a", match: () => ({}), read: () => "x" } as never)],
  ];
  test.each(DEFINITIONS)("%s", (message, define) => {
    expect(define).toThrow(message);
  });
});

describe("an entry that is not a definition is refused by name", () => {
  const run = (): string => "x";
  const entry = (named: string, list: string, type = "object"): string =>
    `Invalid entry${named} of ${list}: expected a definition, got ${type}.`;
  const LISTS: [message: string, lists: object][] = [
    [`${entry(' "a"', "tools")} Make it by tool({ … }).`, { tools: [{ name: "a", run }] }],
    [`${entry("", "tools", "a list")} Make it by tool({ … }).`, { tools: [[tool({ name: "a", run })]] }],
    [`${entry(' "a:b"', "resources")} Make it by resource({ … }) or template({ … }).`, { resources: [{ uri: "a:b", read: run }] }],
    [`${entry(' "a"', "prompts")} Make it by prompt({ … }).`, { prompts: [{ name: "a", get: run }] }],
    [entry(' "a"', "prompts"), { prompts: [tool({ name: "a", run })] }],
    [entry("", "tools", "undefined"), { tools: [undefined] }],
    ["Invalid tools: expected a list, got object.", { tools: tool({ name: "a", run }) }],
    ["Invalid use: expected a list, got object.", { use: {} }],
    ["Invalid extensions: expected a list, got function.", { extensions: () => ({}) }],
    ["Extension is function: expected an object with an id. Call the function that makes it.", { extensions: [() => ({})] }],
    ["Extension is undefined: expected an object with an id.", { extensions: [undefined] }],
  ];
  test.each(LISTS)("%s", (message, lists) => {
    expect(() => defineServer({ name: "slips", version: "1", ...lists })).toThrow(message);
  });

  test.each(["tools", "resources", "prompts"] as const)("also where it is added to %s, and loaded later", async (list) => {
    const server = defineServer({ name: "slips", version: "1", [list]: [] });
    expect(() => server[list].add({ name: "a" } as never)).toThrow(entry(' "a"', list));
    const lazy = { load: async () => ({ [list]: [{ name: "a" } as never] }) };
    await expect(defineServer({ name: "slips", version: "1", lazy }).ready()).rejects.toThrow(entry(' "a"', list));
  });
});

describe("KIT-14 the chain of middleware", () => {
  const around = (use: unknown) =>
    defineServer({ name: "slips", version: "1", tools: [tool({ name: "a", run: () => "x" })], use: [use as Middleware] });
  const WRONG: [returned: unknown, type: string][] = [
    [undefined, "undefined"],
    ["x", "string"],
    [[text("x")], "a list"],
  ];

  test.each(WRONG)("names the result %j in the log", async (returned, type) => {
    logged.length = 0;
    await using client = await talk(around({ call: async (_request: unknown, next: () => unknown) => (await next(), returned) }), { log });
    expect(await client.result("tools/call", { name: "a" })).toMatchObject({ isError: true });
    expect(logged).toEqual([expect.stringContaining(`Middleware returned ${type} for tools/call: expected a result. Return what next()`)]);
  });

  test("names what it returns in place of a list of entries", async () => {
    logged.length = 0;
    await using client = await talk(around({ list: () => undefined }), { log });
    expect(await client.error("tools/list")).toEqual(INTERNAL);
    expect(logged).toEqual([expect.stringContaining("Middleware returned undefined for tools/list: expected the list of entries.")]);
  });

  test.each([(_request: unknown, next: () => unknown) => next(), undefined])("refuses %s with the form to use", (wrong) => {
    expect(() => toFetch(around(wrong))).toThrow(
      `Invalid middleware: expected an object with list or call, such as { call: (request, next) => next() }, got ${typeof wrong}.`,
    );
  });
});
