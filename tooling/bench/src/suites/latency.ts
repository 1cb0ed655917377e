/** One request at a time. Client and server share a core, since waking an idle one costs more than the request. */
import { Client } from "../client.ts";
import { quantile, type Figures } from "../figures.ts";
import { cpuMs, onOneCore } from "../process.ts";
import { checked, requestsFor, warmUp, type EraOnStdio } from "./requests.ts";
import { ECHO, type Suite } from "./suite.ts";

const inEra = (era: EraOnStdio, words: string): Suite => ({
  about: `one request at a time, client and server on one core${words}`,
  kinds: ECHO,
  era,
  rounds: 5,
  quickRounds: 3,
  measure: (target, { quick, wanted }) =>
    Client.with(
      target,
      async (client) => {
        const figures: Figures = {};
        const ms = quick ? 200 : 350;
        await warmUp(client, era, quick ? 300 : 600);
        for (const request of requestsFor(target, era)) {
          const [p50, p99, cpu] = [`${request.label} p50 us`, `${request.label} p99 us`, `${request.label} server cpu us`] as const;
          if (![p50, p99, cpu].some(wanted)) continue;
          const prepared = await checked(client, request, target.own);
          await onOneCore([client.pid, process.pid], async () => {
            await client.flood(prepared, { ms: ms / 3 });
            const before = cpuMs(client.pid);
            const { answers, times } = await client.flood(prepared, { ms });
            figures[p50] = quantile(times, 0.5) * 1000;
            figures[p99] = quantile(times, 0.99) * 1000;
            figures[cpu] = ((cpuMs(client.pid) - before) / answers) * 1000;
          });
        }
        return figures;
      },
      era === "modern",
    ),
});

export const latency = inEra("stateful", "");
export const latencyModern = inEra("modern", "; each request carries its revision");
