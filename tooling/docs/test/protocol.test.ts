// The page of the revisions follows from the revision steps of the kit.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { file, protocolPage } from "../protocol.ts";

test("docs/protocol.md equals the output of `node tooling/docs/protocol.ts`", () => {
  expect(readFileSync(file, "utf8")).toBe(protocolPage());
});
