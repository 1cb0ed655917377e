// docs/clients.md: the table of a run, the reasons for all that clients cannot do, and the clients that were not tried.
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { STEPS, transportsOf, type Step } from "./field-client.ts";
import { UNTRIED } from "./untried.ts";
import { SERVER_CASES, type Call } from "./server-cases.ts";
import type { Trial } from "./trial.ts";

export interface Run {
  readonly versions: Readonly<Record<string, string>>;
  readonly date: string;
  readonly node: string;
  readonly minutes: number;
  /** Trials that ran twice, because a step failed at first. */
  readonly repeated: number;
}

type Client = Trial["client"];

const HEADINGS: Readonly<Record<Step, string>> = {
  list: "List",
  call: "Call",
  read: "Read",
  error: "Error",
  "long call": "Long call",
  elicitation: "Elicitation",
  end: "Clean end",
};

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

export function renderPage(trials: readonly Trial[], run: Run): string {
  const clients = [...new Map(trials.map(({ client }) => [client.name, client])).values()];
  return `# Clients

Written by \`pnpm interop:field\`, which tries all of this. Do not edit.

Each client used each of the four servers over stdio and over Streamable HTTP, one after the other: ${trials.length} trials in ${run.minutes} minutes on
${run.date}, with Node ${run.node} for clients and servers.${repetitions(run)} The clients are those that run without an account. A cell counts the trials in
which a step succeeded: *8 of 8* are four servers over two transports, *4 of 4* are four servers over the only transport of the client. For
*no*, the reason stands [below](#what-clients-cannot-do).

${markdownTable(
  ["Client", "Version", "Revision", "Transports", ...STEPS.map((step) => HEADINGS[step])],
  clients.map((client) => clientRow(client, trials, run)),
)}

*Revision* is the protocol revision that client and server chose. The two official clients are tested in every revision, beyond these steps, in
[tooling/interop](https://github.com/oarlock/oarlock/tree/main/tooling/interop/test).

## What clients cannot do

Where a client declares no elicitation, the trial made the call all the same: each server refused it and named the switch by which the operator
can allow it.

${markdownTable(
  ["Client", "Step", "Why"],
  clients.flatMap((client) => reasonsOf(client)),
)}

## Clients that were not tried

${markdownTable(
  ["Client", "Why"],
  UNTRIED.map(({ client, why }) => [client, why]),
)}

## The steps

- **List**: the tools of the server are there, under their names. \`gemini mcp list\` shows only that the server is connected.
- **Call**: the reply has the data of the server.
- **Read**: the resource has the data of the server.
- **Error**: a call that fails shows the model what failed, in the words of the server.
- **Long call**: nothing times out, and the reply is complete. The times below include what a client does beside it, such as
  starting a process for each call. Memory counts 100,000 entities, its slowest read of those that were measured.
- **Elicitation**: the server needs the user's consent. The client's handler is called once and accepts, and the server acts.
- **Clean end**: the client closes, and the server exits with code 0.

${markdownTable(
  ["Server", "Call", "Read", "Error", "Long call", "Elicitation"],
  SERVER_CASES.map((one) => [
    one.server,
    toolOf(one.call("/data")),
    `\`${one.read("/data").uri}\``,
    toolOf(one.error("/data")),
    `${toolOf(one.long("/data"))}, ${longCalls(trials.filter(({ server }) => server === one.server))}`,
    toolOf(one.elicits("/data")),
  ]),
)}
`;
}

const repetitions = ({ repeated }: Run): string =>
  repeated === 0 ? "" : ` ${repeated} of them ran twice, as a step had failed at first on the busy machine.`;

const toolOf = ({ tool }: Call): string => `\`${tool}\``;

function clientRow(client: Client, all: readonly Trial[], { versions }: Run): string[] {
  const trials = all.filter(({ client: { name } }) => name === client.name);
  const revisions = [...new Set(trials.flatMap(({ revision }) => revision ?? []))];
  const version = versions[client.name];
  if (version === undefined) throw new Error(`${client.name} has no version in the package.json of the field.`);
  return [
    `${client.kind}<br>\`${client.name}\``,
    version,
    revisions.join(", ") || "that of its host",
    transportsOf(client)
      .map((over) => (over === "http" ? "HTTP" : over))
      .join(", "),
    ...STEPS.map((step) => cell(trials.map(({ outcomes }) => outcomes[step].is))),
  ];
}

function cell(outcomes: readonly ("ok" | "cannot" | "failed")[]): string {
  const [succeeded, failed] = [outcomes.filter((is) => is === "ok").length, outcomes.filter((is) => is === "failed").length];
  if (failed > 0) return `${failed} failed`;
  return succeeded === 0 ? "no" : `${succeeded} of ${outcomes.length}`;
}

/** Steps with the same reason share a row. */
function reasonsOf({ name, cannot }: Client): string[][] {
  const steps = Map.groupBy(Object.entries(cannot), ([, why]) => why);
  return [...steps].map(([why, entries]) => [`\`${name}\``, entries.map(([step]) => (step === "http" ? "HTTP" : step)).join(", "), why]);
}

function longCalls(trials: readonly Trial[]): string {
  const times = trials.flatMap(({ longCallMs }) => longCallMs ?? []);
  return times.length === 0 ? "a while" : `${seconds(Math.min(...times))} to ${seconds(Math.max(...times))} s`;
}
