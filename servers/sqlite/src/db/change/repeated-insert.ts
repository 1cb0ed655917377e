// Runs one INSERT for many records in the transaction of its caller, and counts the rows that it alters.
import { areChangesReported, reportChange } from "@oarlock/domain-kit";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { touchedTables } from "../policy/touched-tables.ts";
import { alteredRows, countRows, type AlteredRows, type RowCounts } from "./altered-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { namingConstraint } from "./constraint-errors.ts";
import { alsoChangedBy, type AlsoChanged } from "./side-effects.ts";

export class RepeatedInsert {
  readonly #engine: Engine;
  readonly #allowed: AllowedStatement;
  readonly #before: RowCounts | undefined;
  readonly #changesBefore: number;
  readonly #remedy: string;
  #changes = 0;

  /** @param remedy What helps where a row with such a key exists. */
  constructor(engine: Engine, allowed: AllowedStatement, remedy: string) {
    this.#engine = engine;
    this.#remedy = remedy;
    this.#allowed = allowed;
    if (areChangesReported()) reportChange(touchedTables(allowed));
    this.#before = countRows(engine.db, allowed);
    this.#changesBefore = engine.totalChanges();
  }

  run(values: readonly unknown[]): void {
    const failing = { allowed: this.#allowed, values, remedy: this.#remedy };
    this.#changes += namingConstraint(this.#engine.db, failing, () => this.#allowed.prepared.run(...values)).changes;
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
