// What a stranger who can write in the folder of a memory puts beside it: links, pipes and databases.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { entity } from "./graphs.ts";
import { serveInProcess, type InProcessServer } from "./in-process.ts";

/** Opened at both ends, so that a server that opens it, too, fails instead of waiting for ever. */
export function plantPipe(path: string): Disposable {
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  return { [Symbol.dispose]: () => closeSync(fd) };
}

/** A database of another program, with one row of the user in it. `pragmas`: what else a stranger sets. */
export function makeForeignDatabase(path: string, pragmas = ""): string {
  const db = new Database(path);
  db.exec(`CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://precious.example'); ${pragmas}`);
  db.close();
  return path;
}

/** The rows of the user that are left. */
export function rowsIn(path: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare("SELECT url FROM bookmarks").all();
  } finally {
    db.close();
  }
}

export const ROWS = [{ url: "https://precious.example" }];

/** The arguments that purge the entity of `serveInSyncedFolder`. */
export const PURGE = { entityNames: ["a"], purge: true };

/** A memory with one entity, and a folder outside of its own. */
export async function serveInSyncedFolder(): Promise<{ folder: TempFolder; server: InProcessServer } & AsyncDisposable> {
  const folder = tempFolder({ outside: {}, sync: {} });
  const server = await serveInProcess(folder.at("sync/m.db"), { allowPurge: true });
  await server.does("create_entities", { entities: [entity("a", "t", "secret of a")] });
  return {
    folder,
    server,
    async [Symbol.asyncDispose]() {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
