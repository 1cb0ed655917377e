/** `pnpm engines`: starts PostgreSQL and Valkey until Ctrl+C, and prints their addresses as environment variables for the tests. */
import { missingPostgres, startPostgres } from "./postgres.ts";
import { missingValkey, startValkey } from "./valkey.ts";

const postgres = await missingPostgres({ own: true });
if (postgres === undefined) console.log(`export OARLOCK_TEST_POSTGRES=${(await startPostgres({ own: true })).url}`);
else console.error(postgres);

const valkey = await missingValkey({ own: true });
if (valkey === undefined) console.log(`export OARLOCK_TEST_VALKEY=${(await startValkey({ own: true })).url}`);
else console.error(valkey);
