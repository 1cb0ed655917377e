// --ranking: what decides between matches besides the words.
import { expect, test } from "vitest";
import type { Preference } from "../../../src/graph/search/preferences.ts";
import { searchNodes, type Match } from "../../../src/graph/search/search.ts";
import { addObservations } from "../../../src/graph/write/creation.ts";
import { entity } from "../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../support/open-memory.ts";

const QUERY = "harbour tours in summer";
/** The first has all words, the others two of them. */
const ENTITIES = [
  entity("best", "t", "summer tours of the harbour"),
  { ...entity("tagged", "t", "the harbour in summer"), tags: ["Important"] },
  ...Array.from({ length: 4 }, (_, at) => entity(`some ${at}`, "t", `the harbour in summer, part ${at}`)),
  { ...entity("minor", "t", "the harbour in summer"), tags: ["unimportant"] },
];

const find = ({ store }: OpenMemory, preference?: Preference): Match[] =>
  searchNodes(store, { query: QUERY, detail: "names", maxBytes: 100_000, preference }).matches;

const placeOf = (matches: readonly Match[], name: string): number => matches.findIndex((match) => match.name === name);

test("ranks tagged entities higher with importance, and names the tag", async () => {
  await using opened = await openMemory(ENTITIES);
  const [plain, preferred] = [find(opened), find(opened, "importance")];
  expect(preferred.map(({ name }) => name).toSorted()).toEqual(plain.map(({ name }) => name).toSorted());
  expect(preferred[0]?.name).toBe("best");
  expect(placeOf(preferred, "tagged")).toBeLessThan(placeOf(plain, "tagged"));
  expect(placeOf(preferred, "minor")).toBeGreaterThan(placeOf(plain, "minor"));
  expect(preferred[placeOf(preferred, "tagged")]?.why).toMatch(/^Has 2 of 3 words: .* Tagged important\.$/);
  expect(plain[placeOf(plain, "tagged")]?.why).not.toContain("Tagged");
});

test("ranks entities that were confirmed lately higher with decay, and names the day", async () => {
  await using opened = await openMemory(ENTITIES);
  const { store } = opened;
  store.run("UPDATE call SET at = at - 400 * 86400000");
  const observations = [{ entityName: "some 0", contents: ["the harbour in summer, part 0"] }];
  const before = find(opened, "both");
  await opened.change((_, call) => addObservations(store, call, observations, false));
  const after = find(opened, "both");
  expect(placeOf(after, "some 0")).toBeLessThan(placeOf(before, "some 0"));
  const today = new Date().toISOString().slice(0, 10);
  expect(after[placeOf(after, "some 0")]?.why).toContain(`Last stated ${today}.`);
});

test("keeps the order of hits without a preference", async () => {
  await using opened = await openMemory(ENTITIES);
  expect(find(opened, "match")).toEqual(find(opened));
});
