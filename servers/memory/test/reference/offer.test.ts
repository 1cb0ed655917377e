// What the two servers offer: every known tool is here under its name, with its arguments, its types and its annotations.
import type { Json, Tool } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder } from "@oarlock/testing";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin } from "../support/targets.ts";

const OFFICIAL = fileURLToPath(new URL("../../node_modules/@modelcontextprotocol/server-memory/dist/index.js", import.meta.url));
const folder = tempFolder();
let theirs: Awaited<ReturnType<typeof look>>;
let own: Awaited<ReturnType<typeof look>>;

async function look(command: Parameters<typeof connectTo>[0]) {
  await using wired = await connectTo(command);
  const { client } = wired;
  return {
    name: client.serverInfo.name,
    tools: await Array.fromAsync(client.tools()),
    resources: await Array.fromAsync(client.resources()),
    subscribes: (client.capabilities as { resources?: { subscribe?: boolean } }).resources?.subscribe,
    graph: await client.read("memory://knowledge-graph"),
  };
}

beforeAll(async () => {
  theirs = await look({ command: process.execPath, args: [OFFICIAL], env: { MEMORY_FILE_PATH: folder.at("theirs.jsonl") } });
  own = await look(bin([], { MEMORY_FILE_PATH: folder.at("ours.jsonl") }));
});

afterAll(() => folder[Symbol.asyncDispose]());

test("deviation `name`: serverInfo.name is our own", () => {
  expect([theirs.name, own.name]).toEqual(["memory-server", "oarlock-memory"]);
});

interface Schema {
  type?: string;
  properties?: Record<string, Json>;
  required?: string[];
}

const twin = ({ name }: Tool): Tool => own.tools.find((tool) => tool.name === name)!;
const schemaOf = (tool: Tool): Schema => tool.inputSchema as Schema;

/** Types alone: descriptions are ours, and what was added is optional. */
function typesOf(schema: unknown, known: unknown): unknown {
  const { type, properties, items, required } = schema as Schema & { items?: unknown };
  const model = known as Schema & { items?: unknown };
  return {
    type,
    ...(model.properties !== undefined && {
      properties: Object.fromEntries(Object.entries(model.properties).map(([name, of]) => [name, typesOf(properties?.[name] ?? {}, of)])),
      required: (required ?? []).toSorted(),
    }),
    ...(model.items !== undefined && { items: typesOf(items ?? {}, model.items) }),
  };
}

describe("deviation `offer`: all known names, arguments and types are kept", () => {
  test("the nine tools, in their order, before ours", () => {
    expect(theirs.tools).toHaveLength(9);
    expect(own.tools.slice(0, 9).map(({ name }) => name)).toEqual(theirs.tools.map(({ name }) => name));
  });

  test("arguments, what is required of them, and their types, all the way down", () => {
    for (const tool of theirs.tools)
      expect({ [tool.name]: typesOf(schemaOf(twin(tool)), schemaOf(tool)) }).toEqual({
        [tool.name]: typesOf(schemaOf(tool), schemaOf(tool)),
      });
  });

  test("the members of results", () => {
    for (const tool of theirs.tools) {
      const known = tool.outputSchema as Schema;
      const here = twin(tool).outputSchema as Schema;
      expect(Object.keys(here.properties ?? {}), tool.name).toEqual(expect.arrayContaining(Object.keys(known.properties ?? {})));
      expect(here.required, tool.name).toEqual(expect.arrayContaining(known.required ?? []));
    }
  });

  test("annotations, but that creating twice changes nothing more", () => {
    for (const { name, annotations } of theirs.tools) {
      const { idempotentHint: _idempotent, title: _title, destructiveHint, ...more } = annotations ?? {};
      // It says nothing of a tool that changes nothing.
      const hints = more.readOnlyHint === true ? more : { ...more, destructiveHint };
      expect(twin({ name } as Tool).annotations, name).toMatchObject(hints);
    }
  });

  test("the resource, its type, its shape, and that it can be subscribed to", () => {
    expect(own.resources.map(({ uri, mimeType }) => ({ uri, mimeType }))).toEqual(
      expect.arrayContaining(theirs.resources.map(({ uri, mimeType }) => ({ uri, mimeType }))),
    );
    expect([own.subscribes, theirs.subscribes]).toEqual([true, true]);
    expect(own.graph.contents).toEqual(theirs.graph.contents);
  });
});
