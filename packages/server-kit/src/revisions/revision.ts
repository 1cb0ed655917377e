// Revision: encodes and decodes the messages of one protocol revision. Features use the newest revision only; each older one is built
// (folded) from the newest and a chain of steps, each of which states what changes when going one revision back.
import { INTERNAL_ERROR, isObject, type ErrorObject, type Json } from "../wire/json-rpc.ts";
import type { Failure } from "../protocol/errors.ts";
import { chain, each, inside, type Shape } from "./reshape.ts";

/** The parts of messages in which revisions differ; `fold` knows which messages contain them. */
export type Part =
  | "tool"
  | "callResult"
  | "block"
  | "resource"
  | "template"
  | "contents"
  | "prompt"
  | "initialize"
  | "cacheable"
  | "progress"
  | "elicit"
  | "sample";

/** Differences in behaviour, so that the rest of the kit never compares dates. */
export interface Facts {
  /** `handshake`: `initialize` opens a session. `stateless`: each request carries an envelope. */
  era: "handshake" | "stateless";
  /** Arrays of messages are accepted. */
  batch: boolean;
  /** Invalid tool arguments become an `isError` result, which the model reads, or a protocol error. */
  argumentErrors: "result" | "error";
  elicit: boolean;
  elicitUrl: boolean;
  /** Sampling requests may contain tools, and clients declare whether they support `includeContext`. */
  sampleTools: boolean;
  /** Tasks are an experimental part of the revision itself, not an extension. */
  coreTasks: boolean;
  /** Event streams over HTTP begin with a priming event: an id without data, from which a client can resume. */
  primingEvent: boolean;
}

export interface Step {
  id: string;
  facts?: Partial<Facts>;
  /** Client requests that this revision adds to those of the next newer one, or drops. */
  methods?: { add?: readonly string[]; drop?: readonly string[] };
  /** Converts a part from the shape of the next newer revision to the shape of this one. */
  down?: Partial<Record<Part, Shape>>;
  /** Converts the params of a method from the shape of this revision to the shape of the next newer one. */
  up?: Record<string, Shape>;
  failure?: (failure: Failure) => Failure;
}

/** Adds the members that every result of the revision has. */
export type Stamp = (result: Json, serverInfo: object) => Json;

/** One published revision: its methods, and the conversion from and to the newest revision. */
export interface Revision {
  /** Undefined when results have no common members. */
  readonly stamp?: Stamp;
  readonly id: string;
  readonly facts: Facts;
  /** The methods that clients of this revision may call. */
  readonly methods: ReadonlySet<string>;
  /** Converts the params of a client to the newest shape. */
  decodeParams(method: string, params: Json): Json;
  /** Converts a result to the shape of this revision. */
  encodeResult(method: string, result: Json): Json;
  /** Converts the params of an outgoing notification or request to the shape of this revision. */
  encodeParams(method: string, params: Json): Json;
  /** Converts a failure to an error, or (for tools) to a result that the model reads. */
  encodeFailure(method: string, failure: Failure): { error: ErrorObject } | { result: Json };
}

export interface Base extends Step {
  facts: Facts;
  stamp: Stamp;
  methods: { add: readonly string[] };
}

/** Folds the newest revision and the steps back from it into flat tables; done once per revision. */
export function fold(base: Base, steps: readonly Step[]): Revision {
  const all: readonly Step[] = [base, ...steps];
  const facts = Object.assign({}, ...all.map((step) => step.facts ?? {})) as Facts; // base has every fact
  const methods = new Set<string>();
  for (const step of all) {
    for (const method of step.methods?.add ?? []) methods.add(method);
    for (const method of step.methods?.drop ?? []) methods.delete(method);
  }
  const part = (name: Part): Shape | undefined => chain(...all.map((step) => step.down?.[name]));
  const results = resultShapes(part);
  const outgoing = outgoingShapes(part);
  const up = new Map<string, Shape>();
  for (const step of all) {
    // The shape of the oldest step runs first, on the params as the client sent them.
    for (const [method, shape] of Object.entries(step.up ?? {})) {
      const newer = up.get(method);
      up.set(method, newer === undefined ? shape : (params) => newer(shape(params)));
    }
  }
  const failures = all.flatMap((step) => step.failure ?? []);
  return {
    ...(steps.length === 0 && { stamp: base.stamp }),
    id: (all.at(-1) ?? base).id,
    facts,
    methods,
    decodeParams: (method, params) => up.get(method)?.(params) ?? params,
    encodeResult: (method, result) => results.get(method)?.(result) ?? result,
    encodeParams: (method, params) => outgoing.get(method)?.(params) ?? params,
    encodeFailure: (method, failure) =>
      encodeFailure(
        method,
        failures.reduce((current, change) => change(current), failure),
        facts,
      ),
  };
}

function resultShapes(part: (name: Part) => Shape | undefined): Map<string, Shape> {
  const cacheable = part("cacheable");
  const list = (key: string, name: Part): Shape | undefined => {
    const shape = part(name);
    return chain(shape && each(key, shape), cacheable);
  };
  const block = part("block");
  const shapes: [string, Shape | undefined][] = [
    ["initialize", part("initialize")],
    ["tools/list", list("tools", "tool")],
    ["tools/call", chain(block && each("content", block), part("callResult"))],
    ["resources/list", list("resources", "resource")],
    ["resources/templates/list", list("resourceTemplates", "template")],
    ["resources/read", list("contents", "contents")],
    ["prompts/list", list("prompts", "prompt")],
    ["prompts/get", block && each("messages", inside("content", block))],
  ];
  return new Map(shapes.filter((entry): entry is [string, Shape] => entry[1] !== undefined));
}

function outgoingShapes(part: (name: Part) => Shape | undefined): Map<string, Shape> {
  const shapes: [string, Shape | undefined][] = [
    ["notifications/progress", part("progress")],
    ["elicitation/create", part("elicit")],
    ["sampling/createMessage", part("sample")],
  ];
  return new Map(shapes.filter((entry): entry is [string, Shape] => entry[1] !== undefined));
}

function encodeFailure(method: string, failure: Failure, facts: Facts): { error: ErrorObject } | { result: Json } {
  const { kind, code, message, data } = failure;
  if (method === "tools/call" && (kind === "tool" || (kind === "arguments" && facts.argumentErrors === "result"))) {
    return { result: { content: [{ type: "text", text: message }], isError: true } };
  }
  const error: ErrorObject = { code: kind === "tool" ? INTERNAL_ERROR : code, message };
  if (data !== undefined) error.data = data;
  return { error };
}

/** Whether the root of a JSON Schema is an object. */
export const describesObject = (schema: unknown): boolean => isObject(schema) && schema.type === "object";
