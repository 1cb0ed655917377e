// The stage of the SQLite server: a chandlery's database, a client, and a scripted user.
import type { CallToolResult } from "@oarlock/server-kit/protocol";
import type { Transport } from "../../server-process.ts";
import { commandOf, openStage, type Stage, type User } from "../../stage.ts";
import { tempFolder } from "@oarlock/testing";
import { done } from "../filesystem/replies.ts";
import { makeChandlery } from "./database.ts";

export interface Scene extends Stage, User {
  /** The database. */
  readonly file: string;
}

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder();
  const file = folder.at("chandlery.db");
  makeChandlery(file);
  const user: User = { asked: [], answers: [] };
  const command = commandOf("sqlite")("--read-write", "--insights", folder.at("insights"), file);
  const stage = await openStage(command, { revision, transport, user });
  return {
    ...stage,
    ...user,
    file,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The rows of a reply: its first text is JSON in every revision. */
export function rowsOf(result: CallToolResult): unknown {
  done(result);
  const [first] = result.content;
  return first?.type === "text" ? JSON.parse(first.text) : undefined;
}
