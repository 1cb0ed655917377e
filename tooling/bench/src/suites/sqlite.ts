/** Work on a database of 100,000 rows: one row (all processes on one core), 10,000 rows, an aggregate, an insert. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../client.ts";
import { logged, rowsIn } from "../database.ts";
import { peakTogether } from "../process.ts";
import { callsOf, timeJobs } from "./jobs.ts";
import { filled, inScratch, type Suite } from "./suite.ts";

const ROWS = 100_000;

export const sqlite: Suite = {
  about: "one row, 10,000 rows, an aggregate over 100,000 rows, an insert; in WAL mode",
  kinds: ["sqlite", "any"],
  rounds: 7,
  quickRounds: 3,
  measure: (target, how) =>
    inScratch((folder) => {
      const database = join(folder, "bench.db");
      copyFileSync(rowsIn(ROWS), database);
      return Client.with(filled(target, folder), async (client) => {
        const figures = await timeJobs(client, { kind: "sqlite", target, folder }, how, ({ tool, times }) => {
          if (tool === "write_query" && logged(database) !== callsOf(times)) throw new Error(`${logged(database)} rows were inserted`);
        });
        return { ...figures, "peak MiB": peakTogether(client.pid) };
      });
    }),
};
