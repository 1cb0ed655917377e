// Tools of both servers: every tool of the reference server is here, with its arguments, types and annotations.
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

test("deviation `name`: serverInfo.name is oarlock-memory", () => {
  expect([theirs.name, own.name]).toEqual(["memory-server", "oarlock-memory"]);
});

interface Schema {
  type?: string;
  properties?: Record<string, Json>;
  required?: string[];
}

const ownTool = ({ name }: Tool): Tool => own.tools.find((tool) => tool.name === name)!;
const schemaOf = (tool: Tool): Schema => tool.inputSchema as Schema;

/** Types only: descriptions differ, and additions are optional. */
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
  test("lists the nine tools first, in the same order", () => {
    expect(theirs.tools).toHaveLength(9);
    expect(own.tools.slice(0, 9).map(({ name }) => name)).toEqual(theirs.tools.map(({ name }) => name));
  });

  test("arguments, required members and types are the same at every level", () => {
    for (const tool of theirs.tools)
      expect({ [tool.name]: typesOf(schemaOf(ownTool(tool)), schemaOf(tool)) }).toEqual({
        [tool.name]: typesOf(schemaOf(tool), schemaOf(tool)),
      });
  });

  test("results have the same members", () => {
    for (const tool of theirs.tools) {
      const known = tool.outputSchema as Schema;
      const here = ownTool(tool).outputSchema as Schema;
      expect(Object.keys(here.properties ?? {}), tool.name).toEqual(expect.arrayContaining(Object.keys(known.properties ?? {})));
      expect(here.required, tool.name).toEqual(expect.arrayContaining(known.required ?? []));
    }
  });

  test("annotations are the same, except that creating is idempotent", () => {
    for (const { name, annotations } of theirs.tools) {
      const { idempotentHint: _idempotent, title: _title, destructiveHint, ...more } = annotations ?? {};
      // The reference server has no such hint for a read-only tool.
      const hints = more.readOnlyHint === true ? more : { ...more, destructiveHint };
      expect(ownTool({ name } as Tool).annotations, name).toMatchObject(hints);
    }
  });

  test("has the type and shape of the resource, with subscriptions", () => {
    expect(own.resources.map(({ uri, mimeType }) => ({ uri, mimeType }))).toEqual(
      expect.arrayContaining(theirs.resources.map(({ uri, mimeType }) => ({ uri, mimeType }))),
    );
    expect([own.subscribes, theirs.subscribes]).toEqual([true, true]);
    // The same JSON, without indentation.
    const parsed = ({ contents }: typeof own.graph): unknown =>
      contents.map((content) => ({ ...content, text: "text" in content ? (JSON.parse(content.text) as unknown) : undefined }));
    expect(parsed(own.graph)).toEqual(parsed(theirs.graph));
  });
});
