// The server that all runtimes serve, by its default export: Bun and Deno listen for it as they are told, workerd by workerd.capnp.
import { defineServer, tool } from "@oarlock/server-kit";
import { toFetch } from "@oarlock/server-kit/fetch";
import { z } from "zod";

let cancelled = 0;

/** Resolves after the time, or when the call is cancelled. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      cancelled++;
      resolve();
    });
  });

const tools = [
  tool({ name: "echo", input: z.object({ text: z.string() }), run: ({ text }) => text }),
  tool({
    name: "wait",
    input: z.object({ ms: z.int(), steps: z.int() }),
    async run({ ms, steps }, ctx) {
      for (let step = 1; step <= steps && !ctx.signal.aborted; step++) {
        ctx.progress(step, steps);
        await pause(ms / steps, ctx.signal);
      }
      return "waited";
    },
  }),
  tool({ name: "cancelled", run: () => String(cancelled) }),
];

const handle = toFetch(defineServer({ name: "runtimes", version: "1.0.0", tools }));

export default { fetch: (request: Request): Promise<Response> => handle(request) };
