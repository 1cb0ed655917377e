/** The kit's echo server: the ten tools of the peers. */
import { defineServer, fromJsonSchema, tool } from "@oarlock/server-kit";
import { tools as listed } from "./tools.js";

type Arguments = Record<string, unknown>;

interface Work {
  check(args: Arguments): string | undefined;
  run(args: Arguments): string;
}

const works: Record<string, Work> = {
  echo: {
    check: ({ message }) => (typeof message === "string" ? undefined : "message: expected a string"),
    run: ({ message }) => String(message),
  },
  add: {
    check: ({ a, b }) => (typeof a === "number" && typeof b === "number" ? undefined : "a, b: expected numbers"),
    run: ({ a, b }) => String(Number(a) + Number(b)),
  },
};

/** Tools that are listed but never called by the bench. */
const filler: Work = {
  check: ({ path }) => (typeof path === "string" ? undefined : "path: expected a string"),
  run: () => "ok",
};

// The bench calls far more often than any host does.
const limits = { callsPerSecond: Number.MAX_SAFE_INTEGER };

/** With `progress` a tool tells of some before its result, which is when the kit answers a request without a session with events. */
export function echoServer({ progress = false } = {}) {
  const tools = listed.map(({ name, description, inputSchema }) => {
    const { check, run } = works[name] ?? filler;
    const input = fromJsonSchema<Arguments>(inputSchema, check);
    if (!progress) return tool({ name, description, input, run });
    return tool({
      name,
      description,
      input,
      run(args, context) {
        context.progress(1, 1);
        return run(args);
      },
    });
  });
  return defineServer({ name: "bench", version: "1.0.0", tools, limits });
}
