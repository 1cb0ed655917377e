// SessionRecord: what the nodes share of a session.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { HttpError, type HttpLimits, type SessionState } from "@oarlock/server-kit/transport";
import { digestOf } from "../backplane/digest.ts";

const FORMAT = 1;

export interface SessionRecord extends SessionState {
  /** A digest of the principal that opened the session; null without authentication. */
  readonly owner: string | null;
  /** The caller that opened the session, under whose name it counts. Undefined where callers have no limits. */
  readonly caller?: string | undefined;
  /** The params of `initialize`, as far as a session keeps them. */
  readonly params: Json;
  /** The node whose client reads the standing stream. */
  readonly reader?: string | undefined;
  /** Position up to which the standing stream has been read. */
  readonly delivered: number;
  /** The number of list changes up to which the client was notified. */
  readonly listChanges: number;
}

export const encodeRecord = (record: SessionRecord): string => JSON.stringify({ format: FORMAT, ...record });

/** Throws an HttpError on a record of a newer version. */
export function decodeRecord(text: string): SessionRecord {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || value.format !== FORMAT)
    throw new HttpError(503, "The session was stored by a newer version of this server.", { headers: ["Retry-After", "1"] });
  const { format: _format, ...record } = value;
  return record as unknown as SessionRecord; // written by `encodeRecord`
}

export const ttlOf = ({ ready }: SessionRecord, { idleMs, unreadyMs }: Readonly<HttpLimits>): number => (ready ? idleMs : unreadyMs);

/** The key of a session. Its id is a secret, so that the engine stores a digest of it. */
export const sessionKey = async (id: string): Promise<string> => `s:${await digestOf(id)}`;

export const ownerOf = async (principal: string | undefined): Promise<string | null> =>
  principal === undefined ? null : digestOf(principal);
