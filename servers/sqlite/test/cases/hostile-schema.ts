// A database with a hostile schema, served beside a plain one.
import type { ToolReply } from "@oarlock/testing";
import { expect } from "vitest";
import { HOSTILE, makeHostile, type Hostile } from "./corpus.ts";
import { openFortress, type Fortress } from "./fortress.ts";

export const byName = (name: string): Hostile => HOSTILE.find((hostile) => hostile.name === name)!;

/** Serves it as the database x. */
export const openHostile = (hostile: Hostile): Promise<Fortress> =>
  openFortress({ others: ["x.db"], prepare: (run) => makeHostile(run.at("x.db"), hostile, run.out) });

/** Expects a message of limited length, without data that only the payload can produce. */
export function expectHarmless({ text, failed }: ToolReply, about: string): void {
  expect(text, about).not.toMatch(/Internal error|[0-9A-F]{16}|"query_only":0/);
  if (failed) expect(text.length, about).toBeLessThan(1500);
}
