/** Whether memory grows with the number of calls. */
import { Client, prepare } from "../client.ts";
import { memory } from "../process.ts";
import { ECHO, echoCall, sleep, type Suite } from "./suite.ts";

/** Long enough for the garbage collector to give memory back. */
const REST_MS = 300;

export const growth: Suite = {
  about: "memory over 200,000 calls (quick: 40,000)",
  kinds: ECHO,
  era: "stateful",
  rounds: 3,
  quickRounds: 1,
  measure: (target, { quick }) =>
    Client.with(target, async (client) => {
      const calls = quick ? 40_000 : 200_000;
      const request = prepare("tools/call", echoCall(64));
      await client.flood(request, { depth: 64, most: calls / 10 });
      await sleep(REST_MS);
      const warm = memory(client.pid);
      await client.flood(request, { depth: 64, most: calls });
      await sleep(REST_MS);
      const { now, peak } = memory(client.pid);
      return { "RSS warm MiB": warm.now, "RSS after all MiB": now, "growth MiB": now - warm.now, "peak MiB": peak };
    }),
};
