/** Throughput with 16 and 256 requests in flight, and what a request costs the server. */
import { Client } from "../client.ts";
import type { Figures } from "../figures.ts";
import { cpuMs, memory } from "../process.ts";
import { checked, requestsFor, warmUp, type EraOnStdio } from "./requests.ts";
import { ECHO, MIB, type Suite } from "./suite.ts";

const DEPTHS = [16, 256];

const inEra = (era: EraOnStdio, words: string): Suite => ({
  about: `throughput with 16 and 256 requests in flight${words}`,
  kinds: ECHO,
  era,
  rounds: 7,
  quickRounds: 3,
  measure: (target, { quick, wanted }) =>
    Client.with(
      target,
      async (client) => {
        const figures: Figures = {};
        const ms = quick ? 220 : 300;
        await warmUp(client, era, quick ? 300 : 600);
        for (const request of requestsFor(target, era)) {
          for (const depth of request.echo === MIB ? [16] : DEPTHS) {
            const [rps, cpu] = [`${request.label} x${depth} rps`, `${request.label} x${depth} server cpu us`] as const;
            if (![rps, cpu].some(wanted)) continue;
            const prepared = await checked(client, request, target.own);
            await client.flood(prepared, { depth, ms: ms / 2 });
            const before = cpuMs(client.pid);
            const flood = await client.flood(prepared, { depth, ms });
            figures[rps] = (flood.answers / flood.ms) * 1000;
            figures[cpu] = ((cpuMs(client.pid) - before) / flood.answers) * 1000;
          }
        }
        figures["peak MiB after stdio"] = memory(client.pid).peak;
        return figures;
      },
      era === "modern",
    ),
});

export const stdio = inEra("stateful", "");
export const stdioModern = inEra("modern", "; each request carries its revision");
