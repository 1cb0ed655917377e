// The parity of random content, with more values than in the fast tests.
import { describe } from "vitest";
import { testRandomContent } from "./random-content.ts";
import { SCHEMA_DIR } from "./schemas.ts";

describe.skipIf(SCHEMA_DIR === undefined)("by the published schema (MCP_SCHEMA_DIR)", () => {
  testRandomContent(200);
});
