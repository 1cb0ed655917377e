// The tests of reading, searching and history, on Postgres.
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
});
