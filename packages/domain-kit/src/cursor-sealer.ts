// Cursors of cut lists. A cursor is the position where the list was cut, sealed together with the query that it belongs to.
import type * as Crypto from "node:crypto";
import { DomainError } from "./domain-error.ts";

const SEAL_BYTES = 16;
const KEY_BYTES = 32;
/** A path of 4,096 bytes, each escaped in JSON, in base64url, with room to spare. */
const MAX_CURSOR_LENGTH = 100_000;

// Loaded on first use: an import of node:crypto takes 4 ms of a server's start, and most sessions never cut a list.
const crypto = (): typeof Crypto => process.getBuiltinModule("node:crypto");

/**
 * Seals and opens cursors. A cursor that was made up, changed, or taken from another query (another path, pattern or order) is
 * refused. The position is readable by the caller, who has just seen it.
 */
export class CursorSealer {
  #key: Uint8Array | (() => Uint8Array) | undefined;

  /** `key`: 32 secret bytes, or a function that gives them on first use. Default: random, so cursors end with the process. */
  constructor(key?: Uint8Array | (() => Uint8Array)) {
    this.#key = key;
  }

  /** `query`: everything that decides what the list holds and in which order. `position`: where the list was cut. */
  seal(query: readonly unknown[], position: string): string {
    return Buffer.concat([this.#sealOf(query, position), Buffer.from(position)]).toString("base64url");
  }

  /** Returns the position that was sealed for this query. Throws a {@link DomainError} with the code "invalid" for any other cursor. */
  open(query: readonly unknown[], cursor: string): string {
    if (cursor.length <= MAX_CURSOR_LENGTH && /^[\w-]+$/.test(cursor)) {
      const bytes = Buffer.from(cursor, "base64url");
      const position = bytes.subarray(SEAL_BYTES).toString();
      // Decoding base64url ignores spare bits: other spellings of the same bytes are refused.
      const isCanonical = bytes.length > SEAL_BYTES && bytes.toString("base64url") === cursor;
      if (isCanonical && crypto().timingSafeEqual(bytes.subarray(0, SEAL_BYTES), this.#sealOf(query, position))) return position;
    }
    throw new DomainError(
      "invalid",
      "Invalid cursor: it does not belong to this call. Repeat the call that returned it with the same arguments, or leave the cursor out to start again.",
    );
  }

  #sealOf(query: readonly unknown[], position: string): Buffer {
    this.#key = typeof this.#key === "function" ? this.#key() : (this.#key ?? crypto().randomBytes(KEY_BYTES));
    const text = JSON.stringify([query, position]);
    return crypto().createHmac("sha256", this.#key).update(text).digest().subarray(0, SEAL_BYTES);
  }
}
