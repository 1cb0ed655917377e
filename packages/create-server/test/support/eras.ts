// The command of a package.json, run in each era over stdio and HTTP.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@oarlock/client";
import { connectTo, type TestConnection } from "@oarlock/testing";
import { expect } from "vitest";

/** The only command of the package in a folder. */
export function commandIn(folder: string, args: readonly string[] = []): Command {
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> };
  expect(Object.keys(bin)).toHaveLength(1);
  return { command: process.execPath, args: [join(folder, Object.values(bin)[0]!), ...args] };
}

export const CELLS = (["stdio", "http"] as const).flatMap((transport) =>
  ["2025-11-25", "2026-07-28"].map((revision) => ({ transport, revision })),
);

/** Runs a body with a client of each era over each transport; no message of the server may violate the protocol. */
export async function inEachEra(command: Command, body: (wired: TestConnection) => Promise<void>): Promise<void> {
  for (const cell of CELLS) {
    await using wired = await connectTo(command, cell);
    await body(wired);
    expect([cell, wired.faults]).toEqual([cell, []]);
  }
}
