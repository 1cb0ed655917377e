/** The kit's own server over each transport in each era, every one a process of its own. */
import { sourceProgram, type Program } from "@oarlock-tooling/test-support/server-process";
import { MODERN, OLDEST, onPipe, overHttp, STATEFUL } from "../load/clients.ts";
import { KIT } from "../load/kit.ts";
import { PATIENT } from "../load/patient.ts";
import { RUDE_KIT_ALONE } from "../load/rude-alone.ts";
import { endRaw, openRaw, RUDE_KIT_SESSION } from "../load/rude-http.ts";
import { RUDE_PAIR } from "../load/rude-pair.ts";
import { RUDE_KIT_PIPE } from "../load/rude-pipe.ts";
import { killing } from "../load/victims.ts";
import { stay, visit, type Lane } from "../load-generator.ts";
import type { Scene, Target } from "./target.ts";

const program = (name: string): Program => sourceProgram(new URL(`../server/${name}.ts`, import.meta.url));

const stdio = (name: string, revision: string): Target => ({
  name,
  program: () => program("stdio"),
  async lanes({ server: { pipe } }) {
    const client = await onPipe(pipe, revision);
    return [stay(client, KIT), stay(client, KIT, 9), stay({ client, pipe }, RUDE_KIT_PIPE), killing({ on: program("stdio"), revision })];
  },
});

const http = (name: string, lanes: (origin: string, keepAlive: boolean) => Lane[]): Target => ({
  name,
  program: () => program("http"),
  lanes: async ({ server, keepAlive }: Scene) => lanes((await server.listening()).origin, keepAlive),
});

/** Clients that come, do a few things and take their close. */
const visitors = (name: string, url: string, revision: string, keepAlive: boolean, from = 0): Lane =>
  visit({ name, open: () => overHttp(url, revision, keepAlive), works: KIT, close: (client) => client.close() }, from);

export const KIT_TARGETS: readonly Target[] = [
  stdio("stdio stateful", STATEFUL),
  stdio("stdio modern", MODERN),
  http("http stateful", (origin, keepAlive) => {
    const url = `${origin}/mcp`;
    return [
      visitors("session, deleted", url, STATEFUL, keepAlive),
      visitors("session, deleted", url, STATEFUL, keepAlive, 9),
      visit({
        name: "session, deleted or abandoned",
        open: () => openRaw(url),
        works: RUDE_KIT_SESSION,
        async close(session, turn, warming) {
          if (warming || turn % 2 === 0) return endRaw(session);
          await openRaw(url, false); // and nothing more is heard of either
        },
      }),
      killing({ on: { url }, revision: STATEFUL }),
      ...(keepAlive ? [stay(url, PATIENT)] : []), // what takes longer than the short soak
    ];
  }),
  http("http modern", (origin, keepAlive) => {
    const url = `${origin}/mcp`;
    return [
      visitors("client", url, MODERN, keepAlive),
      visitors("client", url, MODERN, keepAlive, 9),
      stay(url, RUDE_KIT_ALONE),
      killing({ on: { url }, revision: MODERN }),
    ];
  }),
  http("http+sse", (origin, keepAlive) => {
    const url = `${origin}/sse`;
    return [visitors("stream", url, OLDEST, keepAlive), stay(url, RUDE_PAIR), killing({ on: { url }, revision: OLDEST })];
  }),
];
