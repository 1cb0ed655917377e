// The instructions name the toolset that is off.
import { connectTo } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createServer } from "../src/server.ts";

test.each([
  [{}, "files (export of a query, backup)."],
  [{ toolsets: ["default", "files"] }, undefined],
  [{ readOnly: true }, undefined],
])("names with %j the toolset that is off", async (switches, left) => {
  const { server } = createServer({ databases: [{ name: "shop", file: "/nowhere/shop.db", write: false }], switches });
  await using wired = await connectTo(server);
  expect(wired.client.instructions?.split(" to --toolsets: ")[1]).toBe(left);
});
