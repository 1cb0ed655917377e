// The stage of the memory server: a boat builder's assistant that remembers, in one file that two hosts share.
import { fileURLToPath } from "node:url";
import { connect, type Client, type Command } from "@oarlock/client";
import { findRevision, type ElicitResult, type Facts } from "@oarlock/server-kit/protocol";
import { run, type Running, type Transport } from "../../server-process.ts";
import { tempFolder, type TempFolder } from "../../temp-folder.ts";

/** The server as it is published: one built file. */
const BINARY = fileURLToPath(new URL("../../../../../servers/memory/dist/bin.js", import.meta.url));

export interface Scene extends AsyncDisposable {
  readonly revision: string;
  /** What the revision can do. */
  readonly facts: Facts;
  readonly folder: TempFolder;
  readonly transport: Transport;
  readonly client: Client;
  readonly server: Running;
  /** A second host on the same memory: a process of its own. */
  readonly other: Client;
  /** What the person was asked, and what they are going to answer, one after the other. */
  readonly asked: readonly string[];
  readonly answers: ElicitResult[];
  /** Ends the server and starts a new one on the same file; `client` is connected to it. */
  restart(): Promise<void>;
}

/** How the built server is started. */
export const command = (...args: string[]): Command => ({ command: process.execPath, args: [BINARY, ...args] });

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`No such revision: ${revision}`);
  const folder = tempFolder();
  const file = folder.at("memory.jsonl");
  const asked: string[] = [];
  const answers: ElicitResult[] = [];
  const start = async (): Promise<{ server: Running; client: Client }> => {
    const server = await run(command("--db", file), transport);
    const client = await connect(server.to, {
      revision,
      clientInfo: { name: "oarlock-demo", version: "0.0.0" },
      elicit({ message }) {
        asked.push(message);
        return answers.shift() ?? { action: "cancel" };
      },
    }).catch((error: unknown) => {
      // Over HTTP it would go on without a client.
      server.stop();
      throw error;
    });
    return { server, client };
  };
  const end = async ({ server, client }: { server: Running; client: Client }): Promise<void> => {
    await client.close();
    server.stop();
    await server.exited;
  };
  let now = await start();
  const other = await connect(command("--db", file), { revision, clientInfo: { name: "another-host", version: "0.0.0" } });
  return {
    revision,
    facts,
    folder,
    transport,
    get client() {
      return now.client;
    },
    get server() {
      return now.server;
    },
    other,
    asked,
    answers,
    async restart() {
      await end(now);
      now = await start();
    },
    async [Symbol.asyncDispose]() {
      await end(now);
      await other.close();
      folder[Symbol.dispose]();
    },
  };
}
