// The stage of the git server: a repository with a little history, a client, and another program that commits to it.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connect, type Client, type Command } from "@oarlock/client";
import { run, type Running, type Transport } from "../../server-process.ts";
import { tempFolder, type TempFolder } from "../../temp-folder.ts";

/** The server as it is published: one built file. */
const BINARY = fileURLToPath(new URL("../../../../../servers/git/dist/bin.js", import.meta.url));

export interface Scene extends AsyncDisposable {
  readonly revision: string;
  /** Replies come as data as well as text. */
  readonly structured: boolean;
  readonly folder: TempFolder;
  readonly transport: Transport;
  readonly server: Running;
  readonly client: Client;
  /** Runs git as another program would, and returns its output. */
  git(...args: string[]): string;
}

/** How the built server is started. */
export const command = (...args: string[]): Command => ({ command: process.execPath, args: [BINARY, ...args] });

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder();
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder.path, encoding: "utf8", stdio: "pipe" }).trim();
  logbook(folder, git);
  const server = await run(command("--repository", folder.path), transport);
  const client = await connect(server.to, { revision, clientInfo: { name: "oarlock-demo", version: "0.0.0" } }).catch((error: unknown) => {
    // Over HTTP it would go on without a client.
    server.stop();
    throw error;
  });
  return {
    revision,
    structured: revision >= "2025-06-18",
    folder,
    transport,
    server,
    client,
    git,
    async [Symbol.asyncDispose]() {
      await client.close();
      server.stop();
      await server.exited;
      folder[Symbol.dispose]();
    },
  };
}

/** A voyage in twelve commits. */
function logbook(folder: TempFolder, git: Scene["git"]): void {
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "The Mate");
  git("config", "user.email", "mate@boat.example");
  for (let day = 1; day <= 12; day++) {
    folder.write("log.txt", `${day === 1 ? "" : folder.read("log.txt")}Day ${day}: ${day % 3 === 0 ? "rain" : "fair wind"}\n`);
    git("add", "log.txt");
    git("commit", "--quiet", "--message", `Day ${day}`);
  }
}
