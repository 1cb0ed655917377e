// The stage of the SQLite server: a chandlery's database, a client, and a scripted user.
import { fileURLToPath } from "node:url";
import { connect, type Client, type Command } from "@oarlock/client";
import { findRevision, type CallToolResult, type ElicitResult, type Facts } from "@oarlock/server-kit/protocol";
import { run, type Running, type Transport } from "../../server-process.ts";
import { tempFolder } from "../../temp-folder.ts";
import { done } from "../filesystem/replies.ts";
import { makeChandlery } from "./database.ts";

/** The server as it is published: built. */
const BINARY = fileURLToPath(new URL("../../../../../servers/sqlite/dist/bin.js", import.meta.url));

export interface Scene extends AsyncDisposable {
  readonly revision: string;
  /** What the revision can do. */
  readonly facts: Facts;
  readonly transport: Transport;
  readonly server: Running;
  readonly client: Client;
  /** The database. */
  readonly file: string;
  /** The elicitations that the user got. */
  readonly asked: string[];
  /** The answers of the user, in order. */
  readonly answers: ElicitResult[];
}

const command = (...args: string[]): Command => ({ command: process.execPath, args: [BINARY, ...args] });

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`No such revision: ${revision}`);
  const folder = tempFolder();
  const file = folder.at("chandlery.db");
  makeChandlery(file);
  const asked: string[] = [];
  const answers: ElicitResult[] = [];
  const server = await run(command("--read-write", "--insights", folder.at("insights"), file), transport);
  const client = await connect(server.to, {
    revision,
    clientInfo: { name: "oarlock-demo", version: "0.0.0" },
    elicit({ message }) {
      asked.push(message);
      return answers.shift() ?? { action: "cancel" };
    },
  }).catch((error: unknown) => {
    server.stop(); // over HTTP it would go on without a client
    throw error;
  });
  return {
    ...{ revision, facts, transport, server, client, file, asked, answers },
    async [Symbol.asyncDispose]() {
      await client.close();
      server.stop();
      await server.exited;
      folder[Symbol.dispose]();
    },
  };
}

/** The rows of a reply: its first text is JSON in every revision. */
export function rowsOf(result: CallToolResult): unknown {
  done(result);
  const [first] = result.content;
  return first?.type === "text" ? JSON.parse(first.text) : undefined;
}
