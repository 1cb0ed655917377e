// Cursors: where a page ended, sealed so that only ours are taken, and only for the query that they belong to.
import { ToolError } from "@oarlock/server-kit";

export interface Position {
  readonly skip: number;
  /** What the data looked like. */
  readonly stamp: string;
}

/** A cursor may hold the name of a table. */
const LONGEST = 100_000;
let key: Buffer | undefined;
/** Not imported: it takes longer to load than all the rest of the start. */
const crypto = () => process.getBuiltinModule("node:crypto");

const sealOf = (body: string, about: unknown): Buffer => {
  key ??= crypto().randomBytes(32);
  return crypto()
    .createHmac("sha256", key)
    .update(JSON.stringify([body, about]))
    .digest()
    .subarray(0, 16);
};

export function cursorFor({ skip, stamp }: Position, about: unknown): string {
  const body = Buffer.from(JSON.stringify([skip, stamp])).toString("base64url");
  return `${body}.${sealOf(body, about).toString("base64url")}`;
}

/** The start where there is no cursor. */
export function positionOf(cursor: string | undefined, about: unknown): Position {
  if (cursor === undefined) return { skip: 0, stamp: "" };
  const [body = "", seal = "", rest] = cursor.length > LONGEST ? [] : cursor.split(".");
  const given = Buffer.from(seal, "base64url");
  const right = sealOf(body, about);
  if (rest !== undefined || given.length !== right.length || !crypto().timingSafeEqual(given, right))
    throw new ToolError("The cursor does not belong to this query, or the server was started anew; leave it out to begin at the first row");
  const [skip, stamp] = JSON.parse(Buffer.from(body, "base64url").toString()) as [number, string]; // sealed by us
  return { skip, stamp };
}
