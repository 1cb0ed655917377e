// Many random graphs as notes.
import { describe, test } from "vitest";
import { checkRoundTrips } from "./round-trips.ts";

describe("notes", () => {
  test("hold any graph: what is read is what was written, and nothing is written twice", () => checkRoundTrips({ numRuns: 150 }));
});
