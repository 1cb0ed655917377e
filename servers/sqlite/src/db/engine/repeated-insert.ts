// Runs one INSERT for many records in the transaction of its caller, and counts the rows that it alters.
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { alteredRows, countRows, type AlteredRows, type RowCounts } from "./altered-rows.ts";
import type { Engine } from "./engine.ts";

export class RepeatedInsert {
  readonly #engine: Engine;
  readonly #allowed: AllowedStatement;
  readonly #before: RowCounts | undefined;
  readonly #changesBefore: number;
  #changes = 0;

  constructor(engine: Engine, allowed: AllowedStatement) {
    this.#engine = engine;
    this.#allowed = allowed;
    this.#before = countRows(engine.db, allowed);
    this.#changesBefore = engine.totalChanges();
  }

  run(values: readonly unknown[]): void {
    this.#changes += this.#allowed.prepared.run(...values).changes;
  }

  altered(): AlteredRows {
    const { hasSideEffects } = this.#allowed.rowEffects;
    const totalChanges = hasSideEffects ? this.#engine.totalChanges() - this.#changesBefore : this.#changes;
    const [before, after] = [this.#before, countRows(this.#engine.db, this.#allowed)];
    return alteredRows(this.#allowed, totalChanges, before === undefined || after === undefined ? undefined : { before, after });
  }
}
