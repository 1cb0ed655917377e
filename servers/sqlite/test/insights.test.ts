// Notifications of insights: one for each addition, of this server or another.
import { appendFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Insights } from "../src/insights.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("an addition is notified once, to every listener", async () => {
  await using folder = tempFolder();
  const insights = new Insights(() => folder.at("insights.jsonl"));
  const seen = [0, 0];
  const stops = seen.map((_, at) => insights.watch(() => void (seen[at]! += 1)));
  insights.add("own");
  vi.advanceTimersByTime(2000);
  expect(seen).toEqual([1, 1]);
  appendFileSync(folder.at("insights.jsonl"), '"of another server"\n');
  vi.advanceTimersByTime(2000);
  expect(seen).toEqual([2, 2]);
  stops[0]?.();
  appendFileSync(folder.at("insights.jsonl"), '"and one more"\n');
  vi.advanceTimersByTime(2000);
  expect(seen).toEqual([2, 3]);
  stops[1]?.();
  expect(vi.getTimerCount()).toBe(0);
  expect(insights.all()).toEqual(["own", "of another server", "and one more"]);
});
