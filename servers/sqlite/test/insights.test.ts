// Insights, their file and their notifications: one for each addition, of this server or another.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { needs, reportedChanges, tempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Insights } from "../src/insights.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("notifies every listener of an addition once", async () => {
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

test("survives a temporarily unreadable insights file", async () => {
  await using folder = tempFolder();
  const notes = folder.at("notes.jsonl");
  const insights = new Insights(() => notes);
  let seen = 0;
  const stop = insights.watch(() => void (seen += 1));
  symlinkSync("notes.jsonl", notes); // points to itself
  vi.advanceTimersByTime(2000);
  rmSync(notes);
  vi.advanceTimersByTime(2000);
  expect(seen).toBe(0);
  new Insights(() => notes).add("by another server");
  vi.advanceTimersByTime(2000);
  expect(seen).toBe(1);
  stop();
});

test("saves an insight after an incomplete line", async () => {
  await using folder = tempFolder();
  const notes = folder.at("notes.jsonl");
  for (const [before, known] of [
    ['"one"\n"two"', ["one", "two"]],
    ['"one"\n"torn', ["one"]],
    ["", []],
  ] as const) {
    writeFileSync(notes, before);
    expect(new Insights(() => notes).add("next")).toEqual({ count: known.length + 1, isSaved: true });
    expect(new Insights(() => notes).all()).toEqual([...known, "next"]);
  }
});

test("refuses an insight that makes the file too large, and keeps the others", async () => {
  await using folder = tempFolder();
  const notes = folder.at("notes.jsonl");
  const long = "x".repeat(20_000);
  writeFileSync(notes, `${JSON.stringify(long)}\n`.repeat(399));
  const insights = new Insights(() => notes);
  expect(() => insights.add(long)).toThrow("The memo is full: it has 399 insights");
  expect(insights.add("short")).toEqual({ count: 400, isSaved: true });
  expect(insights.all()).toHaveLength(400);
});

test("reports the insights file of an addition, and no text of it", async () => {
  await using folder = tempFolder();
  const insights = new Insights(() => folder.at("insights.jsonl"));
  expect(await reportedChanges(async () => insights.add("secret"))).toEqual([folder.at("insights.jsonl")]);
});

test.each<[what: string, put: (file: string, victim: string) => void]>([
  ["link to another file", (file, victim) => symlinkSync(victim, file)],
  ["link that leads nowhere", (file, victim) => symlinkSync(`${victim}.new`, file)],
  ["pipe", (file) => void execFileSync("mkfifo", [file])],
  ["folder", (file) => mkdirSync(file)],
])("neither writes an insight to a %s in place of its file nor reads it from there", needs("named pipes"), async (_what, put) => {
  await using folder = tempFolder({ victim: '"of the victim"\n' });
  put(folder.at("notes.jsonl"), folder.at("victim"));
  const insights = new Insights(() => folder.at("notes.jsonl"));
  expect(insights.all()).toEqual([]);
  expect(insights.add("next")).toEqual({ count: 1, isSaved: false });
  expect(insights.all()).toEqual(["next"]);
  expect(folder.read("victim")).toBe('"of the victim"\n');
  expect(Object.keys(folder.tree())).not.toContain("victim.new");
});

test("writes no insight through a folder that became a link", async () => {
  await using folder = tempFolder({ "own/notes.jsonl": '"one"\n', "other/notes.jsonl": '"of the victim"\n' });
  const insights = new Insights(() => folder.at("own/notes.jsonl"));
  expect(insights.all()).toEqual(["one"]);
  renameSync(folder.at("own"), folder.at("moved"));
  symlinkSync("other", folder.at("own"));
  expect(insights.add("next")).toEqual({ count: 1, isSaved: false });
  expect(folder.read("other/notes.jsonl")).toBe('"of the victim"\n');
});
