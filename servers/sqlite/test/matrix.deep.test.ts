// The tools over stdio and HTTP, in the newest revision with a handshake and in the stateless one.
import { tempFolder } from "@oarlock/testing";
import { afterAll, test } from "vitest";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { expectEveryOutcome } from "./support/every-outcome.ts";
import { targetOf } from "./support/target.ts";

const folder = tempFolder();
const file = makeDatabase(folder.at("shop.db"), SHOP);
afterAll(() => folder[Symbol.asyncDispose]());

test.each([
  ["2025-11-25", "stdio"],
  ["2025-11-25", "http"],
  ["2026-07-28", "stdio"],
  ["2026-07-28", "http"],
] as const)(
  "returns the right result of a read, a write, an error, a refused change and a cancellation — %s over %s",
  (revision, transport) => expectEveryOutcome(file, targetOf({ files: [file] }), { revision, transport }),
);
