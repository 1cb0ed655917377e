// SQL-26 through resources: the time limit stops the views of a hostile schema that never end.
import { expect, test } from "vitest";
import { HOSTILE, makeHostile } from "./corpus.ts";
import { openFortress } from "./fortress.ts";

test("SQL-26 returns a result or an error for resources of a hostile schema, and runs nothing", async () => {
  await using fortress = await openFortress({
    maxTimeoutMs: 2000,
    others: ["views.db", "cycles.db"],
    prepare(run) {
      for (const hostile of HOSTILE.filter(({ name }) => name === "views" || name === "cycles"))
        makeHostile(run.at(`${hostile.name}.db`), hostile, run.out);
    },
  });
  const readsOf = (uri: string) => fortress.request("resources/read", { uri });
  for (const [database, names] of [
    ["views", ["users", "tokens", "settings", "pages", "stats", "giant", "files"]],
    ["cycles", ["itself", "first", "second", "endless"]],
  ] as const) {
    // On a busy machine the start of a process may use up the time limit of the first read.
    const refusal = async (): Promise<unknown> => (await readsOf(`sqlite://${database}/schema`))["error"];
    expect((await refusal()) && (await refusal())).toBeUndefined();
    for (const name of names)
      for (const end of ["", "/rows"]) {
        const reply = JSON.stringify(await readsOf(`sqlite://${database}/table/${name}${end}`));
        expect(reply).not.toMatch(/Internal error|[0-9A-F]{16}/);
      }
  }
  await fortress.checkRules();
});
