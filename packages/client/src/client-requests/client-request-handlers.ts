// Answers the requests of a server to its client: roots, elicitation and sampling.
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
import { formDefaults, formError } from "./form-answer.ts";

/** A form for the user. `defaults` are the default values of its fields. */
export interface FormRequest {
  message: string;
  requestedSchema: Json;
  defaults: Json;
}

/** A page for the user. Nothing may be fetched from `url` before the user has agreed to open it. */
export interface UrlRequest {
  message: string;
  url: string;
  elicitationId?: string;
}

export type Roots = readonly Root[] | (() => readonly Root[] | Promise<readonly Root[]>);

/** Handlers of the server's requests. A capability without a handler is not declared. To decline sampling, throw an `McpError` with code -1. */
export interface Handlers {
  roots?: Roots;
  elicit?(request: FormRequest, signal: AbortSignal): ElicitResult | Promise<ElicitResult>;
  elicitUrl?(request: UrlRequest, signal: AbortSignal): { action: ElicitResult["action"] } | Promise<{ action: ElicitResult["action"] }>;
  sample?(request: SampleRequest, signal: AbortSignal): SampleResult | Promise<SampleResult>;
  /** Whether the model behind `sample` supports tools. */
  sampleTools?: boolean;
}

/** The capabilities that follow from the handlers, in the form of a revision with these features. */
export function capabilitiesOf(handlers: Handlers, facts: Facts): ClientCapabilities {
  const { roots, elicit, elicitUrl, sample, sampleTools } = handlers;
  const declared: ClientCapabilities = {};
  if (roots !== undefined) declared.roots = facts.era === "handshake" ? { listChanged: true } : {};
  if (sample !== undefined) declared.sampling = sampleTools === true && facts.sampleTools ? { tools: {} } : {};
  if (facts.elicitUrl && elicitUrl !== undefined) declared.elicitation = { url: {} };
  if (facts.elicit && elicit !== undefined) declared.elicitation = facts.elicitUrl ? { form: {}, ...declared.elicitation } : {};
  return declared;
}

/** Answers one request of the server; throws an `McpError` for an error response. */
export async function answerClientRequest(
  handlers: Handlers,
  facts: Facts,
  method: string,
  params: Json,
  signal: AbortSignal,
): Promise<Json> {
  const { roots, elicit, elicitUrl, sample } = handlers;
  if (method === "roots/list" && roots !== undefined) {
    return { roots: checkedRoots(typeof roots === "function" ? await roots() : roots) };
  }
  if (method === "sampling/createMessage" && sample !== undefined) return answerSampling(handlers, facts, params, signal);
  if (method === "elicitation/create" && facts.elicit && (elicit ?? (facts.elicitUrl ? elicitUrl : undefined)) !== undefined) {
    // The default of `mode` is "form".
    if (params.mode === undefined || params.mode === "form") return answerForm(handlers, params, signal);
    if (params.mode === "url" && facts.elicitUrl) return answerUrl(handlers, params, signal);
    throw invalidParams(`mode: this client did not declare support for ${JSON.stringify(params.mode)}`);
  }
  throw new McpError(METHOD_NOT_FOUND, "Method not found");
}

const invalidParams = (message: string): McpError => new McpError(INVALID_PARAMS, message);
const internalError = (message: string): McpError => new McpError(INTERNAL_ERROR, message);

/** Throws if a root is not a `file://` URI. */
export function checkedRoots(roots: readonly Root[]): readonly Root[] {
  const invalid = roots.find(({ uri }) => !uri.startsWith("file://"));
  if (invalid !== undefined) throw new TypeError(`Invalid root: expected a file:// URI, received ${invalid.uri}`);
  return roots;
}

async function answerSampling({ sample, sampleTools }: Handlers, facts: Facts, params: Json, signal: AbortSignal): Promise<Json> {
  const usesTools = params.tools !== undefined || params.toolChoice !== undefined;
  if (usesTools && (sampleTools !== true || !facts.sampleTools)) throw invalidParams("tools: this client did not declare sampling.tools");
  if (typeof params.maxTokens !== "number") throw invalidParams("maxTokens: expected a number");
  const messagesError = wrongMessages(params.messages);
  if (messagesError !== undefined) throw invalidParams(messagesError);
  // messages and maxTokens are validated, other members are not
  const result = { ...(await sample?.(params as unknown as SampleRequest, signal)) };
  const resultError = wrongResult(result, !facts.sampleTools);
  if (resultError !== undefined) throw internalError(`Invalid sampling result: ${resultError}`);
  return result;
}

async function answerForm({ elicit }: Handlers, params: Json, signal: AbortSignal): Promise<Json> {
  const { message, requestedSchema } = params;
  if (elicit === undefined) throw invalidParams("mode: this client did not declare support for forms");
  if (typeof message !== "string" || !isObject(requestedSchema)) throw invalidParams("expected a message and a requestedSchema");
  const defaults = formDefaults(requestedSchema);
  const { action, content } = await elicit({ message, requestedSchema, defaults }, signal);
  if (checkedAction(action) !== "accept") return { action };
  const completeContent = { ...defaults, ...content };
  const error = formError(completeContent, requestedSchema);
  if (error !== undefined) throw internalError(`Invalid form content: ${error}`);
  return { action, content: completeContent };
}

async function answerUrl({ elicitUrl }: Handlers, params: Json, signal: AbortSignal): Promise<Json> {
  const { message, url, elicitationId } = params;
  if (elicitUrl === undefined) throw invalidParams("mode: this client did not declare support for URLs");
  if (typeof message !== "string" || typeof url !== "string") throw invalidParams("expected a message and a url");
  const request = { message, url, ...(typeof elicitationId === "string" && { elicitationId }) };
  return { action: checkedAction((await elicitUrl(request, signal)).action) };
}

function checkedAction(action: string): string {
  if (action === "accept" || action === "decline" || action === "cancel") return action;
  throw internalError("Invalid action: expected accept, decline or cancel");
}
