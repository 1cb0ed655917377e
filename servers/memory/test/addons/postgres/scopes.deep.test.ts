// The tests of scopes, on Postgres.
import { testOnPostgres } from "./on-postgres.ts";

await testOnPostgres(async () => {
  await import("../../scopes/isolation.test.ts");
  await import("../../scopes/many-users.test.ts");
  await import("../../scopes/scopes.test.ts");
});
