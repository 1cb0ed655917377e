// A credential store in one file, which only its owner can read.
import { mkdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TemporaryFile, type NameCalls } from "@oarlock/domain-kit";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { platform } from "../platform.ts";
import type { CredentialStore, StoredRegistration, StoredTokens } from "./credential-store.ts";
import { withFileLock } from "./file-lock.ts";
import { AuthorizationError } from "./oauth-error.ts";

interface Contents {
  tokens: Record<string, StoredTokens | undefined>;
  registrations: Record<string, StoredRegistration | undefined>;
}

/**
 * Keeps credentials in a JSON file with mode 0600. Throws an `AuthorizationError` when other users can read the file. Several
 * processes may share it: files beside it (`.lock`, `.refresh.lock`) make them write, and refresh tokens, one after another.
 */
export function fileStore(path: string): CredentialStore {
  let queue: Promise<void> = Promise.resolve();
  const change = (apply: (contents: Contents) => void): Promise<void> => {
    const changed = queue.then(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await withFileLock(`${path}.lock`, async () => {
        const contents = await read(path);
        apply(contents);
        await replaceFile(path, JSON.stringify(contents, undefined, 2));
      });
    });
    queue = changed.catch(() => undefined); // reported to the caller; the next change does not wait for it
    return changed;
  };
  return {
    tokens: async (server) => (await read(path)).tokens[server],
    saveTokens: (server, value) => change(({ tokens }) => void (tokens[server] = value)),
    registration: async (issuer) => {
      const registration = (await read(path)).registrations[issuer];
      return registration?.issuer === issuer ? registration : undefined;
    },
    saveRegistration: (issuer, value) => change(({ registrations }) => void (registrations[issuer] = value)),
    exclusively: async (refresh) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await withFileLock(`${path}.refresh.lock`, refresh);
    },
  };
}

async function read(path: string): Promise<Contents> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return { tokens: {}, registrations: {} };
  if (platform !== "win32" && (stats.mode & 0o077) !== 0)
    throw new AuthorizationError(`Credentials in ${path} are open to other users: expected mode 600. Run chmod 600 on the file.`);
  const value = parse(await readFile(path, "utf8"));
  if (value === undefined) throw new AuthorizationError(`Invalid credentials in ${path}: expected JSON. Delete the file to log in anew.`);
  // This module has written the entries, and only the owner could have changed them.
  return { tokens: entries(value.tokens), registrations: entries(value.registrations) } as unknown as Contents;
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const entries = (value: unknown): object => Object.assign(Object.create(null) as object, isObject(value) ? value : {});

/** Replaces the file in one step, so that a crash leaves the old or the new one. Only its owner can read it. */
export async function replaceFile(path: string, text: string, calls?: NameCalls): Promise<void> {
  const folder = { at: (name: string) => join(dirname(path), name) };
  using file = new TemporaryFile(folder, { prefix: `${basename(path)}.`, ...(calls !== undefined && { calls }) });
  await file.write(text);
  await file.sync();
  await file.replace(basename(path));
}
