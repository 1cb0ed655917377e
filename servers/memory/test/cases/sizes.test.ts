// Sizes: too large input is refused clearly, long texts are stored whole, and replies stay within their limit. Rule M4.
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { serveInProcess } from "../support/in-process.ts";

const MIB = 1024 * 1024;
const of = (name: string, ...observations: string[]) => ({ name, entityType: "t", observations });

describe("case MEM-11: huge", () => {
  test.each([
    ["a name of 1 MB", { entities: [of("n".repeat(MIB))] }],
    ["a type of 1 MB", { entities: [{ ...of("a"), entityType: "t".repeat(MIB) }] }],
    ["an observation of 2 MB", { entities: [of("a", "o".repeat(2 * MIB))] }],
  ])("%s is refused with the limit in the message, and the next call works", async (_, args) => {
    await using folder = tempFolder();
    await using server = await serveInProcess(folder.at("m.jsonl"));
    expect((await server.refuses("create_entities", args)).length).toBeLessThan(2000);
    await server.create("fine");
    expect(await server.names()).toEqual(["fine"]);
  });

  test("stores a long text whole, and marks it in a reply that is too small for it", async () => {
    await using folder = tempFolder();
    await using server = await serveInProcess(folder.at("m.jsonl"));
    const long = "0123456789".repeat(90_000);
    await server.does("create_entities", { entities: [of("long", long), of("after", "short")] });
    const { text } = await server.call("read_graph");
    expect(text.length).toBeLessThan(600_000);
    expect(text).toMatch(/truncated/i);
    const rest = await server.graph();
    expect(rest.entities.at(-1)).toEqual(of("after", "short"));
    await server.close();
    await using again = await serveInProcess(folder.at("m.jsonl"));
    await again.does("delete_observations", { deletions: [{ entityName: "long", observations: [long] }] });
    expect((await again.graph()).entities).toEqual([of("long"), of("after", "short")]);
  });
});

test.each([3000, 20_000])("rule M4: with %i bytes for a reply, a write returns a truncated list, never an error", async (most) => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"), { maxResultBytes: most });
  const names = Array.from({ length: 300 }, (_, at) => `name ${at}`);
  const entities = names.map((name) => of(name, "one fact of some length", "two"));
  const calls: [string, Json][] = [
    ["create_entities", { entities }],
    ["create_entities", { entities }],
    ["create_relations", { relations: names.map((from) => ({ from, to: `to ${from}`, relationType: "r" })) }],
    ["add_observations", { observations: names.map((entityName) => ({ entityName, contents: ["new", "newer"], supersedes: ["two"] })) }],
    ["update_entities", { updates: names.map((name) => ({ name, newName: `new ${name}` })) }],
  ];
  for (const [name, args] of calls) {
    const { isError, text, structured } = await server.call(name, args);
    expect({ name, isError, truncated: structured?.["truncated"] }, text).toEqual({ name, isError: false, truncated: true });
    expect(text).toContain("Truncated");
    expect(Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(structured))).toBeLessThan(most);
  }
  const { entities: all, relations } = await server.graph();
  expect(all.map(({ name, observations }) => [name, observations])).toEqual(
    names.map((name) => [`new ${name}`, ["one fact of some length", "new", "newer"]]),
  );
  expect(relations).toHaveLength(300);
});
