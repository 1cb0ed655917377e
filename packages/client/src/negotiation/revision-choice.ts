// The revisions that a client may use with a server.
import { findRevision, NEWEST_HANDSHAKE, REVISIONS } from "@oarlock/server-kit/protocol";

export interface RevisionChoice {
  /** Acceptable revisions, newest first. */
  candidates: readonly string[];
  /** The revision to request by a handshake; undefined if no handshake is acceptable. */
  handshakeRevision: string | undefined;
  isHandshakeOnly: boolean;
}

export const isStateless = (revision: string): boolean => findRevision(revision)?.facts.era === "stateless";

/** The choice that follows from the option `revision`. Throws a TypeError for an unknown revision. */
export function chooseRevisions(revision = "auto"): RevisionChoice {
  if (revision === "auto") return { candidates: REVISIONS, handshakeRevision: NEWEST_HANDSHAKE, isHandshakeOnly: false };
  if (findRevision(revision) === undefined)
    throw new TypeError(`Unknown protocol revision: expected "auto" or one of ${REVISIONS.join(", ")}, received ${revision}`);
  const isHandshakeOnly = !isStateless(revision);
  return { candidates: [revision], handshakeRevision: isHandshakeOnly ? revision : undefined, isHandshakeOnly };
}
