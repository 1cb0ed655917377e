// Where a cut list goes on. A cursor is the last place shown, sealed together with the question it belongs to: one that was made
// up, changed, or taken from another question (another path, pattern or order) is refused. The place itself is no secret; the
// caller has just seen it. The key lives as long as the process, so a cursor does not outlive a restart.
import type * as Crypto from "node:crypto";
import { DiskError } from "../errors.ts";

const SEAL_BYTES = 16;
/** A path of 4,096 bytes, each escaped in JSON, in base64; anything longer is none of ours. */
const MAX_LENGTH = 40_000;

let key: Buffer | undefined;

// node:crypto takes 4 ms to load, and most sessions never cut a list.
function crypto(): typeof Crypto {
  return process.getBuiltinModule("node:crypto");
}

function seal(question: readonly unknown[], place: string): Buffer {
  key ??= crypto().randomBytes(32);
  const text = JSON.stringify([question, place]);
  return crypto().createHmac("sha256", key).update(text).digest().subarray(0, SEAL_BYTES);
}

/** `question`: everything that decides what the list holds and in which order. */
export function sealCursor(question: readonly unknown[], place: string): string {
  return Buffer.concat([seal(question, place), Buffer.from(place)]).toString("base64url");
}

/** The place that `cursor` stands for, or a refusal. */
export function openCursor(question: readonly unknown[], cursor: string): string {
  if (cursor.length <= MAX_LENGTH && /^[\w-]+$/.test(cursor)) {
    const bytes = Buffer.from(cursor, "base64url");
    const place = bytes.subarray(SEAL_BYTES).toString();
    // Other spellings of the same bytes are not ours either.
    const own = bytes.length > SEAL_BYTES && bytes.toString("base64url") === cursor;
    if (own && crypto().timingSafeEqual(bytes.subarray(0, SEAL_BYTES), seal(question, place))) return place;
  }
  throw new DiskError(
    "invalid",
    "The cursor does not belong to this call. Repeat the call that returned it with the same arguments, or leave the cursor out to start again.",
  );
}
