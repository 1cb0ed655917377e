// The tests of changes, confirmations, notes and resources, on Postgres. What replies look like is the same on every store.
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
});
