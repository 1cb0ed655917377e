// Tools (requirements TOOL-*).
import { describe, expect, test } from "vitest";
import { defineServer, EncodedJson, fromJsonSchema, tool } from "../../src/index.ts";
import { type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { readySample, refusal, STATEFUL, words, call } from "../support/sample.ts";
import { talk } from "../support/talk.ts";

const ENCODED = ["[1,2]", " null", '"x"', '{"a":1}'];

describe.each(STATEFUL)("in %s", (revision) => {
  const titles = revision >= "2025-06-18";
  const icons = revision >= "2025-11-25";
  const annotated = revision >= "2025-03-26";

  test.each(ENCODED)("TOOL-19 accepts an encoded result (%s) as structured content only if it is an object", async (json) => {
    const encoded = tool({ name: "encoded", run: () => ({ content: json, structured: new EncodedJson(json) }) });
    await using client = await talk(defineServer({ name: "encoded", version: "1", tools: [encoded] }), { revision });
    expect(await client.call("encoded")).toEqual({
      content: [{ type: "text", text: json }],
      ...(titles && json.startsWith("{") && { structuredContent: JSON.parse(json) as Json }),
    });
  });

  test("TOOL-02 TOOL-03 TOOL-24 TOOL-42 TOOL-43 lists the members that the revision has", async () => {
    await using client = await talk(sampleServer(), { revision });
    const { tools } = (await client.result("tools/list")) as { tools: Json[] };
    expect(tools[0]).toEqual({
      name: "echo",
      ...(titles && { title: "Echo" }),
      description: "Says it again.",
      inputSchema: { type: "object", properties: { message: { type: "string", description: "What to say" } }, required: ["message"] },
      ...(annotated && { annotations: { readOnlyHint: true, openWorldHint: false, ...(!titles && { title: "Echo" }) } }),
      ...(icons && { icons: [{ src: "data:image/png;base64,AAAA", mimeType: "image/png" }] }),
      ...(titles && { _meta: { "sample.example/kind": "plain" } }),
    });
    const outputs = tools.filter((one) => "outputSchema" in one).map(({ name }) => name);
    expect(outputs).toEqual(titles ? ["sum", "mismatch"] : []);
    for (const { inputSchema, outputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: "object" });
      if (outputSchema !== undefined) expect(outputSchema).toMatchObject({ type: "object" });
    }
    expect(tools.find(({ name }) => name === "roots")?.["inputSchema"]).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });

  test("TOOL-15 TOOL-16 TOOL-17 TOOL-18 encodes each block for the revision", async () => {
    await using client = await talk(sampleServer(), { revision });
    const meta = (key: string, value: number): Json => (titles ? { _meta: { [`sample.example/${key}`]: value } } : {});
    const audio = annotated
      ? { type: "audio", data: "UklGRg==", mimeType: "audio/wav", annotations: { priority: 1 } }
      : { type: "resource", resource: { uri: expect.any(String), mimeType: "audio/wav", blob: "UklGRg==" }, annotations: { priority: 1 } };
    const link = titles
      ? {
          type: "resource_link",
          uri: "sample://text",
          name: "text",
          title: "Some text",
          description: "A link",
          mimeType: "text/plain",
          size: 5,
          ...meta("x", 1),
        }
      : { type: "text", text: "Some text — sample://text\nA link" };
    expect(await client.call("media")).toEqual({
      content: [
        {
          type: "text",
          text: "words",
          annotations: { audience: ["user"], priority: 0.5, ...(titles && { lastModified: "2025-01-12T15:00:58Z" }) },
        },
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        audio,
        link,
        {
          type: "resource",
          resource: { uri: "sample://text", mimeType: "text/plain", text: "Hello", ...meta("y", 2) },
          annotations: { audience: ["assistant"] },
        },
        { type: "resource", resource: { uri: "sample://bytes", mimeType: "application/octet-stream", blob: "AAEC" } },
      ],
    });
  });

  test.each(["plain", "async"])("TOOL-19 TOOL-21 TOOL-22 repeats a structured result as JSON text (%s)", async (mode) => {
    await using client = await talk(sampleServer(), { revision });
    const { content, ...rest } = await client.call("sum", { a: 1, b: 2, mode });
    const value = { sum: 3, note: "added" };
    expect(rest).toEqual(titles ? { structuredContent: value } : {});
    expect((content as { type: string; text: string }[]).map(({ type, text }) => [type, JSON.parse(text)])).toEqual([["text", value]]);
  });

  test("TOOL-09 TOOL-11 TOOL-12 TOOL-26 reports unknown tools as errors, and invalid arguments as an error or (newer) a result", async () => {
    await using client = await talk(sampleServer(), { revision });
    for (const [name, message] of [
      ["xyzzy", "Unknown tool: xyzzy"],
      ["ECHO", "Unknown tool: ECHO. Did you mean echo?"],
      ["ehco", "Unknown tool: ehco. Did you mean echo?"],
      ["echo ", "Unknown tool: echo . Did you mean echo?"],
      ["", "Unknown tool: "],
    ])
      expect.soft(await client.error("tools/call", { name })).toEqual({ code: -32602, message });
    for (const args of [undefined, {}, { message: 7 }, { message: null }, { message: ["x"] }, { messages: "x" }]) {
      const params = { name: "echo", ...(args !== undefined && { arguments: args }) };
      if (icons) {
        const { content, isError } = await client.result("tools/call", params);
        expect.soft(isError).toBe(true);
        expect.soft(JSON.stringify(content)).toContain("message");
      } else expect.soft(await client.error("tools/call", params)).toEqual({ code: -32602, message: expect.stringContaining("message") });
    }
  });

  test("TOOL-10 TOOL-14 returns isError for a failure inside a tool, and none for a success", async () => {
    await using client = await talk(sampleServer(), { revision });
    expect(await client.failure("throws", { what: "tool" })).toBe("Repair it like this.");
    expect(await client.call("echo", { message: "x" })).toEqual({ content: [{ type: "text", text: "x" }] });
  });
});

test("TOOL-33 notifies the client of a changed list", async () => {
  const server = sampleServer();
  await using client = await talk(server);
  await client.settled();
  server.tools.add(tool({ name: "new", run: () => "new" }));
  await client.until(({ method }) => method === "notifications/tools/list_changed");
  expect(await client.replyText("new")).toBe("new");
  server.tools.remove("new");
  expect(await client.error("tools/call", { name: "new" })).toMatchObject({ code: -32602 });
  expect(client.heard("notifications/tools/list_changed")).toHaveLength(2);
});

test("TOOL-05 TOOL-06 checks names, requires unique ones, and distinguishes case", () => {
  for (const name of ["", "a b", "é", "a/b", "x".repeat(129), "a\n", "a:b", "<a>"]) {
    expect.soft(() => tool({ name, run: () => "" }), JSON.stringify(name)).toThrow("Tool name");
  }
  for (const name of ["a", "A-Z_0.9", "x".repeat(128)]) expect(tool({ name, run: () => "" }).name).toBe(name);
  const one = (name: string) => tool({ name, run: () => "" });
  expect(() => defineServer({ name: "x", version: "1", tools: [one("a"), one("b"), one("a")] })).toThrow('"a"');
  const server = defineServer({ name: "x", version: "1", tools: [one("a"), one("A")] });
  expect(() => server.tools.add(one("b"), one("a"))).toThrow('"a"');
  // All or none of them.
  expect([...server.tools].map(({ name }) => name)).toEqual(["a", "A"]);
});

test("TOOL-45 accepts a schema with a dialect line and publishes it without one", async () => {
  const input = fromJsonSchema<{ x: string }>(
    { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: { x: { type: "string" } }, required: ["x"] },
    ({ x }) => (typeof x === "string" ? undefined : "x: expected a string"),
  );
  await using client = await talk(defineServer({ name: "x", version: "1", tools: [tool({ name: "t", input, run: ({ x }) => x })] }));
  expect((await client.result("tools/list"))["tools"]).toEqual([
    { name: "t", inputSchema: { type: "object", properties: { x: { type: "string" } }, required: ["x"] } },
  ]);
  expect(await client.replyText("t", { x: "y" })).toBe("y");
  expect(await client.failure("t", { x: 1 })).toContain("x: expected a string");
});

test("TOOL-28 limits the rate of calls with a response for each refusal, and leaves other requests alone", async () => {
  await using server = await readySample({ limits: { callsPerSecond: 10 } });
  for (let id = 0; id < 50; id++) void server.send(call(id, "echo", { message: "x" }));
  const answers = await Promise.all(Array.from({ length: 50 }, () => server.message()));
  const served = answers.filter(({ result }) => result !== undefined).length;
  expect(served).toBeGreaterThanOrEqual(10);
  expect(served).toBeLessThan(20);
  for (const answer of answers) expect(answer).toEqual(answer.result === undefined ? refusal(answer.id, 429) : words(answer.id, "x"));
  expect(await server.request({ jsonrpc: "2.0", id: "list", method: "tools/list" })).toHaveProperty("result.tools");
});

test("TOOL-13 reports a request of another shape as an error in every revision", async () => {
  for (const revision of STATEFUL) {
    await using client = await talk(sampleServer(), { revision });
    for (const params of [
      {},
      { name: 7 },
      { name: null, arguments: {} },
      { name: "echo", arguments: "text" },
      { name: "echo", arguments: [] },
    ]) {
      expect.soft(await client.error("tools/call", params), JSON.stringify(params)).toMatchObject({ code: -32602 });
    }
    expect(await client.error("tools/call")).toMatchObject({ code: -32602 });
  }
});

test("keeps the server running with a schema that hosts would refuse", async () => {
  const input = fromJsonSchema<Json>({ type: "object", properties: { a: { $ref: "https://schemas.example/a" } } }, () => undefined);
  let bad;
  try {
    bad = tool({ name: "bad", input, run: () => "x" });
  } catch (error) {
    // Refused at its definition: as good.
    expect(String(error)).toContain('tool "bad"');
    return;
  }
  await using client = await talk(defineServer({ name: "x", version: "1", tools: [bad] }));
  expect(await client.error("tools/list")).toMatchObject({ code: -32603 });
  expect(await client.result("ping")).toEqual({});
});
