/**
 * The echo servers on stdio. Latency: one request at a time, where client and server share a core, since waking an idle one costs more than the
 * request. Throughput: 16 and 256 requests in flight, and what a request costs the server.
 */
import { Client, prepare, type Prepared } from "../client.ts";
import { META } from "../envelope.ts";
import { quantile, type Figures } from "../figures.ts";
import type { Era } from "../http/modes.ts";
import { cpuMs, memory, onOneCore } from "../process.ts";
import type { Target } from "../target.ts";
import { ECHO, echoCall, KIB, MIB, succeeded, textOf, type Suite } from "./suite.ts";

/** Sessions do not exist on stdio: a process has one client. */
type EraOnStdio = Exclude<Era, "stateless">;

interface Request {
  label: string;
  method: string;
  /** Bytes to be sent back, for calls of the tool. */
  echo?: number;
}

const REQUESTS: readonly Request[] = [
  { label: "ping", method: "ping" },
  { label: "list", method: "tools/list" },
  { label: "echo 64B", method: "tools/call", echo: 64 },
  { label: "echo 4KiB", method: "tools/call", echo: 4 * KIB },
  { label: "echo 1MiB", method: "tools/call", echo: MIB },
];

const DEPTHS = [16, 256];

/** Those that mean the same for this target as for others. The modern era has no ping. */
const requestsFor = ({ own }: Target, era: EraOnStdio): Request[] =>
  REQUESTS.filter(({ method }) => !(era === "modern" && method === "ping") && !(own === true && method === "tools/list"));

const paramsOf = (era: EraOnStdio, call: object = {}): object => (era === "modern" ? { ...call, _meta: META } : call);

/** The request, ready to be sent many times. Throws unless the answer to a first one is right; `own`: an echo that says more. */
async function checked(client: Client, { method, echo }: Request, era: EraOnStdio, own = false): Promise<Prepared> {
  const call = echo === undefined ? undefined : echoCall(echo);
  const request = prepare(method, paramsOf(era, call));
  const answer = succeeded(await client.request(request));
  if (call !== undefined) {
    const text = textOf(answer);
    const { message } = call.arguments;
    if (own ? !text.includes(message) : text !== message) throw new Error("the echo is not the message");
  }
  if (method === "tools/list" && answer.result?.tools?.length !== 10) throw new Error("tools/list does not list the ten tools");
  return request;
}

/** Figures that one measurement gives, in the order of their values. */
interface Part {
  names: readonly string[];
  measure(client: Client, prepared: Prepared, quick: boolean): Promise<readonly number[]>;
}

const latencyOf = ({ label }: Request): Part[] => [
  {
    names: [`${label} p50 us`, `${label} p99 us`, `${label} server cpu us`],
    async measure(client, prepared, quick) {
      let values: number[] = [];
      const ms = quick ? 200 : 350;
      await onOneCore([client.pid, process.pid], async () => {
        await client.flood(prepared, { ms: ms / 3 });
        const before = cpuMs(client.pid);
        const { answers, times } = await client.flood(prepared, { ms });
        values = [quantile(times, 0.5), quantile(times, 0.99), (cpuMs(client.pid) - before) / answers].map((value) => value * 1000);
      });
      return values;
    },
  },
];

const throughputOf = ({ label, echo }: Request): Part[] =>
  (echo === MIB ? [16] : DEPTHS).map((depth) => ({
    names: [`${label} x${depth} rps`, `${label} x${depth} server cpu us`],
    async measure(client, prepared, quick) {
      const ms = quick ? 220 : 300;
      await client.flood(prepared, { depth, ms: ms / 2 });
      const before = cpuMs(client.pid);
      const flood = await client.flood(prepared, { depth, ms });
      return [(flood.answers / flood.ms) * 1000, ((cpuMs(client.pid) - before) / flood.answers) * 1000];
    },
  }));

/** Lets the compiler settle, then measures each request of which a figure is wanted. */
const suite = (era: EraOnStdio, about: string, partsOf: (request: Request) => Part[], rounds: number): Suite => ({
  about: `${about}${era === "modern" ? "; each request carries its revision" : ""}`,
  kinds: ECHO,
  ...{ era, rounds, quickRounds: 3 },
  measure: (target, { quick, wanted }) =>
    Client.with(
      target,
      async (client) => {
        const figures: Figures = {};
        await client.flood(prepare("tools/call", paramsOf(era, echoCall(64))), { depth: 16, ms: quick ? 300 : 600 });
        for (const request of requestsFor(target, era))
          for (const { names, measure } of partsOf(request).filter((part) => part.names.some(wanted))) {
            const values = await measure(client, await checked(client, request, era, target.own), quick);
            for (const [at, name] of names.entries()) figures[name] = values[at] ?? NaN;
          }
        return { ...figures, "peak MiB after stdio": memory(client.pid).peak };
      },
      era === "modern",
    ),
});

const LATENCY = "one request at a time, client and server on one core";
const THROUGHPUT = "throughput with 16 and 256 requests in flight";

export const latency = suite("stateful", LATENCY, latencyOf, 5);
export const stdio = suite("stateful", THROUGHPUT, throughputOf, 7);
export const stdioModern = suite("modern", THROUGHPUT, throughputOf, 7);
