// Imports, exports and the Markdown mirror, on Postgres.
import { testOnPostgres } from "./on-postgres.ts";

await testOnPostgres(async () => {
  await import("../notes/imports/import-formats.test.ts");
  await import("../notes/mirror.test.ts");
});
