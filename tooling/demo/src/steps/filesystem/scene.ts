// The stage of the filesystem server: a boat builder's folder, a client beside it, and a person to ask.
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { connect, type Client, type Command, type LogEntry } from "@oarlock/client";
import { findRevision, type ElicitResult, type Facts } from "@oarlock/server-kit/protocol";
import { run, type Running, type Transport } from "../../server-process.ts";
import { tempFolder, type TempFolder } from "../../temp-folder.ts";

const repository = (path: string): string => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));

/** The server as it is published: one built file. */
const BINARY = repository("servers/filesystem/dist/bin.js");

/** A large tree that is at hand wherever this runs: what the project itself has installed. */
export const LIBRARY: string = repository("node_modules");

export interface Scene extends AsyncDisposable {
  readonly revision: string;
  /** What the revision can do. */
  readonly facts: Facts;
  /** Replies come as data as well as text. */
  readonly structured: boolean;
  readonly folder: TempFolder;
  readonly transport: Transport;
  readonly server: Running;
  readonly client: Client;
  /** What the server logged to the client. */
  readonly log: readonly LogEntry[];
  /** What the person was asked. */
  readonly asked: readonly string[];
  /** What the person is going to answer, one after the other. */
  readonly answers: ElicitResult[];
  /** How often the server said that its list of resources is another one. */
  listChanges(): number;
}

/** How the built server is started, for the user's entry too. */
export const command = (...args: string[]): Command => ({ command: process.execPath, args: [BINARY, ...args] });

export const uriOf = (path: string): string => pathToFileURL(path).href;

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`No such revision: ${revision}`);
  const folder = boatyard();
  const log: LogEntry[] = [];
  const asked: string[] = [];
  const answers: ElicitResult[] = [];
  let changes = 0;
  const server = await run(command("--no-trash", folder.path, `${LIBRARY}:ro`), transport);
  const client = await connect(server.to, {
    revision,
    clientInfo: { name: "oarlock-demo", version: "0.0.0" },
    roots: [folder.path, LIBRARY].map((path) => ({ uri: uriOf(path) })),
    elicit({ message }) {
      asked.push(message);
      return answers.shift() ?? { action: "cancel" };
    },
    onLog: (entry) => log.push(entry),
    onListChanged: (list) => {
      if (list === "resources") changes++;
    },
  }).catch((error: unknown) => {
    // Over HTTP it would go on without a client.
    server.stop();
    throw error;
  });
  return {
    revision,
    facts,
    structured: revision >= "2025-06-18",
    folder,
    transport,
    server,
    client,
    log,
    asked,
    answers,
    listChanges: () => changes,
    async [Symbol.asyncDispose]() {
      await client.close();
      server.stop();
      await server.exited;
      folder[Symbol.dispose]();
    },
  };
}

function boatyard(): TempFolder {
  const folder = tempFolder();
  folder.write("plan.md", "# The boat\n\n1. Buy timber\n2. Buy red paint\n3. Launch in May\n");
  folder.write("letters/harbour-master.txt", "Please keep the slipway free.\n");
  for (let at = 1; at <= 12; at++) folder.write(`timber/plank-${String(at).padStart(2, "0")}.txt`, "oak\n");
  // Box in box in box, deeper than the server walks: something that it has to speak up about.
  mkdirSync(folder.at("boxes", ...Array.from({ length: 300 }, () => "b")), { recursive: true });
  return folder;
}
