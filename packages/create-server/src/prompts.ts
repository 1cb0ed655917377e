// Prompts at a terminal for arguments that the command line lacks.
import { createInterface } from "node:readline/promises";
import type { Arguments } from "./arguments.ts";
import { CommandError } from "./command-error.ts";
import { DEFAULT_NAME, parseParts, resolveOptions } from "./options.ts";
import { PARTS } from "./template-parts.ts";

/** Prompts for nothing with `--yes`. An invalid answer is explained and prompted for again; the end of input is an error. */
export async function promptForMissing(given: Arguments, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<Arguments> {
  if (given.yes === true) return given;
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  const prompt = async (question: string, defaultAnswer: string, validate: (answer: string) => unknown): Promise<string> => {
    for (;;) {
      const answer = (await lines.question(`${question} (${defaultAnswer}): `, { signal: ended.signal })).trim() || defaultAnswer;
      try {
        validate(answer);
        return answer;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        output.write(`${error.message}\n`);
      }
    }
  };
  const validateName = (name: string): unknown => resolveOptions({ name }, { servers: [], cwd: process.cwd() });
  try {
    const name = given.name ?? (await prompt("Name of the server", DEFAULT_NAME, validateName));
    if (given.from !== undefined || given.parts !== undefined) return { ...given, name };
    return { ...given, name, parts: await prompt("Parts to begin with", PARTS.join(","), parseParts) };
  } catch (error) {
    if (ended.signal.aborted) throw new CommandError(2, "Nothing was written: the prompts were not answered.");
    throw error;
  } finally {
    lines.close();
  }
}
