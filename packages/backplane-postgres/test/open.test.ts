// Opening a backplane: addresses that never work.
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { parseAddress } from "../src/address.ts";
import { Database } from "../src/database.ts";
import { refusal } from "./support/refusal.ts";

describe("an address that never works", () => {
  test.each([
    ["mysql://secret@127.0.0.1", "The address of the database must look like postgres://user@host:5432/database."],
    ["secret", "The address of the database must look like postgres://user@host:5432/database."],
    ["postgres://127.0.0.1/a?answer_ms=99", "answer_ms in the database's address must be a number of milliseconds, from 100 to 60000."],
    ["postgres://a:secret@no.such.host.invalid/a", "The host of the database, no.such.host.invalid:5432, does not exist."],
  ])("is rejected: %s", async (url, message) => {
    expect(await refusal(url)).toBe(message);
  });
});

test("waits for an answer as long as answer_ms in the address says", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo; // it listens on a port
  const open = (ms: number) => new Database(parseAddress(`postgres://127.0.0.1:${port}/a?answer_ms=${ms}`));
  const [patient, hasty] = [open(60_000), open(100)];
  let isAnswered = false;
  const waiting = patient.query("select 1", []).catch(() => (isAnswered = true));
  await expect(hasty.query("select 1", [])).rejects.toThrow(/timeout|did not answer/);
  expect(isAnswered).toBe(false);
  for (const socket of sockets) socket.destroy();
  await Promise.all([waiting, hasty.close(), new Promise((resolve) => silent.close(resolve))]);
  await patient.close();
});
