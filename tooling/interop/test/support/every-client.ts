// Runs one test body with each official client, in the revisions and over the transports that it can request. Afterwards
// the client closes, and the server must exit with code 0 and the expected lines on stderr.
import { findRevision, REVISIONS, type Facts, type Revision } from "@oarlock/server-kit/protocol";
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { binary, type Program } from "./built-server.ts";
import type { Handlers, Official } from "./official-client.ts";
import { connectV1, WAYS_V1 } from "./sdk-v1.ts";
import { connectV2, WAYS_V2, type V2Options } from "./sdk-v2.ts";
import type { End, ClientTransport } from "./client-transport.ts";

export interface Guest {
  readonly client: "v1" | "v2";
  /** `sse` is the older pair of endpoints over HTTP. */
  readonly over: "stdio" | "http" | "sse";
  readonly revision: string;
  /** What the revision can do. */
  readonly facts: Facts;
  /** The first directory that is served, empty at first. */
  readonly folder: TempFolder;
  connect(options?: GuestOptions): Promise<Official>;
}

/** The line that the server prints when it is ready. */
export const READY = Symbol("READY");

interface GuestOptions extends Handlers {
  /** Served instead of the folder, with switches among them. */
  serve?: string[];
  /** The folder for the state of the server, which holds its trash; without it nothing is kept. */
  stateHome?: string;
  /** Another server to start instead. */
  program?: Program;
  /** The lines that the server writes to stderr; default: that it is ready. */
  stderr?: readonly (RegExp | typeof READY)[];
  /** Expected errors of the client. */
  faults?: RegExp;
}

interface Variant extends Pick<Guest, "client" | "over" | "revision" | "facts"> {
  title: string;
  /** Opens a way to the program, and a client that takes it. */
  open(program: Program, handlers: Handlers): Promise<{ way: ClientTransport<unknown>; connecting: Promise<Official> }>;
}

const v1 = (over: keyof typeof WAYS_V1, { id, facts }: Revision): Variant => ({
  title: `SDK v1 in ${id} over ${over}`,
  ...{ client: "v1", over, revision: id, facts },
  async open(program, handlers) {
    const way = await WAYS_V1[over](program);
    return { way, connecting: connectV1(way.transport, id, handlers) };
  },
});

const v2 = (over: keyof typeof WAYS_V2, { id, facts }: Revision, options: V2Options): Variant => ({
  title: `SDK v2 ${options.mode === "auto" ? "left to find out" : `in ${id}`} over ${over}`,
  ...{ client: "v2", over, revision: id, facts },
  async open(program, handlers) {
    const way = await WAYS_V2[over](program);
    return { way, connecting: connectV2(way.transport, options, handlers) };
  },
});

const v2Legacy = (over: keyof typeof WAYS_V2, revision: Revision): Variant =>
  v2(over, revision, { mode: "legacy", revisions: [revision.id] });

/**
 * Each client in each revision that it is tested in, each client over each transport, and each era over each transport, once at least: a fault lies
 * in one of these pairs. The older endpoints are tested in the revision that they are from.
 */
function variantsOf(revision: Revision, at: number, newestFirst: readonly Revision[]): readonly Variant[] {
  if (revision.facts.era === "stateless") return [v2("stdio", revision, { mode: "auto" }), v2("http", revision, { mode: "auto" })];
  const isNewestHandshake = newestFirst[at - 1]?.facts.era === "stateless";
  if (isNewestHandshake) return [v1("stdio", revision), v1("http", revision), v2Legacy("http", revision)];
  const isOldest = at === newestFirst.length - 1;
  return isOldest ? [v2Legacy("stdio", revision), v1("sse", revision)] : [v1("stdio", revision)];
}

const VARIANTS = REVISIONS.flatMap((id) => findRevision(id) ?? []).flatMap(variantsOf);

export type Fits = (facts: Facts, over: Guest["over"]) => boolean;
/** What sessions have: pings, a log level, subscriptions of single resources, news of the client's roots. */
export const inSessions: Fits = ({ era }) => era === "handshake";
export const stateless: Fits = ({ era }) => era === "stateless";

/** How often the file has called `everyClient`. */
let calls = 0;

/**
 * In the long tier all; else one of each client in each era for the first test of a file, and one by turns for each other. What differs between the
 * revisions of an era is proved without a process, by the transcripts of the kit.
 */
function chosen(variants: readonly Variant[]): readonly Variant[] {
  calls += 1;
  if (isLong) return variants;
  const byTurns = (group: readonly Variant[] = []): readonly Variant[] => group.slice(calls % group.length).slice(0, 1);
  if (calls > 1) return byTurns(variants);
  return Object.values(Object.groupBy(variants, ({ client, facts }) => `${client} ${facts.era}`)).flatMap(byTurns);
}

/**
 * One test for each client, revision and transport: "PING-01 ping — SDK v1 in 2025-06-18 over stdio".
 * @example
 * everyClient("PING-01 ping is answered", async ({ connect }) => {
 *   const client = await connect();
 *   await client.ping();
 * }, inSessions);
 */
export function everyClient(title: string, body: (guest: Guest) => Promise<void>, fits: Fits = () => true): void {
  // Side by side, as they mostly wait.
  for (const variant of chosen(VARIANTS.filter(({ facts, over }) => fits(facts, over))))
    test.concurrent(`${title} — ${variant.title}`, () => run(variant, body));
}

interface Visit {
  client: Official;
  options: GuestOptions;
  end: () => Promise<End>;
}

async function run({ open, ...variant }: Variant, body: (guest: Guest) => Promise<void>): Promise<void> {
  await using folder = tempFolder();
  await using ways = new AsyncDisposableStack();
  const visits: Visit[] = [];
  const connect = async (options: GuestOptions = {}): Promise<Official> => {
    const program = options.program ?? binary(...(options.serve ?? [folder.path]));
    const kept = options.stateHome === undefined ? {} : { env: { XDG_STATE_HOME: options.stateHome } };
    const { way, connecting } = await open({ ...program, ...kept }, options);
    ways.use(way);
    const client = await connecting;
    visits.push({ client, options, end: way.enter() });
    return client;
  };
  await body({ ...variant, folder, connect });
  for (const visit of visits) await expectCleanExit(visit, variant.over);
}

async function expectCleanExit({ client, options, end }: Visit, over: Guest["over"]): Promise<void> {
  await client.close();
  const { code, signal, stderr } = await end();
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: expect.stringMatching(/^(.*\n)*$/) });
  const { name, version } = client.serverInfo ?? {};
  const ready =
    over === "stdio" ? `${name} ${version} is ready on stdio` : expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const lines = (options.stderr ?? [READY]).map((line) => (line === READY ? ready : expect.stringMatching(line)));
  expect(stderr.split("\n").slice(0, -1)).toEqual(lines);
  expect(client.faults.filter((fault) => !isExpected(fault, options.faults))).toEqual([]);
}

/** Errors that the clients report when they close with an open event stream. */
const CLOSING = /AbortError: |^(Failed to reconnect SSE stream: )?This operation was aborted$/;

const isExpected = (fault: string, expected: RegExp | undefined): boolean => CLOSING.test(fault) || expected?.test(fault) === true;
