/** The servers as they are built, each over stdio and over HTTP with all that is spoken there. */
import { fileURLToPath } from "node:url";
import type { Client } from "@oarlock/client";
import type { TempFolder } from "@oarlock/testing";
import { MODERN, OLDEST, onPipe, overHttp, STATEFUL } from "../load/clients.ts";
import { RUDE_ALONE } from "../load/rude-alone.ts";
import { endRaw, openRaw, RUDE_SESSION } from "../load/rude-http.ts";
import { RUDE_PIPE } from "../load/rude-pipe.ts";
import { killing, type Killing } from "../load/victims.ts";
import { stay, visit, type Works } from "../load-generator.ts";
import type { Program } from "../observed-server.ts";
import type { Target } from "./target.ts";

export interface Domain {
  name: string;
  /** Makes what is served; gives the words of the command line. */
  prepare(folder: TempFolder): string[];
  works(folder: TempFolder): Works<Client>;
  /** What is under way when a client is killed. */
  call(folder: TempFolder): Required<Killing>["call"];
}

const RATE = 0.5;

export function targetsOf({ name, prepare, works, call }: Domain, revision: string): Target[] {
  const file = fileURLToPath(new URL(`../../../../servers/${name}/dist/bin.js`, import.meta.url));
  const program = (folder: TempFolder, ...more: string[]): Program => ({ file, args: [...prepare(folder), ...more] });
  return [
    {
      name: `${name} stdio`,
      rate: RATE,
      program,
      async lanes({ server: { pipe }, folder }) {
        const client = await onPipe(pipe, revision);
        const all = works(folder);
        // One client hears of an address once, so only one lane watches.
        const { watched: _watched, ...others } = all;
        const victims = killing({ on: program(folder), revision, call: call(folder) });
        return [stay(client, all), stay(client, others, 5), stay({ client, pipe }, RUDE_PIPE), victims];
      },
    },
    {
      name: `${name} http`,
      rate: RATE,
      program: (folder) => program(folder, "--http", "--port=0", "--legacy-sse"),
      async lanes({ server, folder, keepAlive }) {
        const origin = await server.origin();
        const visitors = (path: string, speaking: string): ReturnType<typeof visit> =>
          visit({
            name: `client of ${speaking}`,
            open: () => overHttp(`${origin}${path}`, speaking, keepAlive),
            works: works(folder),
            close: (client) => client.close(),
          });
        const url = `${origin}/mcp`;
        return [
          visitors("/mcp", STATEFUL),
          visitors("/mcp", MODERN),
          visitors("/sse", OLDEST),
          visit({ name: "session", open: () => openRaw(url), works: RUDE_SESSION, close: endRaw }),
          stay(url, RUDE_ALONE),
        ];
      },
    },
  ];
}
