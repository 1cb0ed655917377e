// Rows of a statement as values in its reply, instead of text in frames of their own.
import type { AllowedStatement } from "../policy/statement-policy.ts";
import type { StatementResult } from "../protocol/change-messages.ts";
import type { RowsReply } from "../protocol/rows.ts";
import type { RowOutput } from "./row-encoder.ts";

export type RowsEnd = Pick<RowsReply, "hasMore" | "clipped">;

/** Rows as values, for replies with the rows of several statements. */
export class CollectedRows implements RowOutput {
  #json = "";

  arrays(json: string): void {
    this.#json += json;
  }

  objects(): void {
    // The arrays have the same rows.
  }

  restart(): void {
    this.#json = "";
  }

  reply({ columns }: Pick<AllowedStatement, "columns">, { hasMore, clipped }: RowsEnd): NonNullable<StatementResult["rows"]> {
    const rows = JSON.parse(`[${this.#json}]`) as unknown[][]; // encoded by RowEncoder
    return { columns, rows, truncated: hasMore, ...(clipped.length > 0 && { clipped }) };
  }
}
