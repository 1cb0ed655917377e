// The tools in every revision. matrix.deep.test.ts has the other transports.
import { everyRevision, tempFolder } from "@oarlock/testing";
import { afterAll } from "vitest";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { expectEveryOutcome } from "./support/every-outcome.ts";
import { targetOf } from "./support/target.ts";

const folder = tempFolder();
const file = makeDatabase(folder.at("shop.db"), SHOP);
afterAll(() => folder[Symbol.asyncDispose]());

everyRevision("returns the right result of a read, a write, an error, a refused change and a cancellation", (revision) =>
  expectEveryOutcome(file, targetOf({ files: [file] }), { revision, transport: "memory" }),
);
