// Opens a connection, and finds out how the server speaks: by a handshake, or by requests that stand alone.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
import { findRevision, NEWEST_HANDSHAKE, REVISIONS, type Wire } from "@oarlock/server-kit/protocol";
import { checkedRoots } from "./client-requests/client-request-handlers.ts";
import type { Client } from "./client.ts";
import { Closed, HandshakeFailed } from "./errors.ts";
import { meetByHandshake, settle, shakeHands } from "./handshake/initialize.ts";
import { connectHttp } from "./transports/http/http-access.ts";
import { Door, type HttpServerAddress } from "./transports/http/http-endpoint.ts";
import { Meeting } from "./connection/connection.ts";
import type { ConnectOptions } from "./options.ts";
import { discover, meetAlone } from "./stateless/start-stateless.ts";
import { Restarting } from "./transports/stdio/restartable-process.ts";
import { spawnServer, type Command } from "./transports/stdio/server-process.ts";

/**
 * Connects to a server: a command to start, an HTTP address, or a wire that is there already.
 * @example
 * await using client = await connect({ command: "node", args: ["server.js"] });
 * const { content } = await client.call("echo", { message: "hello" });
 */
export async function connect(to: Command | HttpServerAddress | Wire, options: ConnectOptions = {}): Promise<Client> {
  const { revision = AUTO, known } = options;
  if (revision !== AUTO && findRevision(revision) === undefined) throw new TypeError(`No such revision: ${revision}`);
  if (known !== undefined && findRevision(known.revision)?.facts.era !== "stateless")
    throw new TypeError("known: expected what a connection without handshake found out");
  if (Array.isArray(options.roots)) checkedRoots(options.roots);
  options.signal?.throwIfAborted();
  if ("url" in to) return connectHttp(new Door(to), plan(revision), options);
  if ("send" in to) return overPipe(new Meeting(to, NEWEST, options), plan(revision));
  return overProcess(to, plan(revision), options);
}

const AUTO = "auto";
/** Of all, the one that is asked for first. */
const NEWEST = REVISIONS[0] ?? NEWEST_HANDSHAKE;

/** What may be spoken: revisions, newest first, and whether those with a handshake are among them. */
export interface Plan {
  ours: readonly string[];
  /** The revision to ask for by a handshake, where one may be made. */
  handshake: string | undefined;
  /** A handshake is all that may be tried. */
  only: boolean;
}

function plan(revision: string): Plan {
  if (revision === AUTO) return { ours: REVISIONS, handshake: NEWEST_HANDSHAKE, only: false };
  const only = findRevision(revision)?.facts.era === "handshake";
  return { ours: [revision], handshake: only ? revision : undefined, only };
}

async function overProcess(to: Command, plan: Plan, options: ConnectOptions): Promise<Client> {
  const server = new Restarting(() => spawnServer(to, options), options.restarts ?? 0);
  try {
    const client = await overPipe(new Meeting(server, NEWEST, options), plan);
    server.restarts = findRevision(client.revision)?.facts.era === "stateless";
    return client;
  } catch (error) {
    const { code, signal } = await server.exited;
    const ended = error instanceof Closed && (code !== null || signal !== null);
    if (!ended || plan.only || plan.handshake === undefined || options.known !== undefined) throw error;
    // Some servers end at a first message that they do not know.
    return meetByHandshake(new Meeting(spawnServer(to, options), plan.handshake, options), plan.handshake);
  }
}

const SILENT = Symbol("silent");

/** A wire whose messages all go one way, as stdio: nothing but an answer tells the era, and there may be none. */
async function overPipe(meeting: Meeting, { ours, handshake, only }: Plan): Promise<Client> {
  const { options } = meeting;
  if (options.known !== undefined) return meetAlone(meeting, options.known);
  if (only && handshake !== undefined) return meetByHandshake(meeting, handshake);
  const probing = new AbortController();
  const signal = AbortSignal.any([probing.signal, ...(options.signal ? [options.signal] : [])]);
  const found = discover(meeting, ours, signal);
  found.catch(() => undefined);
  try {
    const first = handshake === undefined ? await found : await Promise.race([found, silence(options.probeMs ?? 3000)]);
    if (first === SILENT) return await whicheverAnswers(meeting, handshake ?? NEWEST_HANDSHAKE, { found, probing, signal });
    if (first.era === "stateless") return await meetAlone(meeting, first.agreed);
    if (handshake !== undefined) return await meetByHandshake(meeting, handshake);
    throw new HandshakeFailed(`The server does not speak ${ours.join(", ")}: ${first.why.message}`);
  } catch (error) {
    throw await meeting.fail(error);
  }
}

interface Probing {
  found: ReturnType<typeof discover>;
  probing: AbortController;
  signal: AbortSignal;
}

/** A server that keeps silent may be an old one, or one that starts slowly: what it answers first tells. */
async function whicheverAnswers(meeting: Meeting, revision: string, { found, probing, signal }: Probing): Promise<Client> {
  const shaking = new AbortController();
  // Where both are answered at once, by a server that has just started, the newer way has precedence.
  const shaken = afterAll(shakeHands(meeting, revision, AbortSignal.any([signal, shaking.signal])));
  const late = found.then(
    (now) => (now.era === "stateless" ? now.agreed : shaken),
    () => shaken,
  );
  const first = await Promise.race([late, shaken]);
  shaken.catch(() => undefined);
  const alone = findRevision(first.revision)?.facts.era === "stateless";
  (alone ? shaking : probing).abort(new Error("The server speaks otherwise"));
  return alone ? meetAlone(meeting, first) : settle(meeting, revision, first);
}

/** The same, when all that was read together has been heard. */
async function afterAll<T>(result: Promise<T>): Promise<T> {
  await result.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  return result;
}

function silence(ms: number): Promise<typeof SILENT> {
  return new Promise((resolve) => setTimeout(() => resolve(SILENT), ms).unref());
}
