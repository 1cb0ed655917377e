// The address of a database, from a URL.

export interface Address {
  /** Host and port, for messages. Never has the password. */
  readonly name: string;
  readonly connectionString: string;
}

/** @throws Error with one sentence. It does not repeat the URL, which may hold a password. */
export function parseAddress(text: string): Address {
  const url = URL.parse(text);
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol))
    throw new Error("The address of the database must look like postgres://user@host:5432/database.");
  const host = url.hostname || url.searchParams.get("host") || "localhost";
  return { name: `${host}:${url.port || 5432}`, connectionString: text };
}
