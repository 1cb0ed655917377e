// Users of one server over HTTP: whatever one of them asks for, nothing of another one's memory comes back.
import { describe, expect, test } from "vitest";
import { perStore } from "../support/store-under-test.ts";
import { serveUsers } from "./support.ts";
import { checkIsolation } from "./user-requests.ts";

describe.each(perStore(["2026-07-28", "2025-11-25"] as const))("users, %s", (revision) => {
  test("get nothing of each other, whatever they ask for", () => checkIsolation(revision, { numRuns: 3, seed: 1 }));

  test("have counts, lists and notifications of their own", async () => {
    await using service = await serveUsers();
    await using ada = await service.user("ada", revision);
    await using grace = await service.user("grace", revision);
    let changes = 0;
    await grace.client.subscribe("memory://knowledge-graph", () => changes++);
    const entities = ["a", "b", "c"].map((entity) => ({ name: entity, entityType: "thing", observations: ["of Ada"] }));
    await ada.client.call("create_entities", { entities });
    const stats = await grace.client.call("graph_stats");
    expect(stats.structuredContent).toMatchObject({ entities: 0, relations: 0 });
    expect((await grace.client.resources().all()).filter(({ uri }) => uri.startsWith("memory://entity/"))).toEqual([]);
    await grace.client.call("create_entities", { entities: entities.slice(0, 1) });
    await expect.poll(() => changes).toBe(1);
    const types = await ada.client.complete(
      { type: "ref/resource", uri: "memory://type/{entityType}" },
      { name: "entityType", value: "t" },
    );
    expect(types.values).toEqual(["thing"]);
    expect((await ada.client.call("graph_stats")).structuredContent).toMatchObject({ entities: 3 });
  });
});
