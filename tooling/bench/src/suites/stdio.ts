/** Throughput with 16 and 256 requests in flight, and what a request costs the server. */
import { Client } from "../client.ts";
import type { Figures } from "../figures.ts";
import { cpuMs, memory } from "../process.ts";
import { checked, REQUESTS, warmUp } from "./requests.ts";
import { ECHO, MIB, type Suite } from "./suite.ts";

const DEPTHS = [16, 256];

export const stdio: Suite = {
  about: "throughput with 16 and 256 requests in flight",
  kinds: ECHO,
  rounds: 7,
  quickRounds: 3,
  measure: ({ command }, { quick, wanted }) =>
    Client.with(command, async (client) => {
      const figures: Figures = {};
      const ms = quick ? 220 : 300;
      await warmUp(client, quick ? 300 : 600);
      for (const request of REQUESTS) {
        for (const depth of request.echo === MIB ? [16] : DEPTHS) {
          const [rps, cpu] = [`${request.label} x${depth} rps`, `${request.label} x${depth} server cpu us`] as const;
          if (![rps, cpu].some(wanted)) continue;
          const prepared = await checked(client, request);
          await client.flood(prepared, { depth, ms: ms / 2 });
          const before = cpuMs(client.pid);
          const flood = await client.flood(prepared, { depth, ms });
          figures[rps] = (flood.answers / flood.ms) * 1000;
          figures[cpu] = ((cpuMs(client.pid) - before) / flood.answers) * 1000;
        }
      }
      figures["peak MiB after stdio"] = memory(client.pid).peak;
      return figures;
    }),
};
