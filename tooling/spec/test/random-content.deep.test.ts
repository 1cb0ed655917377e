// The parity of random content, with more values than in the fast tests.
import { describe } from "vitest";
import { testRandomContent } from "./random-content.ts";
import { withSchemas } from "./schemas.ts";

describe("by the published schema (MCP_SCHEMA_DIR)", withSchemas, () => {
  testRandomContent(process.env["OARLOCK_LONG"] === "1" ? 200 : 80);
});
