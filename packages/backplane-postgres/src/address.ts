// The address of a database, from a URL.

export interface Address {
  /** Host and port, for messages. Never has the password. */
  readonly name: string;
  readonly connectionString: string;
  /** How long a query may take, with the wait for a connection, in milliseconds. */
  readonly answerMs: number;
}

const DEFAULT_ANSWER_MS = 1000;

/** @throws Error with one sentence. It does not repeat the URL, which may hold a password. */
export function parseAddress(text: string): Address {
  const url = URL.parse(text);
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol))
    throw new Error("The address of the database must look like postgres://user@host:5432/database.");
  const host = url.hostname || url.searchParams.get("host") || "localhost";
  const answerMs = Number(url.searchParams.get("answer_ms") ?? DEFAULT_ANSWER_MS);
  if (!Number.isInteger(answerMs) || answerMs < 100 || answerMs > 60_000)
    throw new Error("answer_ms in the database's address must be a number of milliseconds, from 100 to 60000.");
  return { name: `${host}:${url.port || 5432}`, connectionString: text, answerMs };
}
