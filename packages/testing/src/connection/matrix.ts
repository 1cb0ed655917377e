// Runs one test body over protocol revisions and transports. Each combination is a test of its own, titled as
// "delete asks first — 2025-06-18 over stdio".
import { findRevision, NEWEST_HANDSHAKE, REVISIONS, type Facts } from "@oarlock/server-kit/protocol";
import { test } from "vitest";
import { connectTo, type ConnectToOptions, type Target, type TestConnection, type Transport } from "./connect-to.ts";

/** All revisions, newest first. */
export const TESTED_REVISIONS: readonly string[] = REVISIONS;
/** The revisions with a handshake, newest first: for tests of sessions. */
export const HANDSHAKE_REVISIONS: readonly string[] = REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake");
export const TRANSPORTS: readonly Transport[] = ["memory", "stdio", "http"];

/** One combination of revision and transport. */
export interface MatrixCell {
  readonly revision: string;
  readonly transport: Transport;
  /** The features of the revision. */
  readonly facts: Facts;
  /** Connects a client of this revision over this transport. */
  connect(options?: Omit<ConnectToOptions, "revision" | "transport">): Promise<TestConnection>;
}

type Body<T> = (subject: T) => Promise<void> | void;

/** Registers one test for each revision: "paging — 2025-06-18". */
export function everyRevision(title: string, body: Body<string>): void {
  for (const revision of TESTED_REVISIONS) test(`${title} — ${revision}`, () => body(revision));
}

/** Registers one test for each transport, in the newest revision with a handshake: "a long line — over stdio". */
export function everyTransport(title: string, target: Target, body: Body<MatrixCell>): void {
  for (const transport of TRANSPORTS) test(`${title} — over ${transport}`, () => body(cell(target, NEWEST_HANDSHAKE, transport)));
}

/**
 * Registers one test for each revision (default: all) over each transport.
 * @example
 * everyRevisionAndTransport("delete asks first", target, async (cell) => {
 *   const user = scriptUser([accept({ sure: true })]);
 *   await using connection = await cell.connect(user.handlers);
 *   await connection.client.call("delete_file", { path: "a.txt" });
 * });
 */
export function everyRevisionAndTransport(
  title: string,
  target: Target,
  body: Body<MatrixCell>,
  revisions: readonly string[] = TESTED_REVISIONS,
): void {
  for (const revision of revisions) {
    for (const transport of TRANSPORTS) test(`${title} — ${revision} over ${transport}`, () => body(cell(target, revision, transport)));
  }
}

function cell(target: Target, revision: string, transport: Transport): MatrixCell {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`Unknown protocol revision: ${revision}. Known: ${REVISIONS.join(", ")}.`);
  return { revision, transport, facts, connect: (options) => connectTo(target, { ...options, revision, transport }) };
}
