// Rows of a statement in its reply, instead of frames of their own.
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { escapeForJson } from "../protocol/frames.ts";
import type { EncodedRows, RowsReply, StatementRows } from "../protocol/rows.ts";
import type { RowOutput } from "./row-encoder.ts";

export type RowsEnd = Pick<RowsReply, "rowCount" | "hasMore" | "clipped">;
/** The statement, and how it was read. */
type RowsOrigin = Pick<AllowedStatement, "columnsJson"> & Pick<RowsReply, "texts" | "missingCollation" | "slips">;

/** Rows for replies with the rows of several statements. */
export class CollectedRows implements RowOutput {
  #json = "";
  #text = "";
  #objects: string | undefined;

  arrays(json: string, text = escapeForJson(json)): void {
    this.#json += json;
    this.#text += text;
  }

  objects(json: string): void {
    this.#objects = escapeForJson(json);
  }

  restart(): void {
    this.#json = this.#text = "";
    this.#objects = undefined;
  }

  /** As values. */
  values(): unknown[][] {
    return JSON.parse(`[${this.#json}]`) as unknown[][]; // encoded by RowEncoder
  }

  reply({ columnsJson: columns, texts, missingCollation, slips }: RowsOrigin, { rowCount, hasMore, clipped }: RowsEnd): StatementRows {
    return { columns, rowCount, hasMore, clipped, texts, missingCollation, slips, encoded: this.#encoded() };
  }

  #encoded(): EncodedRows {
    const objects = this.#objects;
    const hasReplacementCharacter = this.#json.includes("\uFFFD");
    return { arrays: this.#json, text: objects === undefined ? this.#text : "", objects, hasReplacementCharacter };
  }
}
