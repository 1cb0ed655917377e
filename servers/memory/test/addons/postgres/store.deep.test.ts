// The tests of everything that a memory stores, on Postgres: reading, changes, what users have of their own, copies and formats, and the comparison
// with the reference server. What replies look like is the same on every store. One file, so that one engine starts for all. With OARLOCK_LONG=1
// also more users than memories stay open, of which any store is closed and opened again in the same way.
import { copyTests } from "./copies.ts";
import { formatTests } from "./formats.ts";
import { testOnPostgres } from "./on-postgres.ts";

await testOnPostgres(async () => {
  await import("../../tools/reading.test.ts");
  await import("../../tools/views.test.ts");
  await import("../../graph/search/search.test.ts");
  await import("../../graph/search/nothing-found.test.ts");
  await import("../../graph/search/words.test.ts");
  await import("../../graph/history/history.test.ts");
  await import("../../graph/history/entity-history.test.ts");
  await import("../../graph/history/memory-history.test.ts");
  await import("../../graph/history/past.test.ts");
  await import("../../graph/history/relation-times.test.ts");
  await import("../../cases/graph.test.ts");
  await import("../../cases/tags-and-times.test.ts");
  await import("../../complaints/writing.test.ts");
  await import("../../confirmation.test.ts");
  await import("../../replies/notes.test.ts");
  await import("../../reported-changes.test.ts");
  await import("../../resources/resources.test.ts");
  await import("../../resources/subscriptions.test.ts");
  await import("../notes/imports/import-formats.test.ts");
  await import("../notes/mirror.test.ts");
  await import("../../scopes/isolation.test.ts");
  await import("../../scopes/scopes.test.ts");
  if (process.env["OARLOCK_LONG"] === "1") await import("../../scopes/many-users.test.ts");
  await import("../../reference/calls.deep.test.ts");
  await import("../../commands/people/users.test.ts");
  copyTests();
  formatTests();
});
