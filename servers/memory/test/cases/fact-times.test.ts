// The time of a fact: when it holds and when it was stated, in writes, reads, searches, history and the JSONL file.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { formatTimes, leadingDate, periodOf } from "../../src/graph/rows/fact-times.ts";
import { entity, relation } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { serveMemory, text, type MemoryFixture } from "../support/memory-fixture.ts";

const add = (memory: MemoryFixture, contents: string[], more: object = {}) =>
  memory.call("add_observations", { observations: [{ entityName: "Ada", contents, ...more }] });

const factsAsOf = async (memory: MemoryFixture, asOf: string) => {
  const result = await memory.client.call("open_nodes", { names: ["Ada"], asOf });
  const { entities } = result.structuredContent as { entities: { observations: string[] }[] };
  return { facts: entities[0]?.observations, text: text(result) };
};

async function serveAda(): Promise<MemoryFixture> {
  const memory = await serveMemory({ entities: [entity("Ada", "person")] });
  await add(memory, ["lives in Porto"], { validFrom: "2019" });
  await add(memory, ["lives in Lisbon"], { validFrom: "2023-07-01", supersedes: ["lives in Porto"] });
  await add(memory, ["likes chess"], { told: "2021-03-04" });
  await add(memory, ["2022-05-06 broke an arm"]);
  await add(memory, ["plays the flute"]);
  return memory;
}

test("asOf shows the facts that held then, though they were recorded later, and since when the entity is known", async () => {
  await using memory = await serveAda();
  const today = new Date().toISOString().slice(0, 10);
  expect(await factsAsOf(memory, "2020")).toMatchObject({
    facts: ["lives in Porto"],
    text: expect.stringContaining(`known since ${today}`),
  });
  expect((await factsAsOf(memory, "2022-12-31")).facts).toEqual(["lives in Porto", "likes chess", "2022-05-06 broke an arm"]);
  expect((await factsAsOf(memory, "2023-07-01")).facts).toEqual(["lives in Lisbon", "likes chess", "2022-05-06 broke an arm"]);
  expect((await factsAsOf(memory, today)).facts).toEqual(["lives in Lisbon", "likes chess", "2022-05-06 broke an arm", "plays the flute"]);
  const before = await memory.client.call("open_nodes", { names: ["Ada"], asOf: "2018" });
  expect(before.structuredContent).toMatchObject({ entities: [], notFound: ["Ada"], knownSince: [{ name: "Ada", date: today }] });
});

test("a deleted fact held at no time, a replaced one did before", async () => {
  await using memory = await serveAda();
  await memory.call("delete_observations", { deletions: [{ entityName: "Ada", observations: ["likes chess"] }] });
  expect((await factsAsOf(memory, "2022-01-01")).facts).toEqual(["lives in Porto"]);
});

test.each([
  [{ since: "2021", before: "2022" }, ["likes chess"]],
  [{ before: "2021" }, []],
  [{ since: "2022", before: "2023-07-01" }, ["2022-05-06 broke an arm"]],
  [{ since: "1d" }, ["plays the flute"]],
  [{ since: "2023-06", before: "2023-08" }, ["lives in Lisbon"]],
])("a search %o shows facts of that time only", async (range, facts) => {
  await using memory = await serveAda();
  for (const query of ["Ada", "chess arm flute Lisbon Porto"]) {
    const result = await memory.client.call("search_nodes", { query, ...range });
    const { entities, matches } = result.structuredContent as { entities: { observations: string[] }[]; matches: unknown };
    expect(entities.flatMap(({ observations }) => observations).toSorted()).toEqual(facts);
    const data = JSON.stringify([result.content[0], matches]);
    for (const other of ["Porto", "Lisbon", "chess", "arm", "flute"])
      expect(data.includes(other), other).toBe(facts.some((fact) => fact.includes(other)));
  }
});

test.each(["", "Lisbon"])("a search for %j counts the facts that were recorded in its time and hold at another", async (query) => {
  await using memory = await serveMemory({ entities: [entity("Ada", "person")] });
  await add(memory, ["plays the flute in Lisbon"]);
  await add(memory, ["lives in Lisbon"], { validFrom: "2023-07-01" });
  const reply = await memory.client.call("search_nodes", { query, since: "7d" });
  expect(reply.structuredContent).toMatchObject({ entities: [{ observations: ["plays the flute in Lisbon"] }], ofOtherTimes: 1 });
  expect(text(reply)).toContain(
    "Recorded in this time, but valid at another: 1 fact. get_history with since 7d lists what was recorded, in order.",
  );
  expect(text(await memory.client.call("search_nodes", { query }))).not.toContain("Recorded in this time");
});

test("an existing fact gets times, and reads and history tell them", async () => {
  await using memory = await serveMemory({ entities: [entity("Ada", "person", "works at Acme")] });
  const reply = await memory.client.call("add_observations", {
    observations: [{ entityName: "Ada", contents: ["works at Acme"], validFrom: "2019", validTo: "2021-05", told: "2021-06-01" }],
  });
  expect(text(reply)).toContain('Times are now: Ada "works at Acme" 2019 to 2021-05, said 2021-06-01.');
  expect(text(await memory.client.call("open_nodes", { names: ["Ada"] }))).toContain(
    'All recorded 2021-06-01.\nValid: Ada "works at Acme" 2019 to 2021-05.',
  );
  expect(await memory.call("get_history", { entityName: "Ada" })).toMatchObject({
    events: [{ event: "created" }, { event: "observed", times: { validFrom: "2019", validTo: "2021-05", told: "2021-06-01" } }],
  });
});

test("an existing fact keeps the times that are not given", async () => {
  await using memory = await serveMemory({ entities: [entity("Ada", "person", "lives in Linz")] });
  await add(memory, ["lives in Linz"], { validFrom: "2020" });
  await add(memory, ["lives in Linz"], { validTo: "2026-01" });
  expect(await memory.call("get_history", { entityName: "Ada" })).toMatchObject({
    events: [{ event: "created" }, { event: "observed", times: { validFrom: "2020", validTo: "2026-01" } }],
  });
  const observations = [{ entityName: "Ada", contents: ["lives in Linz"], validTo: "2019" }];
  expect(await memory.failure("add_observations", { observations })).toMatch(/^Times of lives in Linz contradict each other/);
});

test.each([
  [{ validFrom: "soon" }, /^Time "soon" in validFrom of Ada not understood/],
  [{ told: "2023-02-30" }, /^Time "2023-02-30" in \w+ of Ada not understood/],
  [{ validFrom: "2023", validTo: "2022" }, /^Times of Ada contradict each other/],
])("refuses %o", async (times, message) => {
  await using memory = await serveMemory({ entities: [entity("Ada", "person")] });
  const observations = [{ entityName: "Ada", contents: ["x"], ...times }];
  expect(await memory.failure("add_observations", { observations })).toMatch(message);
  expect(await memory.failure("create_entities", { entities: [{ ...entity("Ada", "person"), ...times }] })).toMatch(message);
});

test("the JSONL file has the times, and gives them back", async () => {
  await using folder = tempFolder();
  const times = { validFrom: "2019", validTo: "2021", told: "2022-01-02T10:00Z" };
  await using server = await serveInProcess(folder.at("m.jsonl"));
  await server.does("create_entities", { entities: [{ ...entity("Ada", "person", "a", 'b "c"'), ...times, tags: ["x"] }] });
  await server.does("add_observations", { observations: [{ entityName: "Ada", contents: ["plain"] }] });
  await server.close();
  const line = folder.read("m.jsonl");
  const observationTimes = { a: times, 'b "c"': times };
  expect(JSON.parse(line)).toEqual({ type: "entity", ...entity("Ada", "person", "a", 'b "c"', "plain"), tags: ["x"], observationTimes });
  folder.write({ "copy.jsonl": line });
  await using copy = await serveInProcess(folder.at("copy.jsonl"));
  expect(await copy.graph()).toMatchObject({ entities: [{ name: "Ada" }] });
  await copy.does("add_observations", { observations: [{ entityName: "Ada", contents: ["a"], validFrom: "2020" }] });
  await copy.close();
  expect(JSON.parse(folder.read("copy.jsonl"))).toMatchObject({ observationTimes: { a: { validFrom: "2020" }, 'b "c"': times } });
  // As the reference server rewrites it: without members that it does not know.
  folder.write({ "copy.jsonl": `${JSON.stringify({ type: "entity", ...entity("Ada", "person", "a", 'b "c"', "new") })}\n` });
  await using again = await serveInProcess(folder.at("copy.jsonl"));
  expect((await again.graph()).entities).toMatchObject([{ observations: ["a", 'b "c"', "new"] }]);
  await again.close();
  expect(JSON.parse(folder.read("copy.jsonl"))).toMatchObject({ observationTimes: { a: { validFrom: "2020" }, 'b "c"': times } });
});

test("a relation keeps its times in the JSONL file, beside the members of other programs", async () => {
  await using folder = tempFolder();
  const line = { type: "relation", ...relation("Ada", "knows", "Bo"), weight: 2, validFrom: "2019" };
  folder.write({ "m.jsonl": `${JSON.stringify(line)}\n` });
  await using server = await serveInProcess(folder.at("m.jsonl"));
  expect((await server.graph()).relations).toEqual([{ ...relation("Ada", "knows", "Bo"), validFrom: "2019" }]);
  await server.does("create_relations", { relations: [{ ...relation("Ada", "knows", "Bo"), validFrom: "2020", validTo: "2021" }] });
  await server.close();
  expect(JSON.parse(folder.read("m.jsonl"))).toEqual({ ...line, validFrom: "2020", validTo: "2021" });
});

test.each([
  ["2023-05-08 went home", "2023-05-08"],
  ["[2023-05-08 13:56] Ann: hello", "2023-05-08T13:56"],
  ["8 May 2023: hello", "2023-05-08"],
  ["On May 8th, 2023 she left", "2023-05-08"],
  ["2023/05/08, hello", "2023-05-08"],
  ["1:56 pm on 8 May, 2023: hello", "2023-05-08"],
  ["[10:04 am, May 8th, 2023] Ann: hello", "2023-05-08"],
  ["10:04 on the dot", undefined],
  ["2023-13-08 no month", undefined],
  ["2023-05-081", undefined],
  ["1234567 units", undefined],
  ["hello 2023-05-08", undefined],
])("reads the date at the start of %j", (given, date) => {
  expect(leadingDate(given)).toBe(date);
});

test("a year, month and day include all of it", () => {
  expect(periodOf("2024")).toEqual({ start: Date.UTC(2024, 0), end: Date.UTC(2025, 0) - 1 });
  expect(periodOf("2024-02")).toEqual({ start: Date.UTC(2024, 1), end: Date.UTC(2024, 2) - 1 });
  expect(periodOf("2024-02-29T10:00+02:00")).toEqual({ start: Date.UTC(2024, 1, 29, 8), end: Date.UTC(2024, 1, 29, 8) });
  expect(formatTimes({}, "a")).toBeUndefined();
});
