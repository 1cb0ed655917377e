// Discovery of the era of a server process that exits.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect, ConnectionClosedError } from "@oarlock/client";
import { NEWEST_HANDSHAKE } from "@oarlock/server-kit/protocol";
import { failure } from "../support/scripted-peer.ts";
import { NEWEST } from "../support/stateless-peers.ts";
import { script } from "../support/odd-process.ts";

test("DISC-14 restarts a process that exits at the probe, for a handshake", async () => {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-probe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  const client = await connect(script("ends-at-discover", file));
  expect(client.revision).toBe(NEWEST_HANDSHAKE);
  await client.close();
  expect(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).method),
  ).toEqual(["server/discover", "initialize", "notifications/initialized"]);
});

test("DISC-22 reports a server that exits", async () => {
  const error = await failure(connect(script("ends-at-discover", ""), { revision: NEWEST }));
  expect(error).toBeInstanceOf(ConnectionClosedError);
  expect(error.message).toContain("exited with code 4");
});
