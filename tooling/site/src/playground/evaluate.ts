// Runs the code of the editor: removes its types, gives it the modules of the page, and returns the function that it exports.
import * as serverKit from "@oarlock/server-kit";
import { toFetch, type HttpOptions } from "@oarlock/server-kit/fetch";
import type { Server } from "@oarlock/server-kit";
import { transform } from "sucrase";
import * as z from "zod";
import * as timers from "./platform/timers-promises.ts";

export type FetchHandler = (request: Request) => Promise<Response>;

type Log = NonNullable<HttpOptions["log"]>;

/** Evaluates a module. Throws an error with a message for the user. */
export async function evaluate(code: string, log: Log): Promise<FetchHandler> {
  const run = compile(code);
  const exports: { default?: unknown } = {};
  try {
    await run(exports, (name: string) => moduleNamed(name, log));
  } catch (error) {
    throw new Error(`The code has thrown ${String(error)}${lineOf(error)}`, { cause: error });
  }
  const handler = isObject(exports.default) ? exports.default["fetch"] : exports.default;
  if (typeof handler !== "function")
    throw new Error("The code exports no server: expected export default { fetch: toFetch(server) }. Add it as the last line.");
  return handler as FetchHandler; // the user's function: what it returns is checked where it is used
}

type CompiledModule = (exports: object, require: (name: string) => unknown) => Promise<void>;

// No literal names this constructor.
const AsyncFunction = (async () => undefined).constructor as new (...args: string[]) => CompiledModule;

function compile(code: string): CompiledModule {
  try {
    const { code: plain } = transform(code, { transforms: ["typescript", "imports"], disableESTransforms: true });
    return new AsyncFunction("exports", "require", plain);
  } catch (error) {
    throw new Error(`Syntax error: ${messageOf(error)}`, { cause: error });
  }
}

/** Without the prefix of the compiler, which names a file that does not exist. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Error transforming \S+: /, "").replace(/ \((\d+):(\d+)\)$/, " in line $1, column $2");
}

/** The lines that the function constructor puts before the code. */
const PREAMBLE_LINES = 2;

/** The line of the code that has thrown, where the browser names it. */
function lineOf(error: unknown): string {
  const [, line] = (error instanceof Error && /<anonymous>:(\d+):\d+\)?$/m.exec(error.stack ?? "")) || [];
  return line === undefined ? "" : ` in line ${Number(line) - PREAMBLE_LINES}`;
}

/** What `require` gives to compiled imports. */
function moduleNamed(name: string, log: Log): object {
  const modules: Readonly<Record<string, object>> = {
    "@oarlock/server-kit": serverKit,
    "@oarlock/server-kit/fetch": { toFetch: (server: Server, options?: HttpOptions) => toFetch(server, { log, ...options }) },
    zod: z,
    "node:timers/promises": timers,
  };
  const found = modules[name];
  if (found === undefined)
    throw new TypeError(`Module ${name} is not available in this page: expected one of ${Object.keys(modules).join(", ")}.`);
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
