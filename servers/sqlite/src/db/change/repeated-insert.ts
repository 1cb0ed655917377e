// Runs one INSERT for many records in the transaction of its caller, and counts the rows that it alters.
import { areChangesReported, reportChange } from "@oarlock/domain-kit";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { touchedTables } from "../policy/touched-tables.ts";
import { alteredRows, countRows, type AlteredRows, type RowCounts } from "./altered-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { namingForeignKey } from "./foreign-key-errors.ts";
import { alsoChangedBy, type AlsoChanged } from "./side-effects.ts";

export class RepeatedInsert {
  readonly #engine: Engine;
  readonly #allowed: AllowedStatement;
  readonly #before: RowCounts | undefined;
  readonly #changesBefore: number;
  #changes = 0;

  constructor(engine: Engine, allowed: AllowedStatement) {
    this.#engine = engine;
    this.#allowed = allowed;
    if (areChangesReported()) reportChange(touchedTables(allowed));
    this.#before = countRows(engine.db, allowed);
    this.#changesBefore = engine.totalChanges();
  }

  run(values: readonly unknown[]): void {
    const { prepared } = this.#allowed;
    this.#changes += namingForeignKey(this.#engine.db, this.#allowed, values, () => prepared.run(...values)).changes;
  }

  /** Rows changed by triggers and foreign keys so far. */
  alsoChanged(): AlsoChanged | undefined {
    const totalChanges = this.#engine.totalChanges() - this.#changesBefore;
    return this.#allowed.rowEffects.hasSideEffects
      ? alsoChangedBy(this.#allowed, { changes: this.#changes, totalChanges }, undefined)
      : undefined;
  }

  altered(): AlteredRows {
    const { hasSideEffects } = this.#allowed.rowEffects;
    const totalChanges = hasSideEffects ? this.#engine.totalChanges() - this.#changesBefore : this.#changes;
    const [before, after] = [this.#before, countRows(this.#engine.db, this.#allowed)];
    return alteredRows(this.#allowed, totalChanges, before === undefined || after === undefined ? undefined : { before, after });
  }
}
