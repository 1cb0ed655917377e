/**
 * Cost of an idle session: resident memory for each of a thousand, then with an open stream each. The server warms up meanwhile, so most of that is
 * what any program pays once.
 */
import { median, type Figures } from "../figures.ts";
import { Connection } from "../http/connection.ts";
import { get } from "../http/request.ts";
import { HttpServer } from "../http/server.ts";
import { openSession } from "../http/session.ts";
import { memory } from "../process.ts";
import { HTTP, KIB, sleep, type Suite } from "./suite.ts";

const SESSIONS = 1000;
const TIMED = 5;
const WARM_UP = 50;
const AT_ONCE = 50;

/** Long enough for the garbage collector to give memory back. */
const REST_MS = 700;

async function resting(server: HttpServer): Promise<number> {
  await sleep(REST_MS);
  return memory(server.pid).now;
}

/** Opens one session on a connection of its own. */
async function timed({ port }: HttpServer): Promise<{ headers: string; ms: number }> {
  const from = performance.now();
  const connection = await Connection.to(port);
  const headers = await openSession(connection, port);
  connection.end();
  return { headers, ms: performance.now() - from };
}

/** Opens so many sessions over a few connections, as many clients would. Gives the header lines that name them. */
async function openSessions({ port }: HttpServer, count: number): Promise<string[]> {
  const opened: string[] = [];
  let left = count;
  const some = async (): Promise<void> => {
    const connection = await Connection.to(port);
    try {
      while (left-- > 0) opened.push(await openSession(connection, port));
    } finally {
      connection.end();
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, some));
  return opened;
}

async function measureSessions(server: HttpServer): Promise<Figures> {
  const streams: Connection[] = [];
  try {
    await openSessions(server, WARM_UP);
    const before = await resting(server);
    const lone = [];
    for (let at = 0; at < TIMED; at++) lone.push(await timed(server));
    const named = [...lone.map(({ headers }) => headers), ...(await openSessions(server, SESSIONS - TIMED))];
    const idle = await resting(server);
    for (const headers of named) {
      const connection = await Connection.to(server.port);
      streams.push(connection);
      await connection.stream(get(server.port, headers));
    }
    const open = await resting(server);
    const closed = streams.filter((stream) => !stream.open).length;
    if (closed > 0) throw new Error(`${closed} of ${SESSIONS} streams did not stay open`);
    return {
      "KiB per session": ((idle - before) * KIB) / SESSIONS,
      "KiB per session with stream": ((open - before) * KIB) / SESSIONS,
      "session open ms": median(lone.map(({ ms }) => ms)),
    };
  } finally {
    for (const stream of streams) stream.end();
  }
}

export const sessions: Suite = {
  about: "memory of 1,000 idle sessions over HTTP, and with an open stream each",
  kinds: HTTP,
  era: "stateful",
  rounds: 3,
  quickRounds: 1,
  measure: ({ command }) => HttpServer.with(command, { MODE: "stateful", RESP: "json" }, measureSessions),
};
