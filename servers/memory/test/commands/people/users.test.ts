// users: whose memories there are, what they hold, and removing a person from all of them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { scopeOfPrincipal } from "../../../src/scopes/derived-scope.ts";
import { serveUsers } from "../../scopes/support.ts";
import { runCommand as run } from "../../support/run-command.ts";
import { dbOf, isOnPostgres, onFilesOnly } from "../../support/store-under-test.ts";

const ADA = "https://login.example sub:ada";
const BEA = "https://login.example sub:bea";

/** Two users with a memory each. */
async function withUsers(): Promise<{ folder: TempFolder; db: string } & AsyncDisposable> {
  const service = await serveUsers();
  for (const name of ["ada", "bea"]) {
    await using user = await service.user(name);
    const entities = [{ name: `diary of ${name}`, entityType: "note", observations: [`${name} likes figs`] }];
    await user.client.call("create_entities", { entities });
    await user.client.call("create_relations", { relations: [{ from: `diary of ${name}`, to: "nowhere", relationType: `of ${name}` }] });
    await user.client.call("delete_observations", {
      deletions: [{ entityName: `diary of ${name}`, observations: [`${name} likes figs`] }],
    });
  }
  return { folder: service.folder, db: dbOf(service.folder.at("m.db")), [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** The name of a person's memory, as `users list` shows it. */
const memoryOf = (list: string, person: string): string =>
  list
    .split("\n")
    .find((line) => line.startsWith(`${person}\t`))
    ?.split("\t")[1] ?? "";

test("lists each person with a memory, and the history names the person", async () => {
  await using service = await withUsers();
  const { code, out } = await run(["users", "list", "--db", service.db]);
  expect(code).toBe(0);
  expect(out.split("\n").map((line) => line.replace(/\t[^\t]*(?=\t)/, ""))).toEqual(
    expect.arrayContaining([`${ADA}\t1 entity\t1 relation`, `${BEA}\t1 entity\t1 relation`]),
  );
  const exported = (await run(["users", "export", ADA, "--db", service.db])).out;
  const lines = exported
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toEqual([
    { memory: memoryOf(out, ADA), person: ADA },
    { entity: "diary of ada", type: "note", recorded: expect.any(String), by: ADA },
    { entity: "diary of ada", fact: "ada likes figs", recorded: expect.any(String), by: ADA, ended: expect.any(String) },
    { from: "diary of ada", relation: "of ada", to: "nowhere", recorded: expect.any(String), by: ADA },
  ]);
});

test("forgets a person only with --yes, leaves others alone, and adds a line to the audit file", async () => {
  await using service = await withUsers();
  const audit = service.folder.at("audit.jsonl");
  const forget = ["users", "forget", ADA, "--db", service.db, "--audit", audit];
  const refused = await run(forget);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr.join("\n")).toMatch(
    /1 entity and 1 relation, with history, would be removed.*\n.*\nError: Nothing was changed\. .*--yes/,
  );
  expect(existsSync(audit)).toBe(false);
  const done = await run([...forget, "--yes"]);
  expect(done.stderr.join("\n")).toMatch(/removed for good: .*\n.*Not reached: audit files/);
  expect(done.stderr.some((line) => line.startsWith("Restart the servers that run"))).toBe(!isOnPostgres());
  expect(done.code).toBe(0);
  const { out } = await run(["users", "list", "--db", service.db]);
  expect([out.includes(ADA), out.includes(BEA)]).toEqual([false, true]);
  expect(
    readFileSync(audit, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { tool: "users forget", outcome: "done", touched: [ADA, expect.any(String)], principal: expect.stringMatching(/^system:/) },
  ]);
  expect(await run([...forget, "--yes"])).toMatchObject({ code: 1, stderr: [`Nothing is known of ${ADA}.`] });
  expect(await run(forget)).toMatchObject({ code: 1, stderr: [`Nothing is known of ${ADA}. users list names the persons.`] });
});

test("forgets whoever stored facts in a shared memory", async () => {
  await using service = await serveUsers({ scope: "default" });
  {
    await using user = await service.user("ada");
    await user.client.call("create_entities", { entities: [{ name: "boat", entityType: "thing", observations: ["is blue"] }] });
    const history = await user.client.call("get_history", { entityName: "boat" });
    expect(history.structuredContent).toMatchObject({ events: [{ by: ADA }, { by: ADA }] });
  }
  const db = dbOf(service.folder.at("m.db"));
  expect((await run(["users", "export", ADA, "--db", db])).out).toContain('"fact":"is blue"');
  const done = await run(["users", "forget", ADA, "--yes", "--db", db]);
  expect(done.stderr[0]).toMatch(/history of 1 call no longer names the person/);
  await using user = await service.user("bea");
  const history = await user.client.call("get_history", { entityName: "boat" });
  expect(history.structuredContent).toMatchObject({ events: [{ by: "forgotten person" }, { by: "forgotten person" }] });
  if (!isOnPostgres()) expect(bytesIn(service.folder)).not.toContain("sub:ada");
});

/** All bytes of all files, as text. */
const bytesIn = (folder: TempFolder): string =>
  Object.keys(folder.tree())
    .map((name) => readFileSync(folder.at(name), "latin1"))
    .join("\n");

test("leaves no byte of a person in any file, while the server has the memory open", onFilesOnly(), async () => {
  await using service = await withUsers();
  const memory = `m.${scopeOfPrincipal(ADA)}.db`;
  writeFileSync(service.folder.at(`${memory}.backup-2026-01-01`), readFileSync(service.folder.at(memory)));
  writeFileSync(service.folder.at(`${memory}.inbox`), "ada likes figs");
  expect(bytesIn(service.folder)).toContain("ada likes figs");
  expect(await run(["users", "forget", ADA, "--yes", "--db", service.db])).toMatchObject({ code: 0 });
  expect(Object.keys(service.folder.tree()).filter((name) => name.startsWith(memory))).toEqual([]);
  expect(bytesIn(service.folder)).not.toContain("ada likes figs");
  expect(bytesIn(service.folder)).toContain("bea likes figs");
});

test("finds a person's memory that was stored before persons were recorded", onFilesOnly(), async () => {
  await using service = await withUsers();
  const { openStore } = await import("../../../src/graph/store/open-store.ts");
  const store = await openStore(service.folder.at(`m.${scopeOfPrincipal(ADA)}.db`));
  store.run("DELETE FROM meta WHERE key = 'owner'");
  store.close();
  expect((await run(["users", "list", "--db", service.db])).out).toContain(`unknown person\tm.${scopeOfPrincipal(ADA)}.db`);
  expect((await run(["users", "export", ADA, "--db", service.db])).out).toContain("ada likes figs");
});

test.each([
  [["users"], "Command users needs an action"],
  [["users", "remove"], "users needs one of list, export, forget"],
  [["users", "forget", "https://login.example/", "sub:ada"], "Quote a name with blanks"],
  [["users", "list", "--scope", "work"], 'Unknown switch "--scope"'],
])("refuses %j", async (words, reason) => {
  const { code, stderr } = await run([...words, "--db", "/nonexistent/m.db"]);
  expect([code, stderr.join("\n")]).toEqual([2, expect.stringContaining(reason)]);
});

test("looks at each user's memory with verify --scope principal", async () => {
  await using service = await withUsers();
  const { code, stderr } = await run(["verify", "--scope", "principal", "--db", service.db]);
  expect([code, stderr.at(-1)]).toEqual([0, "Looked at 2 memories named user-…, all without problems."]);
  expect(stderr.filter((line) => line === "The database has 1 entity and 1 relation.")).toHaveLength(2);
  expect(await run(["verify", "--scope", "project", "--db", service.db])).toMatchObject({ code: 1 });
});

test("compacts each user's memory, and takes no other command for all of them", onFilesOnly(), async () => {
  await using service = await withUsers();
  const compact = await run(["compact", "--scope", "principal", "--db", service.db]);
  expect([compact.code, compact.stderr.at(-1)]).toEqual([
    0,
    expect.stringMatching(/^Looked at \d memories named user-…, all without problems\.$/),
  ]);
  const stored = await run(["import", service.db, "--scope", "principal", "--db", service.db]);
  expect([stored.code, stored.stderr.join()]).toEqual([2, expect.stringContaining("--scope principal is not the name of one memory")]);
});
