// The bars of pnpm bench:recall --facts, by words: in each layout as many answers as plain full-text search finds, in replies of 1,200 tokens. Each run
// asks about one of the five conversations; the long tier about all of them.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IN_LONG_RUNS } from "@oarlock-tooling/test-support/long-tier";
import { expect, test } from "vitest";
import { askFloor, askServer } from "../src/recall/replies/ask-facts.ts";
import { meanTokens, recallAt } from "../src/recall/replies/fact-score.ts";
import { publicSets, type FactSet } from "../src/recall/replies/fact-sets.ts";
import type { MeasuredServer } from "../src/recall/servers.ts";

/** Facts of a reply's text that count as read. */
const READ = 10;
const MAX_TOKENS = 1200;
const LEAD_OF_THE_BEST = 0.02;

const BIN = fileURLToPath(new URL("../../../servers/memory/dist/bin.js", import.meta.url));
const WORDS: MeasuredServer = {
  name: "words",
  start: (folder) => ({ command: [process.execPath, BIN, "--db", join(folder, "m.db")] }),
};

/** How far the server is above the floor. */
async function leadIn(set: FactSet): Promise<number> {
  const replies = await askServer(WORDS, set);
  expect(meanTokens(replies)).toBeLessThanOrEqual(MAX_TOKENS);
  const lead = recallAt(READ, replies) - recallAt(READ, askFloor(set));
  expect(lead).toBeGreaterThanOrEqual(0);
  return lead;
}

test.each(publicSets())("finds what full-text search finds, in short replies: $name", async (set) => {
  await leadIn({ ...set, memories: set.memories.slice(2, 3) }); // finance: 275 facts, 25 questions
});

test("finds more than full-text search in the best layout of all conversations", IN_LONG_RUNS, async () => {
  const leads: number[] = [];
  for (const set of publicSets()) leads.push(await leadIn(set));
  expect(Math.max(...leads)).toBeGreaterThanOrEqual(LEAD_OF_THE_BEST);
});
