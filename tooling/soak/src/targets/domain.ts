/** The servers as they are built, each over stdio and over HTTP with all that is spoken there. */
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { nodeProgram, type Program } from "@oarlock-tooling/test-support/server-process";
import type { Client } from "@oarlock/client";
import type { TempFolder } from "@oarlock/testing";
import { MODERN, OLDEST, onPipe, overHttp, STATEFUL } from "../load/clients.ts";
import { fails, must, succeeds } from "../load/expect.ts";
import { RUDE_ALONE } from "../load/rude-alone.ts";
import { endRaw, openRaw, RUDE_SESSION } from "../load/rude-http.ts";
import { RUDE_PIPE } from "../load/rude-pipe.ts";
import { killing, type Killing } from "../load/victims.ts";
import { stay, visit, type Works } from "../load-generator.ts";
import type { Target } from "./target.ts";

/** A tool, its arguments, and a text that its reply has. */
export type Call = readonly [tool: string, args?: object, text?: string];

export interface Domain {
  name: string;
  revision: string;
  /** Makes what is served; gives the words of the command line. */
  prepare(folder: TempFolder): string[];
  /** Calls that succeed, by what they are. */
  calls(folder: TempFolder): Readonly<Record<string, Call>>;
  refused?(folder: TempFolder): Readonly<Record<string, Call>>;
  works(folder: TempFolder): Works<Client>;
  /** What is under way when a client is killed. */
  killed(folder: TempFolder): Required<Killing>["call"];
}

const RATE = 0.5;

function worksOf({ calls, refused = () => ({}), works }: Domain, folder: TempFolder): Works<Client> {
  const all: Record<string, Works<Client>[string]> = {};
  for (const [name, [tool, args = {}, text = ""]] of Object.entries(calls(folder)))
    all[name] = async (client) => must((await succeeds(client.call(tool, { ...args }))).includes(text), `${text} is not in the reply`);
  for (const [name, [tool, args = {}]] of Object.entries(refused(folder))) all[name] = (client) => fails(client.call(tool, { ...args }));
  return { ...all, ...works(folder) };
}

export function targetsOf(domain: Domain): Target[] {
  const { name, revision, prepare, killed } = domain;
  const program = (folder: TempFolder, ...more: string[]): Program => nodeProgram(builtServer(name, ...prepare(folder), ...more));
  return [
    {
      name: `${name} stdio`,
      rate: RATE,
      program,
      async lanes({ server: { pipe }, folder }) {
        const client = await onPipe(pipe, revision);
        const all = worksOf(domain, folder);
        // One client hears of an address once, so only one lane watches.
        const { watched: _watched, ...others } = all;
        const victims = killing({ on: program(folder), revision, call: killed(folder) });
        return [stay(client, all), stay(client, others, 5), stay({ client, pipe }, RUDE_PIPE), victims];
      },
    },
    {
      name: `${name} http`,
      rate: RATE,
      program: (folder) => program(folder, "--http", "--port=0", "--legacy-sse"),
      async lanes({ server, folder, keepAlive }) {
        const { origin } = await server.listening();
        const visitors = (path: string, speaking: string): ReturnType<typeof visit> =>
          visit({
            name: `client of ${speaking}`,
            open: () => overHttp(`${origin}${path}`, speaking, keepAlive),
            works: worksOf(domain, folder),
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
