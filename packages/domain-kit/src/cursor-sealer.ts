// Cursors of cut lists. A cursor is the position where the list was cut, sealed together with the query that it belongs to.
import type * as Crypto from "node:crypto";
import { DomainError } from "./domain-error.ts";

const SEAL_BYTES = 16;
const KEY_BYTES = 32;
/** A path of 4,096 bytes, each escaped in JSON, in base64url, with room to spare. */
const MAX_CURSOR_LENGTH = 100_000;

/** The first seals, all of them open. */
type Keys = readonly [Crypto.KeyObject, ...Crypto.KeyObject[]];

// Loaded on first use: an import of node:crypto takes 4 ms of a server's start, and most sessions never cut a list.
const crypto = (): typeof Crypto => process.getBuiltinModule("node:crypto");

/**
 * Seals and opens cursors. A cursor that was made up, changed, or taken from another query (another path, pattern or order) is
 * refused. The position is readable by the caller, who has just seen it.
 */
export class CursorSealer {
  #keys: Keys | (() => Keys);

  /** `key`: 32 secret bytes, or a function that gives them on first use. Default: random, so cursors end with the process. */
  constructor(key?: Uint8Array | (() => Uint8Array)) {
    this.#keys = () => [prepared(typeof key === "function" ? key() : (key ?? crypto().randomBytes(KEY_BYTES)))];
  }

  /**
   * A sealer whose keys are derived from secrets that several processes share, so that each opens the cursors of the others. The first
   * secret seals, all of them open. Without secrets the key is random. `server`: its name, as other servers may have the same secrets.
   */
  static fromSecrets(secrets: readonly string[], server: string): CursorSealer {
    const sealer = new CursorSealer();
    const [first, ...others] = secrets;
    if (first !== undefined) sealer.#keys = () => [deriveKey(first, server), ...others.map((secret) => deriveKey(secret, server))];
    return sealer;
  }

  /** `query`: everything that decides what the list holds and in which order. `position`: where the list was cut. */
  seal(query: readonly unknown[], position: string): string {
    const [key] = this.#loadKeys();
    return Buffer.concat([sealOf(key, query, position), Buffer.from(position)]).toString("base64url");
  }

  /** Returns the position that was sealed for this query. Throws a {@link DomainError} with the code "invalid" for any other cursor. */
  open(query: readonly unknown[], cursor: string): string {
    if (cursor.length <= MAX_CURSOR_LENGTH && /^[\w-]+$/.test(cursor)) {
      const bytes = Buffer.from(cursor, "base64url");
      const position = bytes.subarray(SEAL_BYTES).toString();
      // Decoding base64url ignores spare bits: other spellings of the same bytes are refused.
      const isCanonical = bytes.length > SEAL_BYTES && bytes.toString("base64url") === cursor;
      const seal = bytes.subarray(0, SEAL_BYTES);
      if (isCanonical && this.#loadKeys().some((key) => crypto().timingSafeEqual(seal, sealOf(key, query, position)))) return position;
    }
    throw new DomainError(
      "invalid",
      "Invalid cursor: it does not belong to this call. Repeat the call that returned it with the same arguments, or leave the cursor out to start again.",
    );
  }

  #loadKeys(): Keys {
    if (typeof this.#keys === "function") this.#keys = this.#keys();
    return this.#keys;
  }
}

function sealOf(key: Crypto.KeyObject, query: readonly unknown[], position: string): Buffer {
  return crypto()
    .createHmac("sha256", key)
    .update(JSON.stringify([query, position]))
    .digest()
    .subarray(0, SEAL_BYTES);
}

/** HKDF (RFC 5869): the same secret also seals other things, which must not share a key. */
const deriveKey = (secret: string, server: string): Crypto.KeyObject =>
  prepared(new Uint8Array(crypto().hkdfSync("sha256", secret, "", `cursor:${server}`, KEY_BYTES)));

/** A seal with bytes as its key takes six times as long. */
const prepared = (key: Uint8Array): Crypto.KeyObject => crypto().createSecretKey(key);
