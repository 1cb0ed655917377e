// The stage of the memory server: a boat builder's assistant that remembers, in one file that two hosts share.
import { connect, type Client } from "@oarlock/client";
import type { Transport } from "../../server-process.ts";
import { commandOf, openStage, type Stage, type User } from "../../stage.ts";
import { tempFolder, type TempFolder } from "@oarlock/testing";

export interface Scene extends Stage, User {
  readonly folder: TempFolder;
  /** A second host on the same memory: a process of its own. */
  readonly other: Client;
  /** Ends the server and starts a new one on the same file; `client` is connected to it. */
  restart(): Promise<void>;
}

/** How the built server is started. */
export const command = commandOf("memory");

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder();
  const file = folder.at("memory.jsonl");
  const user: User = { asked: [], answers: [] };
  const start = (): Promise<Stage> => openStage(command("--db", file), { revision, transport, user });
  let now = await start();
  const other = await connect(command("--db", file), { revision, clientInfo: { name: "another-host", version: "0.0.0" } });
  return {
    ...now,
    ...user,
    get client() {
      return now.client;
    },
    get server() {
      return now.server;
    },
    folder,
    other,
    async restart() {
      await now[Symbol.asyncDispose]();
      now = await start();
    },
    async [Symbol.asyncDispose]() {
      await now[Symbol.asyncDispose]();
      await other.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
