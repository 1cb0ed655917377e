// What a database process does, by the name of the request.
import type { Asked } from "../requests.ts";
import { backup } from "./backup.ts";
import { blob } from "./blob.ts";
import { check } from "./check.ts";
import { describe } from "./describe.ts";
import type { Engine } from "./engine.ts";
import { exportRows } from "./export.ts";
import { importCsv } from "./import.ts";
import { patient } from "./patient.ts";
import { plan } from "./plan.ts";
import { read, type Sink } from "./read.ts";
import { schema } from "./schema.ts";
import { search } from "./search.ts";
import { tables } from "./tables.ts";
import { transaction } from "./transaction.ts";
import { write } from "./write.ts";

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
