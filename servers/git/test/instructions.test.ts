// The instructions name the toolsets that are off.
import { connectTo } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createServer } from "../src/server.ts";

test.each([
  [[], "integrate (revert, cherry-pick, rebase, bisect, init, commits by author) and remote (clone, fetch, pull, push)."],
  [["default", "integrate"], "remote (clone, fetch, pull, push)."],
  [["default", "integrate", "remote"], undefined],
])("names with the toolsets %j those that are left", async (toolsets, left) => {
  const { server } = await createServer({ cwd: "/", switches: { toolsets } });
  await using wired = await connectTo(server);
  expect(wired.client.instructions?.split(" to --toolsets: ")[1]).toBe(left);
});
