// Defines tools. https://modelcontextprotocol.io/specification/2026-07-28/server/tools
import { isExposed, McpError, ToolError } from "../../protocol/errors.ts";
import type { CallToolResult, Icon, Meta, TextBlock, Tool } from "../../protocol/types.ts";
import { INVALID_PARAMS, isObject, type Json } from "../../wire/json-rpc.ts";
import { ArgumentNames, type UnknownArguments } from "./argument-names.ts";
import { chain, type Awaitable } from "../awaitable.ts";
import { checkFunction, checkText } from "../checked-function.ts";
import {
  EncodedJson,
  isContent,
  isContentAndStructured,
  json,
  renameAdvice,
  REPLY_MEMBERS,
  text as textBlock,
  toResult,
  type ToolReturn,
} from "../content.ts";
import type { InteractiveContext } from "../context.ts";
import { headerParameters, type HeaderParameter } from "../schema/header-parameters.ts";
import { publish, type PublishOptions } from "../schema/json-schema.ts";
import { checkedMeta } from "../schema/meta-keys.ts";
import { checkAdditions, type ToolAddition } from "./tool-additions.ts";
import { describeIssues, truncate, type InferInput, type InferOutput, type Lazy, type Schema, type Validated } from "../schema/schema.ts";
import { isLazy, lazily } from "../schema/checked-schema.ts";

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
  /** Schema of the arguments, an object. Default: no arguments. A function is called at the first list or call. */
  input?: Lazy<I>;
  /** Schema of the structured result; what `run` returns is checked against it. */
  output?: Lazy<O>;
  hints?: ToolHints;
  icons?: Icon[];
  meta?: Meta;
  /** The group of tools that an operator switches on or off together. Default: `default`. */
  toolset?: string;
  /** What extensions of the server have to know of the tool, each made by a function of the extension. Default: nothing. */
  extensions?: readonly ToolAddition[];
  /** False publishes the schemas as they are, even where hosts are known to refuse them. Default true. */
  strictHosts?: boolean;
  /** Runs the tool. Throw a {@link ToolError} for a failure that the model should read. */
  run(input: InferOutput<I>, ctx: InteractiveContext): Awaitable<ToolReturn<InferInput<O>>>;
}

/** A tool, ready to be put into a server. */
export interface ToolDefinition {
  readonly name: string;
  readonly toolset: string;
  readonly hints: Readonly<ToolHints>;
  readonly extensions: readonly ToolAddition[];
  /** Arguments that clients repeat in HTTP headers. */
  headers(): readonly HeaderParameter[];
  /** The list entry, in the newest revision's shape. */
  listing(): Tool;
  call(args: Json, ctx: InteractiveContext): Awaitable<CallToolResult>;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const NO_ARGUMENTS = { type: "object", properties: {}, additionalProperties: false } as const;

/**
 * Defines a tool. Throws a TypeError when hosts would refuse its name or schemas.
 * @example
 * const shout = tool({
 *   name: "shout",
 *   description: "Say it loudly.",
 *   input: z.object({ phrase: z.string() }),
 *   run: ({ phrase }) => phrase.toUpperCase(),
 * });
 */
export function tool<I extends Schema = Schema<Json>, O extends Schema = never>(spec: ToolSpec<I, O>): ToolDefinition {
  const { name, hints = {}, strictHosts = true, extensions = [] } = spec;
  checkText(name, "tool", "name");
  if (!NAME.test(name)) throw new TypeError(`Tool name "${truncate(name)}" is invalid: expected 1 to 128 of A-Z a-z 0-9 _ - .`);
  const owner = `tool "${name}"`;
  checkFunction(spec.run, owner, "run");
  checkAdditions(extensions, owner);
  const input = lazily(spec.input, owner);
  const output = lazily(spec.output, `${owner}, output`);
  const listing = memoized(() => describe(spec, input(), output(), { owner, strictHosts }));
  const headers = memoized(() => headerParameters(listing().inputSchema, owner));
  const argumentNames = memoized(() => new ArgumentNames(listing().inputSchema));
  // Schemas that are given now are checked now.
  if (!isLazy(spec.input) && !isLazy(spec.output)) headers();

  const parse = (args: Json, unknown: readonly string[]): Awaitable<unknown> => {
    const schema = input();
    return schema === undefined ? args : chain(schema["~standard"].validate(args), (checked) => validArguments(name, checked, unknown));
  };
  const finish = (returned: unknown): Awaitable<CallToolResult> => {
    const schema = output();
    if (schema === undefined) return toResult(returned, owner);
    const parts = isContentAndStructured(returned) ? returned : undefined;
    if (parts?.isError === true || parts?.structured instanceof EncodedJson) return toResult(parts, owner);
    return chain(schema["~standard"].validate(parts === undefined ? returned : parts.structured), (checked) => {
      const structured = validOutput(owner, checked, returned);
      return parts === undefined
        ? { content: [jsonText(owner, structured)], structuredContent: structured }
        : toResult({ ...parts, structured }, owner);
    });
  };
  // The schema has checked the arguments, so they are its output.
  const run = (args: Json, ctx: InteractiveContext, unknown: readonly string[]): Awaitable<CallToolResult> =>
    chain(parse(args, unknown), (value) => chain<unknown, CallToolResult>(spec.run(value as InferOutput<I>, ctx), finish));
  return {
    name,
    hints,
    toolset: spec.toolset ?? "default",
    extensions,
    headers,
    listing,
    call(given, ctx) {
      const { args, unknown } = argumentNames().read(given);
      const { respelled, ignored } = unknown;
      if (respelled.length === 0 && ignored.length === 0) return run(args, ctx, []);
      return withWarning(unknown, () => run(args, ctx, [...respelled, ...ignored]));
    },
  };
}

/** Adds a text block about unknown arguments to the result, or their description to the message of an error. */
async function withWarning({ respelled, ignored }: UnknownArguments, run: () => Awaitable<CallToolResult>): Promise<CallToolResult> {
  const warning = [...respelled, ...ignored.map((sentence) => `${sentence} It was ignored.`)].join("\n");
  try {
    const result = await run();
    return { ...result, content: [...result.content, textBlock(warning)] };
  } catch (error) {
    throw isExposed(error) ? new ToolError(`${error.message}\n${warning}`) : error;
  }
}

function memoized<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
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
    inputSchema: input === undefined ? NO_ARGUMENTS : closedIfEmpty(publish(input, "input", options)),
    ...(output !== undefined && { outputSchema: outputSchema(output, { ...options, owner: `${options.owner}, output` }) }),
    ...(hints !== undefined && { annotations: annotations(hints) }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: checkedMeta(meta, options.owner) }),
  };
}

/** Refuses an output whose values would be taken for the parts of a reply. */
function outputSchema(output: Schema, options: PublishOptions): Json {
  const schema = publish(output, "output", options);
  const { properties } = schema;
  const clash = isObject(properties) && "content" in properties ? REPLY_MEMBERS.find((member) => member in properties) : undefined;
  if (clash === undefined) return schema;
  throw new TypeError(`${options.owner}: "content" beside "${clash}" stands for the parts of a reply. Rename one of these members.`);
}

/** A schema without arguments is closed, as hosts of some models refuse an open object without properties. */
function closedIfEmpty(schema: Json): Json {
  const isEmpty = isObject(schema.properties) && Object.keys(schema.properties).length === 0;
  return isEmpty && schema.additionalProperties === undefined ? { ...schema, additionalProperties: false } : schema;
}

const annotations = (hints: ToolHints): Json => Object.fromEntries(Object.entries(hints).map(([hint, value]) => [`${hint}Hint`, value]));

function validArguments(name: string, checked: Validated<unknown>, unknown: readonly string[]): unknown {
  if (checked.issues === undefined) return checked.value;
  const lines = [`Invalid arguments for ${name}:`, describeIssues(checked.issues), ...unknown];
  throw new McpError(INVALID_PARAMS, lines.join("\n"), undefined, "arguments");
}

function validOutput(owner: string, checked: Validated<unknown>, returned: unknown): unknown {
  if (checked.issues === undefined) return checked.value;
  const advice = isContent(returned) ? ". For content beside the declared output, return { content, structured }." : renameAdvice(returned);
  throw new TypeError(`${owner} returned a value that its output schema refuses: ${describeIssues(checked.issues)}${advice}`);
}

/** A checked value as text. Schemas let pass what JSON cannot hold, such as a big integer in a member of any type. */
function jsonText(owner: string, structured: unknown): TextBlock {
  try {
    return json(structured);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${owner} returned a value that JSON cannot hold: ${reason}`, { cause: error });
  }
}
