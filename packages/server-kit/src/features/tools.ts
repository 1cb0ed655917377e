// Tools: define, list, call. https://modelcontextprotocol.io/specification/2026-07-28/server/tools
import { INVALID_PARAMS, isObject, type Json } from "../wire/json-rpc.ts";
import { invalidParams, isExposed, McpError, Suspended, maskError, type Report } from "../protocol/errors.ts";
import type { CallToolResult, Icon, Meta, Tool } from "../protocol/types.ts";
import { after, isPromise, type Awaitable } from "./after.ts";
import { checkedMeta } from "./meta-keys.ts";
import { answered, type Asked } from "./asked.ts";
import type { InteractiveContext } from "./context.ts";
import { headerParameters, type HeaderParameter } from "./header-parameters.ts";
import { blocksOf, EncodedJson, isBoth, json, toResult, type ToolReturn } from "./content.ts";
import { checkOf } from "./costly-values.ts";
import { publish, type PublishOptions } from "./json-schema.ts";
import { truncate, describeIssues, once, type Checked, type InferInput, type InferOutput, type Lazy, type Schema } from "./schema.ts";

/** Hints for the client's user interface; a client may not trust them. Unset means: may write, may destroy, open world. */
export interface ToolHints {
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  openWorld?: boolean;
}

/** A tool as its author writes it. https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
export interface ToolSpec<I extends Schema, O extends Schema> {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .`, unique in the server. */
  name: string;
  title?: string;
  description?: string;
  /** Schema of the arguments, an object. Left out: no arguments. Given late, it is checked at the first list or call. */
  input?: Lazy<I>;
  /** Schema of the structured result; what `run` returns is checked against it. */
  output?: Lazy<O>;
  hints?: ToolHints;
  icons?: Icon[];
  meta?: Meta;
  /** The group that `--toolsets` names; default `default`. */
  toolset?: string;
  /** False publishes the schemas untouched, whatever hosts make of them. Default true. */
  strictHosts?: boolean;
  run(input: InferOutput<I>, ctx: InteractiveContext): Awaitable<ToolReturn<InferInput<O>> | Asked>;
}

/** A tool, ready to be put into a server. */
export interface ToolDefinition {
  readonly name: string;
  readonly toolset: string;
  readonly hints: Readonly<ToolHints>;
  /** Arguments that clients repeat in HTTP headers. */
  headers(): readonly HeaderParameter[];
  /** The list entry, in the newest revision's shape. */
  listing(): Tool;
  call(args: Json, ctx: InteractiveContext): Awaitable<CallToolResult>;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const NO_ARGUMENTS = { type: "object", properties: {} } as const;

/**
 * Defines a tool. Throws when the name or the schemas would be refused by hosts.
 * @example
 * const shout = tool({
 *   name: "shout",
 *   description: "Say it loudly.",
 *   input: z.object({ phrase: z.string() }),
 *   run: ({ phrase }) => phrase.toUpperCase(),
 * });
 */
export function tool<I extends Schema = Schema<Json>, O extends Schema = never>(spec: ToolSpec<I, O>): ToolDefinition {
  const { name, hints = {}, strictHosts = true } = spec;
  if (!NAME.test(name)) throw new TypeError(`tool name "${truncate(name)}": expected 1 to 128 of A-Z a-z 0-9 _ - .`);
  const owner = `tool "${name}"`;
  const input = once(spec.input);
  const output = once(spec.output);
  let listed: Tool | undefined;
  const listing = (): Tool => (listed ??= describe(spec, input(), output(), { owner, strictHosts }));
  let marked: readonly HeaderParameter[] | undefined;
  const headers = (): readonly HeaderParameter[] => (marked ??= headerParameters(listing().inputSchema, owner));
  // A schema that no host would take is refused here and now, unless it is to come late.
  if (typeof spec.input !== "function" && typeof spec.output !== "function") headers();

  let checkInput: ReturnType<typeof checkOf> | undefined;
  let checkOutput: ReturnType<typeof checkOf> | undefined;
  const finish = (returned: unknown): Awaitable<CallToolResult> => {
    const schema = output();
    if (schema === undefined) return toResult(returned, owner);
    checkOutput ??= checkOf(schema, listing().outputSchema ?? {});
    const both = isBoth(returned) ? returned : undefined;
    if (both?.isError === true || both?.structured instanceof EncodedJson) return toResult(both, owner);
    return after(checkOutput(both === undefined ? returned : both.structured), (checked) => {
      const structuredContent = conforming(owner, checked);
      return { content: both === undefined ? [json(structuredContent)] : blocksOf(both.content), structuredContent };
    });
  };
  const run = (value: unknown, ctx: InteractiveContext): Awaitable<CallToolResult> =>
    after(
      answered<unknown>(() => spec.run(value as InferOutput<I>, ctx), ctx),
      finish,
    ); // the schema has checked the value
  return {
    name,
    hints,
    toolset: spec.toolset ?? "default",
    headers,
    listing,
    call(args, ctx) {
      const schema = input();
      if (schema === undefined) return run(args, ctx);
      checkInput ??= checkOf(schema, listing().inputSchema);
      return after(checkInput(args), (checked) => run(fitting(name, checked), ctx));
    },
  };
}

function describe<I extends Schema, O extends Schema>(
  { name, title, description, hints, icons, meta }: ToolSpec<I, O>,
  input: I | undefined,
  output: O | undefined,
  options: PublishOptions,
): Tool {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: input === undefined ? NO_ARGUMENTS : publish(input, "input", options),
    ...(output !== undefined && { outputSchema: publish(output, "output", { ...options, owner: `${options.owner}, output` }) }),
    ...(hints !== undefined && { annotations: annotate(hints) }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: checkedMeta(meta, `tool "${name}"`) }),
  };
}

function annotate(hints: ToolHints): Json {
  const annotations: Json = {};
  for (const [hint, value] of Object.entries(hints)) annotations[`${hint}Hint`] = value;
  return annotations;
}

function fitting(name: string, checked: Checked<unknown>): unknown {
  if (checked.issues === undefined) return checked.value;
  throw new McpError(INVALID_PARAMS, `Invalid arguments for ${name}:\n${describeIssues(checked.issues)}`, undefined, "arguments");
}

function conforming(owner: string, checked: Checked<unknown>): unknown {
  if (checked.issues === undefined) return checked.value;
  throw new TypeError(`${owner} returned what its output schema refuses: ${describeIssues(checked.issues)}`);
}

/** `tools/call`: finds the tool, runs it, and turns what a tool may throw into a result that the model reads. */
export function callTool(
  find: (name: string) => ToolDefinition | undefined,
  params: Json,
  ctx: InteractiveContext,
  report: Report,
): Awaitable<CallToolResult> {
  const { name, arguments: args } = params;
  if (typeof name !== "string") throw invalidParams("name: expected a string");
  if (args !== undefined && !isObject(args)) throw invalidParams("arguments: expected an object");
  const found = find(name);
  if (found === undefined) throw invalidParams(`Unknown tool: ${truncate(name, 128)}`);
  try {
    const result = found.call(args ?? {}, ctx);
    return isPromise(result) ? Promise.resolve(result).catch((error: unknown) => failed(error, report)) : result;
  } catch (error) {
    return failed(error, report);
  }
}

function failed(error: unknown, report: Report): CallToolResult {
  if (error instanceof McpError || error instanceof Suspended) throw error;
  const message = isExposed(error) ? error.message : maskError(error, report);
  return { content: [{ type: "text", text: message }], isError: true };
}
