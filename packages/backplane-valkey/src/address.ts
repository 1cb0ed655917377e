// The address of an engine, from a URL.
import { isIP } from "node:net";

export interface Address {
  /** Host and port, for messages. Never has the password. */
  readonly name: string;
  /** How long a call may take, in milliseconds. */
  readonly answerMs: number;
  readonly options: {
    readonly host: string;
    readonly port: number;
    readonly db: number;
    readonly username?: string;
    readonly password?: string;
    readonly tls?: { readonly servername?: string };
  };
}

const DEFAULT_PORT = 6379;
const DEFAULT_ANSWER_MS = 1000;

/** With TLS or without. */
const SCHEMES: Record<string, boolean> = { "valkey:": false, "redis:": false, "valkeys:": true, "rediss:": true };

/** @throws Error with one sentence. It does not repeat the URL, which may hold a password. */
export function parseAddress(text: string): Address {
  const url = URL.parse(text);
  const isSecure = SCHEMES[url?.protocol ?? ""];
  if (url === null || isSecure === undefined || url.hostname === "")
    throw new Error("The address of the engine must look like valkey://host:6379, redis://host:6379 or rediss://host:6379.");
  const database = /^\/(\d*)$/.exec(url.pathname || "/")?.[1];
  if (database === undefined)
    throw new Error("The path of the engine's address must be the number of a database, such as valkey://host:6379/1.");
  const answerMs = Number(url.searchParams.get("answer_ms") ?? DEFAULT_ANSWER_MS);
  if (!Number.isInteger(answerMs) || answerMs < 100 || answerMs > 60_000)
    throw new Error("answer_ms in the engine's address must be a number of milliseconds, from 100 to 60000.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port || DEFAULT_PORT);
  return {
    name: `${url.hostname}:${port}`,
    answerMs,
    options: {
      host,
      port,
      db: Number(database),
      ...(url.username !== "" && { username: decodeURIComponent(url.username) }),
      ...(url.password !== "" && { password: decodeURIComponent(url.password) }),
      // A certificate for an address is checked without a name.
      ...(isSecure && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    },
  };
}
