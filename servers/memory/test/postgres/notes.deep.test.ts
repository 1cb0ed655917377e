// Imports, exports and the Markdown mirror, on Postgres.
import { testOnPostgres } from "../support/on-postgres.ts";

await testOnPostgres(async () => {
  await import("../commands/import-formats.test.ts");
  await import("../markdown/mirror.test.ts");
});
