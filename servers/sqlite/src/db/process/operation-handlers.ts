// What a database process does, by the name of the request.
import type { Asked } from "../protocol/requests.ts";
import { backup } from "../engine/backup.ts";
import { blob } from "../engine/single-value.ts";
import { check } from "../analysis/health-check.ts";
import { describe } from "../schema/table-description.ts";
import type { Engine } from "../engine/engine.ts";
import { exportRows } from "../csv/row-export.ts";
import { importCsv } from "../csv/csv-import.ts";
import { patient } from "../engine/lock-retry.ts";
import { plan } from "../analysis/query-plan.ts";
import { read, type Sink } from "../engine/query.ts";
import { schema } from "../schema/schema-text.ts";
import { search } from "../analysis/text-search.ts";
import { tables } from "../schema/table-summaries.ts";
import { transaction } from "../engine/transaction.ts";
import { write } from "../engine/change.ts";

export function perform(engine: Engine, asked: Asked, sink: Sink & { progress(done: number, total: number): void }): unknown {
  switch (asked.op) {
    case "recover":
      // Reading with a connection that may write sets right what a killed program left.
      return { tables: patient(() => engine.db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get()) };
    case "read":
      return read(engine, asked, sink);
    case "write":
      return write(engine, asked, sink);
    case "transaction":
      return transaction(engine, asked);
    case "plan":
      return patient(() => plan(engine, asked));
    case "search":
      return patient(() => search(engine, asked));
    case "check":
      return patient(() => check(engine, asked));
    case "versions":
      return patient(() => ({
        data: engine.db.pragma("data_version", { simple: true }),
        schema: engine.db.pragma("schema_version", { simple: true }),
        connection: process.pid,
        file: engine.file,
      }));
    case "import":
      return importCsv(engine, asked, sink.progress);
    case "export":
      return exportRows(engine, asked, sink.progress);
    case "backup":
      return backup(engine, asked, sink.progress);
    case "blob":
      return patient(() => blob(engine, asked));
    case "schema":
      return patient(() => schema(engine, asked));
    case "tables":
      return tables(engine, asked);
    case "describe":
      return describe(engine, asked, sink);
  }
}
