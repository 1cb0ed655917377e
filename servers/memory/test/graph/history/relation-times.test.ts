// The time of a relation, in writes, reads, history and questions about the past.
import { describe, expect, test } from "vitest";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../../support/memory-fixture.ts";

describe("a relation", () => {
  const job = (to: string, times: object) => ({ ...relation("Ada", "works at", to), ...times });
  const serveJobs = () =>
    serveMemory({
      entities: [entity("Ada", "person"), entity("Acme", "firm")],
      relations: [job("Acme", { validFrom: "2019", validTo: "2021-05" }), job("Beta", { validFrom: "2021-06" }), job("Chess club", {})],
    });
  const relationsAsOf = async (memory: MemoryFixture, asOf?: string) =>
    (await memory.call("open_nodes", { names: ["Ada"], ...(asOf !== undefined && { asOf }) }))["relations"];

  test("asOf shows those that held then, though they were recorded later", async () => {
    await using memory = await serveJobs();
    const today = new Date().toISOString().slice(0, 10);
    const [acme, beta, club] = [
      job("Acme", { validFrom: "2019", validTo: "2021-05" }),
      job("Beta", { validFrom: "2021-06" }),
      job("Chess club", {}),
    ];
    expect(await relationsAsOf(memory)).toEqual([acme, beta, club]);
    expect(await relationsAsOf(memory, "2020")).toEqual([acme]);
    expect(await relationsAsOf(memory, "2021-06-15")).toEqual([beta]);
    expect(await relationsAsOf(memory, "2018")).toEqual([]);
    expect(await relationsAsOf(memory, today)).toEqual([beta, club]);
    expect((await memory.call("read_graph"))["relations"]).toEqual([acme, beta, club]);
    expect(text(await memory.client.call("read_graph", {}))).toContain(JSON.stringify(acme));
    expect((await memory.call("get_history", { entityName: "Ada" }))["events"]).toMatchObject([{}, { relation: acme }, {}, {}]);
  });

  test("that exists keeps the times that are not given", async () => {
    await using memory = await serveJobs();
    const ended = await memory.client.call("create_relations", { relations: [job("Beta", { validTo: "2024-10" })] });
    expect(text(ended)).toContain("Created nothing. Times are now: Ada → works at → Beta 2021-06 to 2024-10.");
    expect(await relationsAsOf(memory, "2020")).toEqual([job("Acme", { validFrom: "2019", validTo: "2021-05" })]);
    expect(await memory.failure("create_relations", { relations: [job("Beta", { validTo: "2020" })] })).toBe(
      "Times of Ada → Beta contradict each other: validTo 2020 is before validFrom 2021-06. Nothing was changed.",
    );
  });

  test("that exists gets times, and is then not skipped", async () => {
    await using memory = await serveJobs();
    const times = { validFrom: "2019", validTo: "2020" };
    const again = await memory.client.call("create_relations", { relations: [job("Acme", times), job("Chess club", {})] });
    expect(text(again)).toContain(
      "Created nothing. Skipped, because they exist: Ada → works at → Chess club. Times are now: Ada → works at → Acme 2019 to 2020.",
    );
    expect(await relationsAsOf(memory, "2021-02")).toEqual([]);
    expect(text(await memory.client.call("create_relations", { relations: [job("Acme", times)] }))).toContain(
      "Skipped, because they exist: Ada → works at → Acme.",
    );
    const failure = await memory.failure("create_relations", { relations: [job("Acme", { validFrom: "soon" })] });
    expect(failure).toMatch(/^Time "soon" in validFrom of Ada → Acme not understood/);
  });
});
