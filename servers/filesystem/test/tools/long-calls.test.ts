// Long work in every revision: progress, cancellation, and plain calls beside it.
import { closeSync, mkdirSync, openSync } from "node:fs";
import type { Progress } from "@oarlock/client";
import { connectTo, tempFolder, TESTED_REVISIONS, type TempFolder, type TestConnection } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { targetOf } from "../support/target.ts";

let forest: TempFolder;
/** Long enough that a pattern with several stars takes its time. */
const longName = (at: number): string => `f${at}-${"abc".repeat(75)}`;

beforeAll(() => {
  forest = tempFolder();
  for (let d = 0; d < 12; d++) {
    mkdirSync(forest.at(`d${d}`));
    for (let f = 0; f < 35; f++) closeSync(openSync(forest.at(`d${d}`, longName(f)), "w"));
  }
});

afterAll(() => forest[Symbol.asyncDispose]());

/** Many patterns to try on each of 420 long names. */
const excludePatterns = Array.from({ length: 99 }, (_, at) => `**/*a*b*${at}x*`);
const LONG = [
  ["search_files", { pattern: "**/nothing", excludePatterns }],
  ["directory_tree", { excludePatterns: [...excludePatterns.slice(1), "**/f*"] }],
] as const;

describe.each(TESTED_REVISIONS)("— %s", (revision) => {
  const connected = async (): Promise<TestConnection> => connectTo(await targetOf({ directories: [forest.path] }), { revision });

  test.each(LONG)(
    "RPC-23 PROG-03 PROG-04 PROG-05 PROG-14 %s ends at once when cancelled, and reports progress on request",
    async (name, args) => {
      await using wired = await connected();
      const { client } = wired;
      const notes = (): number =>
        wired.messages("received").filter((message) => (message as Note).method === "notifications/progress").length;
      const cancel = new AbortController();
      const outcome = client.call(name, { path: forest.path, ...args }, { signal: cancel.signal }).then(
        () => "finished",
        () => "cancelled",
      );
      // Answered while the long call runs: below it is still there to be cancelled.
      await client.call("list_allowed_directories");
      cancel.abort(new Error("enough"));
      expect(await outcome).toBe("cancelled");
      await client.call("read_text_file", { path: forest.at("d0", longName(0)) });
      expect(notes()).toBe(0);
      // No answer comes any more within the time that the rest would have taken.
      const reported: Progress[] = [];
      await client.call(name, { path: forest.path, ...args }, { onProgress: (progress) => reported.push(progress) });
      expect(reported.length).toBeGreaterThan(0);
      for (const [at, { progress, message }] of reported.entries()) {
        expect(progress).toBeGreaterThan(reported[at - 1]?.progress ?? 0);
        expect(message === undefined).toBe(revision === "2024-11-05");
      }
      expect(notes()).toBe(reported.length);
      expect(wired.faults).toEqual([]);
    },
  );
});

interface Note {
  method?: string;
}
