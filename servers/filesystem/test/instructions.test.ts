// The instructions name the toolsets that are off, such as the one that renames in all files by one call.
import { connectTo } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createServer } from "../src/server.ts";

test("names the toolsets that are off", async () => {
  const { server } = await createServer({ directories: [], switches: { toolsets: ["default", "outline", "compare", "documents"] } });
  await using wired = await connectTo(server);
  expect(wired.client.instructions).toMatch(
    / Off, until the operator adds them to --toolsets: bulk \(replace a word, text or pattern in many files at once\) and modes \(permissions\)\.$/,
  );
});
