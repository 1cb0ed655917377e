// The questions that a person at a terminal is asked for what the command line left open.
import { createInterface } from "node:readline/promises";
import type { Arguments } from "./arguments.ts";
import { DEFAULT_NAME, orderOf, partsOf } from "./order.ts";
import { PARTS } from "./parts.ts";
import { Refusal } from "./refusal.ts";

/** Asks nothing with --yes. An answer that cannot be meant is told so and asked for again; the end of input ends it all. */
export async function completed(given: Arguments, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<Arguments> {
  if (given.yes === true) return given;
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  try {
    const ask = async (question: string, preset: string, check: (answer: string) => unknown): Promise<string> => {
      for (;;) {
        const answer = (await lines.question(`${question} (${preset}): `, { signal: ended.signal })).trim() || preset;
        try {
          check(answer);
          return answer;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          output.write(`${error.message}\n`);
        }
      }
    };
    const name =
      given.name ??
      (await ask("Name of the server", DEFAULT_NAME, (answer) => orderOf({ name: answer }, { servers: [], cwd: process.cwd() })));
    if (given.from !== undefined || given.parts !== undefined) return { ...given, name };
    return { ...given, name, parts: await ask("Parts to begin with", PARTS.join(","), partsOf) };
  } catch (error) {
    if (ended.signal.aborted) throw new Refusal(2, "Nothing was written: the questions were not answered");
    throw error;
  } finally {
    lines.close();
  }
}
