// Readers together have one limit on memory: the largest is stopped, idle ones end, and small requests go on.
import { existsSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { childFile } from "../../../src/child-file.ts";
import { MemoryWatch } from "../../../src/db/process/memory-watch.ts";
import { ProcessPool } from "../../../src/db/process/process-pool.ts";
import { makeDatabase } from "../../support/databases.ts";

const MEGABYTE = 1024 ** 2;
const caller = { signal: new AbortController().signal };
const limits = { maxRows: 10, maxBytes: 100_000, maxTextLength: 1000, maxBlobBytes: 32 };
/** Holds a value of so many bytes for a while. */
const holding = (megabytes: number): string =>
  `WITH big AS MATERIALIZED (SELECT randomblob(${megabytes * MEGABYTE}) AS b), c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3000000)
   SELECT (SELECT count(*) FROM c), length(b) FROM big`;

test.runIf(existsSync("/proc/self/status"))(
  "stops the largest of several statements that need too much memory together",
  async () => {
    await using folder = tempFolder();
    const options = {
      script: childFile,
      file: makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a)"),
      label: "shop",
      maxTimeoutMs: 120_000,
    };
    const memory = new MemoryWatch(200 * MEGABYTE);
    const pool = new ProcessPool({ ...options, write: false, create: false, writesLargeFiles: false }, 4, memory);
    const run = (sql: string) => pool.run({ op: "read", sql, skip: 0, limits }, { caller, timeoutMs: 120_000 });
    try {
      const [small, large] = await Promise.allSettled([run(holding(1)), run(holding(90))]);
      expect(large).toMatchObject({
        status: "rejected",
        reason: { code: "too-large", message: expect.stringContaining("need more memory than") },
      });
      expect(small).toMatchObject({ status: "fulfilled" });
      await expect(run("SELECT 1")).resolves.toMatchObject({ reply: { rowCount: 1 } });
    } finally {
      await pool.close(500);
    }
  },
  180_000,
);
