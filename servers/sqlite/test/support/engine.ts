// An engine on a real database in this process, for tests of what a database process does.
import { tempFolder } from "@oarlock/testing";
import { runChange } from "../../src/db/change/change.ts";
import { Engine } from "../../src/db/engine/engine.ts";
import { runTransaction } from "../../src/db/change/transaction.ts";
import type { TransactionReply, WriteReply } from "../../src/db/protocol/change-messages.ts";
import type { Params } from "../../src/db/sql/parameters.ts";
import { makeDatabase } from "./databases.ts";

export interface OpenedEngine extends AsyncDisposable {
  readonly file: string;
  readonly engine: Engine;
}

export async function openEngine(sql: string, { write = true } = {}): Promise<OpenedEngine> {
  const folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), `BEGIN; ${sql}; COMMIT`);
  const engine = new Engine({ file, label: "shop", write });
  return {
    file,
    engine,
    async [Symbol.asyncDispose]() {
      engine.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const LIMITS = { maxRows: 100, maxBytes: 100_000, maxTextLength: 1000, maxBlobBytes: 32 };
export const NO_OUTPUT = { arrays: () => undefined, objects: () => undefined, restart: () => undefined };

export interface ChangeOptions {
  readonly params?: Params;
  readonly maxChanges?: number | null;
  readonly allowDrop?: boolean;
  readonly dryRun?: boolean;
}

export const change = (
  { engine }: OpenedEngine,
  sql: string,
  { maxChanges = 0, allowDrop = false, dryRun = false, params }: ChangeOptions = {},
): WriteReply => runChange(engine, { op: "write", sql, params, limits: LIMITS, maxChanges, allowDrop, dryRun }, NO_OUTPUT);

export const transact = (
  { engine }: OpenedEngine,
  queries: readonly string[],
  { maxChanges = 0, allowDrop = false, dryRun = false }: ChangeOptions = {},
): TransactionReply =>
  runTransaction(engine, {
    op: "transaction",
    statements: queries.map((query) => ({ query })),
    limits: LIMITS,
    maxChanges,
    allowDrop,
    dryRun,
  });
