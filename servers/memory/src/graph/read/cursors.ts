// Where a cut reply goes on. A cursor is a place, sealed together with the question it belongs to: one that was made up, changed, or
// taken from another question is refused. The key lies in the store, so that every process on it can go on.
import type * as Crypto from "node:crypto";
import { GraphError } from "../errors.ts";
import type { Store } from "../store/store.ts";

const SEAL_BYTES = 16;
const MAX_LENGTH = 4000;

// node:crypto takes 4 ms to load, and most sessions never cut a reply.
const crypto = (): typeof Crypto => process.getBuiltinModule("node:crypto");

export type Place = readonly (number | string)[];

function seal(key: Buffer, question: readonly unknown[], place: string): Buffer {
  return crypto()
    .createHmac("sha256", key)
    .update(JSON.stringify([question, place]))
    .digest()
    .subarray(0, SEAL_BYTES);
}

/** Made with the store. */
const keyOf = (store: Store): Buffer => store.meta<Buffer>("cursorKey") ?? Buffer.alloc(32);

/** `question`: everything that decides what is told and in which order. */
export function sealCursor(store: Store, question: readonly unknown[], place: Place): string {
  const text = JSON.stringify(place);
  return Buffer.concat([seal(keyOf(store), question, text), Buffer.from(text)]).toString("base64url");
}

/** The place that `cursor` stands for, or a refusal. */
export function openCursor(store: Store, question: readonly unknown[], cursor: string): Place {
  if (cursor.length <= MAX_LENGTH && /^[\w-]+$/.test(cursor)) {
    const bytes = Buffer.from(cursor, "base64url");
    const place = bytes.subarray(SEAL_BYTES).toString();
    // Other spellings of the same bytes are not ours either.
    const own = bytes.length > SEAL_BYTES && bytes.toString("base64url") === cursor;
    if (own && crypto().timingSafeEqual(bytes.subarray(0, SEAL_BYTES), seal(keyOf(store), question, place)))
      return JSON.parse(place) as Place; // sealed by us
  }
  throw new GraphError(
    "invalid",
    "The cursor does not belong to this call. Repeat the call that returned it with the same arguments, or leave the cursor out to start again.",
  );
}
