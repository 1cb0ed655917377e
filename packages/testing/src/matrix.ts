// Runs one test body over revisions and transports, each as a test of its own, with title
// "delete asks first — 2025-06-18 over stdio".
import { findRevision, NEWEST_HANDSHAKE, REVISIONS, type Facts } from "@oarlock/server-kit/protocol";
import { test } from "vitest";
import { connectTo, type Target, type Transport, type Wired, type WireUpOptions } from "./wire-up.ts";

/** The revisions that are run, newest first. */
export const TESTED_REVISIONS: readonly string[] = REVISIONS;
/** Those of them that have a handshake, for tests of what only sessions have. */
export const HANDSHAKE_REVISIONS: readonly string[] = REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake");
export const TRANSPORTS: readonly Transport[] = ["memory", "stdio", "http"];

/** One cell of the matrix. */
export interface Peer {
  readonly revision: string;
  readonly transport: Transport;
  /** What the revision can do. */
  readonly facts: Facts;
  /** A client of this revision, over this transport. */
  connect(options?: Omit<WireUpOptions, "revision" | "transport">): Promise<Wired>;
}

type Body<T> = (subject: T) => Promise<void> | void;

/** One test for each revision: "paging — 2025-06-18". */
export function everyRevision(title: string, body: Body<string>): void {
  for (const revision of TESTED_REVISIONS) test(`${title} — ${revision}`, () => body(revision));
}

/** One test for each transport, in the newest revision with a handshake: "a long line — over stdio". */
export function everyTransport(title: string, target: Target, body: Body<Peer>): void {
  for (const transport of TRANSPORTS) test(`${title} — over ${transport}`, () => body(peer(target, NEWEST_HANDSHAKE, transport)));
}

/**
 * One test for each revision (or each of those that are given) over each transport.
 * @example
 * everyPeer("delete asks first", target, async (peer) => {
 *   const person = scriptPerson([accept({ sure: true })]);
 *   await using wired = await peer.connect(person.handlers);
 *   await wired.client.call("delete_file", { path: "a.txt" });
 * });
 */
export function everyPeer(title: string, target: Target, body: Body<Peer>, revisions = TESTED_REVISIONS): void {
  for (const revision of revisions) {
    for (const transport of TRANSPORTS) test(`${title} — ${revision} over ${transport}`, () => body(peer(target, revision, transport)));
  }
}

function peer(target: Target, revision: string, transport: Transport): Peer {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`No such revision: ${revision}`);
  return { revision, transport, facts, connect: (options) => connectTo(target, { ...options, revision, transport }) };
}
