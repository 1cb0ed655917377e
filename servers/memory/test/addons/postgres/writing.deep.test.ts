// The tests of changes, confirmations, notes, resources, scopes, imports and the Markdown mirror, and the comparison with the reference server, on
// Postgres. What replies look like is the same on every store. With OARLOCK_LONG=1 also more users than memories stay open, of which any store is
// closed and opened again in the same way.
import { testOnPostgres } from "./on-postgres.ts";

await testOnPostgres(async () => {
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
});
