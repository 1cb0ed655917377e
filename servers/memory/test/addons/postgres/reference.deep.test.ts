// The comparison with the reference server, on Postgres.
import { testOnPostgres } from "./on-postgres.ts";

await testOnPostgres(async () => {
  await import("../../reference/calls.deep.test.ts");
});
