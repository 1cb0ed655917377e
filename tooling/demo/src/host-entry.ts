// The entry that makes a host start the server; the server writes it itself, and here it is tried out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { connect, type Command } from "@oarlock/client";
import { isObject } from "@oarlock/server-kit/protocol";

/** What a server prints for hosts, started by its entry and found alive. */
export async function triedEntry({ command, args = [] }: Command, host: string): Promise<string> {
  const text = execFileSync(command, [...args, "--print-config", host], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  for (const entry of entriesOf(JSON.parse(text))) {
    for (const path of [entry.command, ...(entry.args ?? [])].filter(isAbsolute)) assert.ok(existsSync(path), `${path} is not there`);
    await using client = await connect(entry);
    assert.ok((await client.tools().all()).length > 0);
  }
  return text.trim();
}

function entriesOf(config: unknown): Command[] {
  assert.ok(isObject(config) && isObject(config.mcpServers));
  const entries = Object.values(config.mcpServers).map((entry): Command => {
    assert.ok(isObject(entry) && typeof entry.command === "string" && Array.isArray(entry.args));
    return { command: entry.command, args: entry.args.map(String) };
  });
  assert.ok(entries.length > 0);
  return entries;
}
