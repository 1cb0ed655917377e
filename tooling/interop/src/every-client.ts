// Runs one test body with each official client in each revision that it can be brought to ask for. Whatever the body does,
// the client is closed in the end, and the server must go by itself, calmly.
import { findRevision, REVISIONS, type Facts } from "@oarlock/server-kit/protocol";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { binary } from "./binary.ts";
import type { Handlers, Official } from "./official.ts";
import { connectV1 } from "./sdk-v1.ts";
import { connectV2 } from "./sdk-v2.ts";

export interface Guest {
  readonly client: "v1" | "v2";
  readonly revision: string;
  /** What the revision can do. */
  readonly facts: Facts;
  /** The first directory that is served, empty at first. */
  readonly folder: TempFolder;
  connect(options?: GuestOptions): Promise<Official>;
}

interface GuestOptions extends Handlers {
  /** Served instead of the folder, with switches among them. */
  serve?: string[];
  /** All that the server may write to stderr; default: that it is ready. */
  stderr?: string | RegExp;
  /** Complaints of the client that are to be expected. */
  faults?: RegExp;
}

type Connect = (server: { command: string; args: string[] }, handlers: Handlers) => Promise<Official>;

interface Variant {
  title: string;
  client: "v1" | "v2";
  revision: string;
  facts: Facts;
  connect: Connect;
}

/** The newest first. */
const REVISIONS_ASKED = REVISIONS.flatMap((id) => findRevision(id) ?? []).filter(({ facts }) => facts.era === "handshake");

const VARIANTS: readonly Variant[] = [
  ...REVISIONS_ASKED.map(({ id, facts }): Variant => {
    return { title: `SDK v1 in ${id}`, client: "v1", revision: id, facts, connect: (server, handlers) => connectV1(server, id, handlers) };
  }),
  ...REVISIONS_ASKED.map(({ id, facts }): Variant => {
    const options = { mode: "legacy", revisions: [id] } as const;
    return {
      title: `SDK v2 in ${id}`,
      client: "v2",
      revision: id,
      facts,
      connect: (server, handlers) => connectV2(server, options, handlers),
    };
  }),
  ...REVISIONS_ASKED.slice(0, 1).map(({ id, facts }): Variant => {
    const options = { mode: "auto" } as const;
    return {
      title: "SDK v2 left to find out",
      client: "v2",
      revision: id,
      facts,
      connect: (server, handlers) => connectV2(server, options, handlers),
    };
  }),
];

/**
 * One test for each client and revision: "PING-01 ping — SDK v1 in 2025-06-18".
 * @example
 * everyClient("PING-01 ping is answered", async ({ connect }) => {
 *   const client = await connect();
 *   await client.ping();
 * });
 */
export function everyClient(title: string, body: (guest: Guest) => Promise<void>, fits: (facts: Facts) => boolean = () => true): void {
  for (const variant of VARIANTS.filter(({ facts }) => fits(facts))) test(`${title} — ${variant.title}`, () => run(variant, body));
}

async function run({ connect, ...variant }: Variant, body: (guest: Guest) => Promise<void>): Promise<void> {
  await using folder = tempFolder();
  const open: { client: Official; options: GuestOptions }[] = [];
  const enter = async (options: GuestOptions = {}): Promise<Official> => {
    const client = await connect(binary(...(options.serve ?? [folder.path])), options);
    open.push({ client, options });
    return client;
  };
  try {
    await body({ ...variant, folder, connect: enter });
    for (const guest of open) await leavesCalmly(guest);
  } finally {
    for (const { client } of open) await client.close().catch(() => undefined); // closed already, or the test has failed anyway
  }
}

async function leavesCalmly({ client, options }: { client: Official; options: GuestOptions }): Promise<void> {
  const { code, signal, stderr } = await client.close();
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  const { name, version } = client.serverInfo ?? {};
  const said = options.stderr ?? `${name} ${version} is ready on stdio\n`;
  if (typeof said === "string") expect(stderr).toBe(said);
  else expect(stderr).toMatch(said);
  expect(client.faults.filter((fault) => options.faults?.test(fault) !== true)).toEqual([]);
}
