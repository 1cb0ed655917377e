// Answers what the server asks of the client: its folders, its person, its model.
// https://modelcontextprotocol.io/specification/2025-11-25/client
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isObject,
  McpError,
  METHOD_NOT_FOUND,
  wrongMessages,
  wrongResult,
  type ClientCapabilities,
  type ElicitResult,
  type Facts,
  type Json,
  type Root,
  type SampleRequest,
  type SampleResult,
} from "@oarlock/server-kit/protocol";
import { defaultsOf, misfit } from "./form-answer.ts";

/** A question by form; `defaults` is what its fields are pre-filled with. */
export interface FormQuestion {
  message: string;
  requestedSchema: Json;
  defaults: Json;
}

/** A question by page. Nothing may be fetched from `url` before the person agrees to open it. */
export interface UrlQuestion {
  message: string;
  url: string;
  elicitationId?: string;
}

type Maybe<T> = T | Promise<T>;
export type Roots = readonly Root[] | (() => Maybe<readonly Root[]>);

/** What the client can be asked. What is left out is not declared, and refused. To say no, sampling throws an `McpError` with code -1. */
export interface Handlers {
  roots?: Roots;
  elicit?(question: FormQuestion, signal: AbortSignal): Maybe<ElicitResult>;
  elicitUrl?(question: UrlQuestion, signal: AbortSignal): Maybe<{ action: ElicitResult["action"] }>;
  sample?(request: SampleRequest, signal: AbortSignal): Maybe<SampleResult>;
  /** The model behind `sample` can use tools. */
  sampleTools?: boolean;
}

/** The capabilities that follow from the handlers, in the words of a revision with these facts. */
export function capabilitiesOf(handlers: Handlers, facts: Facts): ClientCapabilities {
  const { roots, elicit, elicitUrl, sample, sampleTools } = handlers;
  const declared: ClientCapabilities = {};
  if (roots !== undefined) declared.roots = facts.era === "handshake" ? { listChanged: true } : {};
  if (sample !== undefined) declared.sampling = sampleTools === true && facts.sampleTools ? { tools: {} } : {};
  if (facts.elicitUrl && elicitUrl !== undefined) declared.elicitation = { url: {} };
  if (facts.elicit && elicit !== undefined) declared.elicitation = facts.elicitUrl ? { form: {}, ...declared.elicitation } : {};
  return declared;
}

/** Answers one question of the server; throws `McpError` where the answer is an error. */
export async function answer(handlers: Handlers, facts: Facts, method: string, params: Json, signal: AbortSignal): Promise<Json> {
  const { roots, elicit, elicitUrl, sample } = handlers;
  if (method === "roots/list" && roots !== undefined) {
    return { roots: checkedRoots(typeof roots === "function" ? await roots() : roots) };
  }
  if (method === "sampling/createMessage" && sample !== undefined) return sampled(handlers, facts, params, signal);
  if (method === "elicitation/create" && facts.elicit && (elicit ?? (facts.elicitUrl ? elicitUrl : undefined)) !== undefined) {
    // Without a mode it is a form.
    if (params.mode === undefined || params.mode === "form") return byForm(handlers, params, signal);
    if (params.mode === "url" && facts.elicitUrl) return byUrl(handlers, params, signal);
    throw invalid(`mode: this client was not declared to take ${JSON.stringify(params.mode)}`);
  }
  throw new McpError(METHOD_NOT_FOUND, "Method not found");
}

const invalid = (message: string): McpError => new McpError(INVALID_PARAMS, message);
const ours = (message: string): McpError => new McpError(INTERNAL_ERROR, message);

/** Throws on a root that is no `file://` URI. */
export function checkedRoots(roots: readonly Root[]): readonly Root[] {
  const wrong = roots.find(({ uri }) => !uri.startsWith("file://"));
  if (wrong !== undefined) throw new TypeError(`A root is a file:// URI; came ${wrong.uri}`);
  return roots;
}

async function sampled({ sample, sampleTools }: Handlers, facts: Facts, params: Json, signal: AbortSignal): Promise<Json> {
  const tooled = params.tools !== undefined || params.toolChoice !== undefined;
  if (tooled && (sampleTools !== true || !facts.sampleTools)) throw invalid("tools: this client did not declare sampling.tools");
  if (typeof params.maxTokens !== "number") throw invalid("maxTokens: expected a number");
  const wrong = wrongMessages(params.messages);
  if (wrong !== undefined) throw invalid(wrong);
  const result = { ...(await sample?.(params as unknown as SampleRequest, signal)) }; // messages and maxTokens are checked; the rest is the server's word
  const bad = wrongResult(result, !facts.sampleTools);
  if (bad !== undefined) throw ours(`The model's answer cannot be sent: ${bad}`);
  return result;
}

async function byForm({ elicit }: Handlers, params: Json, signal: AbortSignal): Promise<Json> {
  const { message, requestedSchema } = params;
  if (elicit === undefined) throw invalid("mode: this client was not declared to take forms");
  if (typeof message !== "string" || !isObject(requestedSchema)) throw invalid("expected a message and a requestedSchema");
  const defaults = defaultsOf(requestedSchema);
  const { action, content } = await elicit({ message, requestedSchema, defaults }, signal);
  if (checkedAction(action) !== "accept") return { action };
  const filled = { ...defaults, ...content };
  const wrong = misfit(filled, requestedSchema);
  if (wrong !== undefined) throw ours(`The answer does not fit the question: ${wrong}`);
  return { action, content: filled };
}

async function byUrl({ elicitUrl }: Handlers, params: Json, signal: AbortSignal): Promise<Json> {
  const { message, url, elicitationId } = params;
  if (elicitUrl === undefined) throw invalid("mode: this client was not declared to open pages");
  if (typeof message !== "string" || typeof url !== "string") throw invalid("expected a message and a url");
  const question = { message, url, ...(typeof elicitationId === "string" && { elicitationId }) };
  return { action: checkedAction((await elicitUrl(question, signal)).action) };
}

function checkedAction(action: string): string {
  if (action === "accept" || action === "decline" || action === "cancel") return action;
  throw ours("The answer's action is none of accept, decline, cancel");
}
