/** Memory that remains after sessions end: deleted by their clients, or abandoned after their stream broke. */
import type { Figures } from "../figures.ts";
import { Connection } from "../http/connection.ts";
import { get, remove } from "../http/request.ts";
import { HttpServer, type Counts } from "../http/server.ts";
import { openSessions } from "../http/sessions.ts";
import { memory } from "../process.ts";
import { HTTP, sleep, type Suite } from "./suite.ts";

/** The environment of a server that ends idle sessions, and the time it may take for that. */
const IDLE_MS = 3000;
const DEADLINE_MS = 10_000;

const REST_MS = 700;

async function deleted(server: HttpServer, count: number): Promise<void> {
  await openSessions(server, count, async (connection, headers) => {
    const { status } = await connection.request(remove(server.port, headers));
    if (status !== 200 && status !== 204) throw new Error(`DELETE was refused with ${status}`);
  });
}

async function dropped(server: HttpServer, count: number): Promise<void> {
  await openSessions(server, count, async (_, headers) => {
    const stream = await Connection.to(server.port);
    await stream.stream(get(server.port, headers));
    stream.end();
  });
}

/** Resident MiB and counts, once the server had time to tidy up. */
async function look(server: HttpServer): Promise<{ rss: number; counts: Counts }> {
  await sleep(REST_MS);
  return { rss: memory(server.pid).now, counts: (await server.counts()) ?? {} };
}

/** Waits until no session is left; false where the server does not end idle ones in time, or cannot say. */
async function emptied(server: HttpServer): Promise<boolean> {
  const until = performance.now() + DEADLINE_MS;
  for (;;) {
    const left = (await server.counts())?.["sessions"];
    if (left === 0) return true;
    if (left === undefined || performance.now() > until) return false;
    await sleep(100);
  }
}

export const drop: Suite = {
  about: "memory after 10,000 deleted sessions and 2,000 broken streams (quick: 2,000 and 400)",
  kinds: HTTP,
  era: "stateful",
  rounds: 2,
  quickRounds: 1,
  measure: ({ command }, { quick }) =>
    HttpServer.with(command, { MODE: "stateful", RESP: "json", IDLE_MS: String(IDLE_MS) }, async (server) => {
      const figures: Figures = {};
      const count = quick ? 2000 : 10_000;
      await deleted(server, count / 10);
      await dropped(server, count / 50);
      const tidies = await emptied(server);
      const before = await look(server);
      const tell = async (after: string): Promise<void> => {
        const { rss, counts } = await look(server);
        figures[`${after}: growth MiB`] = rss - before.rss;
        for (const what of ["sessions", "streams"])
          figures[`${after}: ${what} left`] = (counts[what] ?? NaN) - (before.counts[what] ?? NaN);
      };
      await deleted(server, count);
      await tell("deleted");
      await dropped(server, count / 5);
      await tell("dropped");
      if (!tidies) return figures;
      await emptied(server);
      await tell("then idle");
      return figures;
    }),
};
