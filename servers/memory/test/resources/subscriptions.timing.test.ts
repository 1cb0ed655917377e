// How often quick changes are notified.
import { waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { serveMemory } from "../support/memory-fixture.ts";

test("SUB-05 400 quick changes make fewer than 60 notifications", async () => {
  await using memory = await serveMemory({ entities: [entity("a", "t")] });
  const seen = { count: 0 };
  await memory.client.subscribe("memory://knowledge-graph", () => void seen.count++);
  await Promise.all(
    Array.from({ length: 400 }, (_, at) =>
      memory.client.call("add_observations", { observations: [{ entityName: "a", contents: [`x${at}`] }] }),
    ),
  );
  await waitUntil(
    () => seen.count,
    (count) => count > 0,
  );
  expect(seen.count).toBeLessThan(60);
});
