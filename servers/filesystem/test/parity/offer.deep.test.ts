// What the two servers offer: every known tool is here under its name, with its arguments, its types and its annotations.
import type { Json, Tool } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { official, ours, type Side } from "./pair.ts";

interface Offer {
  greeting: Json;
  tools: Tool[];
}
const sides: Side[] = [official(), ours()];
let [theirs, own]: Offer[] = [];

beforeAll(async () => {
  const offers = await Promise.all(sides.map(async (side) => ({ greeting: await side.start(), tools: await side.tools() })));
  [theirs, own] = offers;
});

afterAll(async () => {
  for (const side of sides) await side[Symbol.asyncDispose]();
});

test("deviation `name`: reports its own serverInfo.name", () => {
  expect(theirs!.greeting["serverInfo"]).toMatchObject({ name: "secure-filesystem-server" });
  expect(own!.greeting["serverInfo"]).toMatchObject({ name: "oarlock-filesystem" });
});

describe("deviation `offer`: keeps all known names, arguments and types", () => {
  test("lists the 14 tools", () => {
    const names = (offer: Offer): string[] => offer.tools.map(({ name }) => name).toSorted();
    expect(names(own!)).toEqual(expect.arrayContaining(names(theirs!)));
    expect(theirs!.tools).toHaveLength(14);
  });

  test("keeps arguments, required ones and their types", () => {
    for (const tool of theirs!.tools) {
      const known = schemaOf(tool);
      const here = schemaOf(counterpart(tool));
      // With lineEnding there may be no edits.
      const required = (known.required ?? []).filter((name) => tool.name !== "edit_file" || name !== "edits");
      expect(here.required ?? [], tool.name).toEqual(required);
      for (const [name, property] of Object.entries(known.properties)) {
        // A count is a whole number.
        const type = property["type"] === "number" ? "integer" : property["type"];
        expect(here.properties[name], `${tool.name}.${name}`).toMatchObject({
          type,
          ...(property["enum"] !== undefined && { enum: property["enum"] }),
        });
        if (property["default"] !== undefined)
          expect(here.properties[name]?.["default"], `${tool.name}.${name}`).toEqual(property["default"]);
      }
    }
  });

  test("keeps annotations", () => {
    for (const tool of theirs!.tools) {
      const appends = tool.name === "write_file" ? { idempotentHint: false } : {};
      expect(counterpart(tool).annotations, tool.name).toEqual({ ...tool.annotations, ...appends });
    }
  });

  test("keeps `content` in results", () => {
    for (const tool of theirs!.tools) {
      const { properties, required } = counterpart(tool).outputSchema as unknown as Schema;
      expect(required, tool.name).toContain("content");
      expect(properties["content"]?.["type"], tool.name).toBe((tool.outputSchema as unknown as Schema).properties["content"]?.["type"]);
    }
  });
});

interface Schema {
  properties: Record<string, Json>;
  required?: string[];
}
const schemaOf = (tool: Tool): Schema => tool.inputSchema as unknown as Schema;

function counterpart({ name }: Tool): Tool {
  const found = own!.tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}
