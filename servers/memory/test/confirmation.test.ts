// Actions that need confirmation by the user: purges, merges and large deletions; in every revision with elicitation.
import { copyFileSync, renameSync } from "node:fs";
import { findRevision, type Json } from "@oarlock/server-kit/protocol";
import { accept, cancel, decline, scriptUser, TESTED_REVISIONS, type ScriptedReply } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import type { Entity } from "../src/graph/model.ts";
import { entity, relation } from "./support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "./support/memory-fixture.ts";
import { onFilesOnly, perStore } from "./support/store-under-test.ts";

/** What is stored differs between stores, not between revisions. */
const revisions = perStore(TESTED_REVISIONS);
const asking = revisions.filter((revision) => findRevision(revision)!.facts.elicit);
const many = Array.from({ length: 101 }, (_, at) => `n${at}`);

interface Act {
  readonly tool: string;
  readonly args: Json;
  /** The entities that are left afterwards. */
  readonly left: readonly string[];
  readonly asks: RegExp;
}

const ACTS: Readonly<Record<string, Act>> = {
  "a purge of an entity": {
    tool: "delete_entities",
    args: { entityNames: ["a"], purge: true },
    left: ["b"],
    asks: /^Purge the named items from the memory, with their history: a\? A purge cannot be undone\.$/,
  },
  "a purge of an observation": {
    tool: "delete_observations",
    args: { deletions: [{ entityName: "a", observations: ["x"] }], purge: true },
    left: ["a", "b"],
    asks: /^Purge the named items from the memory, with their history: a: x\? A purge cannot be undone\.$/,
  },
  "a merge": {
    tool: "update_entities",
    args: { updates: [{ name: "a", newName: "b", merge: true }] },
    left: ["b"],
    asks: /^Merge a into b\? A merge cannot be undone\.$/,
  },
  "a merge into a name that an update before gives": {
    tool: "update_entities",
    args: {
      updates: [
        { name: "b", newName: "c" },
        { name: "a", newName: "c", merge: true },
      ],
    },
    left: ["c"],
    asks: /^Merge a into c\? A merge cannot be undone\.$/,
  },
  "a deletion of 101 entities": {
    tool: "delete_entities",
    args: { entityNames: ["a", ...many.slice(1)] },
    left: ["b"],
    asks: /^Delete 101 entities from the memory, with their observations and relations\?$/,
  },
};

const NO: readonly (readonly [string, ScriptedReply])[] = [
  ["no", accept({ confirm: false })],
  ["a form sent off as it was", accept({})],
  ["decline", decline],
  ["cancel", cancel],
];

const graph = { entities: [entity("a", "t", "x"), entity("b", "t")] };
const names = async (memory: MemoryFixture): Promise<string[]> => {
  const { entities } = JSON.parse(text(await memory.client.call("read_graph", {}))) as { entities: Entity[] };
  return entities.map(({ name }) => name);
};

describe.each(asking)("in %s", (revision) => {
  const asked = async (lines: readonly ScriptedReply[]) => {
    const person = scriptUser(lines, ["form"]);
    return { person, memory: await serveMemory({ ...graph, options: { ...person.handlers, revision } }) };
  };

  test.each(Object.entries(ACTS))(
    "ELIC-08 ELIC-22 ELIC-23 %s asks for one boolean, and runs when the user accepts",
    async (_what, { tool, args, left, asks }) => {
      const { person, memory } = await asked([accept({ confirm: true })]);
      await using _ = memory;
      expect(text(await memory.client.call(tool, args))).not.toContain("Not done");
      expect(await names(memory)).toEqual(left);
      expect(person.requests).toMatchObject([{ kind: "form", message: expect.stringMatching(asks) }]);
      expect((person.requests[0] as { requestedSchema: unknown }).requestedSchema).toEqual({
        type: "object",
        properties: { confirm: { type: "boolean", default: false, description: "Yes, go on" } },
      });
      person.done();
    },
  );

  test.each(NO)("ELIC-20 nothing changes on %s", async (_answer, line) => {
    const acts = Object.values(ACTS);
    const { person, memory } = await asked(acts.map(() => line));
    await using _ = memory;
    for (const { tool, args } of acts) {
      const result = await memory.client.call(tool, args);
      expect(result.isError).toBe(true);
      expect(text(result)).toMatch(/^Not done: the user declined to .* Nothing was changed\.$/);
      expect(await names(memory)).toEqual(["a", "b"]);
    }
    person.done();
  });

  const similar = { entities: [entity("Tove", "person", "x")] };
  const missing = { observations: [{ entityName: "Tove", contents: ["x"] }], createMissing: true };
  const related = { relations: [relation("Tove", "knows", "b")], createMissing: true };
  const CREATIONS = [
    ["create_entities", similar],
    ["add_observations", missing],
    ["create_relations", related],
  ] as const;

  test.each(CREATIONS)("%s asks before it creates an entity beside a similar name", async (tool, args) => {
    const { person, memory } = await asked([accept({ confirm: false }), accept({ confirm: true })]);
    await using _ = memory;
    await memory.client.call("create_entities", { entities: [entity("tove", "person")] });
    const declined = text(await memory.client.call(tool, args));
    expect(declined).toMatch(/ot created.*declined.*tove.*existing name\.$/s);
    expect(await names(memory)).toEqual(["a", "b", "tove"]);
    await memory.client.call(tool, args);
    expect(await names(memory)).toEqual(["a", "b", "tove", "Tove"]);
    const message = "Create Tove beside tove? They may be the same.";
    expect(person.requests).toMatchObject([{ message }, { message }]);
    person.done();
  });

  test("MEM-16 a name in a question stays on one line, in order, and is cut between characters", async () => {
    const { person, memory } = await asked([accept({ confirm: true })]);
    await using _ = memory;
    const name = `\u202e\u2066x\n\u0085${"y".repeat(74)}\u{1f98a}`;
    await memory.client.call("create_entities", { entities: [entity(name, "t")] });
    await memory.client.call("update_entities", { updates: [{ name, newName: "b", merge: true }] });
    const visible = `\\u202e\\u2066x\\n\\x85${"y".repeat(74)}…`;
    expect(person.requests).toMatchObject([{ message: `Merge ${visible} into b? A merge cannot be undone.` }]);
    person.done();
  });

  test.each(Object.entries(ACTS))(
    "%s on a replaced store is refused without an elicitation",
    onFilesOnly(),
    async (_what, { tool, args }) => {
      const { person, memory } = await asked([]);
      await using _ = memory;
      const file = memory.folder.at("m.db");
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
      expect(await memory.failure(tool, args)).toMatch(/^Memory file moved, deleted or replaced/);
      person.done();
    },
  );

  test("updates that are not possible are refused without an elicitation", async () => {
    const { person, memory } = await asked([]);
    await using _ = memory;
    const merge = { name: "a", newName: "b", merge: true };
    expect(await memory.failure("update_entities", { updates: [merge, { name: "missing", newName: "c" }] })).toContain("missing not found");
    expect(await memory.failure("update_entities", { updates: [merge, { name: "a", newName: "c" }] })).toContain("a not found");
    expect(await names(memory)).toEqual(["a", "b"]);
    person.done();
  });

  test("asks for no confirmation of a purge that finds nothing", async () => {
    const { person, memory } = await asked([]);
    await using _ = memory;
    const deleted = { entities: 0, observations: 0, relations: 0 };
    expect(await memory.call("delete_entities", { entityNames: ["missing"], purge: true })).toMatchObject({ deleted });
    const deletions = [{ entityName: "a", observations: ["missing"] }];
    expect(await memory.call("delete_observations", { deletions, purge: true })).toMatchObject({ deleted });
    person.done();
  });

  test("asks for no confirmation where nothing is lost", async () => {
    const { person, memory } = await asked([]);
    await using _ = memory;
    await memory.client.call("delete_observations", { deletions: [{ entityName: "a", observations: ["x"] }] });
    await memory.client.call("update_entities", { updates: [{ name: "a", newName: "c", merge: true }] });
    await memory.client.call("delete_entities", { entityNames: ["c", "c", ...many.slice(2)] });
    expect(await names(memory)).toEqual(["b"]);
    person.done();
  });
});

describe.each(revisions)("without elicitation, in %s", (revision) => {
  test("ELIC-03 each is refused with an alternative", async () => {
    await using refused = await serveMemory({ ...graph, options: { revision } });
    for (const { tool, args } of Object.values(ACTS)) {
      const result = await refused.client.call(tool, args);
      expect(result.isError).toBe(true);
      expect(text(result)).toMatch(/^Not done: to .* needs confirmation by the user.* Nothing was changed\. .*--allow-purge/s);
      expect(await names(refused)).toEqual(["a", "b"]);
    }
  });

  test("a merge that is refused names the way without one", async () => {
    await using refused = await serveMemory({ ...graph, options: { revision } });
    expect(text(await refused.client.call("update_entities", ACTS["a merge"]!.args))).toContain(
      "Instead, add the observations of a to b with add_observations and its relations with create_relations, then delete it with delete_entities.",
    );
  });

  test.each(Object.entries(ACTS))("%s runs with --allow-purge", async (_what, { tool, args, left }) => {
    await using allowed = await serveMemory({ ...graph, allowPurge: true, options: { revision } });
    expect((await allowed.client.call(tool, args)).isError).toBeUndefined();
    expect(await names(allowed)).toEqual(left);
  });
});
