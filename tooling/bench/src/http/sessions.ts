/** Many sessions, opened the way many clients would: a few at a time. */
import { Connection } from "./connection.ts";
import type { HttpServer } from "./server.ts";
import { openSession } from "./session.ts";

/** What to do with a session that was just opened. */
type Use = (connection: Connection, headers: string) => Promise<void>;

const AT_ONCE = 50;

/** Opens so many sessions over a few connections, which are closed in the end. Gives the header lines that name them. */
export async function openSessions({ port }: HttpServer, count: number, use?: Use): Promise<string[]> {
  const opened: string[] = [];
  let left = count;
  const some = async (): Promise<void> => {
    const connection = await Connection.to(port);
    try {
      while (left-- > 0) {
        const headers = await openSession(connection, port);
        await use?.(connection, headers);
        opened.push(headers);
      }
    } finally {
      connection.end();
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, some));
  return opened;
}
