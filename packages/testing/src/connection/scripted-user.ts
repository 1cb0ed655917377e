// A scripted user and model: replies to the requests of a server in a fixed order, and records the requests.
import type { FormRequest, Handlers, UrlRequest } from "@oarlock/client";
import {
  INTERNAL_ERROR,
  McpError,
  type ElicitResult,
  type Json,
  type SampleRequest,
  type SampleResult,
} from "@oarlock/server-kit/protocol";

/** A request of the server to its client: a form, a page to open, or a completion by the client's model. */
export type UserRequest = ({ kind: "form" } & FormRequest) | ({ kind: "url" } & UrlRequest) | ({ kind: "sample" } & SampleRequest);

type Reply = ElicitResult | SampleResult;
/** A reply, or a function that computes one from the request. The function may throw an `McpError`. */
export type ScriptedReply = Reply | ((request: UserRequest, signal: AbortSignal) => Reply | Promise<Reply>);

export interface ScriptedUser {
  /** Options for `connect` and `connectTo`. */
  readonly handlers: Handlers;
  /** All requests in order. */
  readonly requests: readonly UserRequest[];
  /** Throws when a request had no matching reply in the script, or when replies are left over. */
  done(): void;
}

/** Accepts a form with this content, or a page. */
export const accept = (content?: Json): ElicitResult => ({ action: "accept", ...(content !== undefined && { content }) });
export const decline: ElicitResult = { action: "decline" };
export const cancel: ElicitResult = { action: "cancel" };
/** The model's reply. */
export const modelSays = (text: string): SampleResult => ({
  role: "assistant",
  content: { type: "text", text },
  model: "scripted",
  stopReason: "endTurn",
});

type Kind = UserRequest["kind"];

/**
 * Creates a user that replies by a script. `kinds` are the kinds of requests that the client declares support for; default all.
 * @example
 * const user = scriptUser([accept({ sure: true }), decline]);
 * await using connection = await connectTo(server, user.handlers);
 */
export function scriptUser(replies: readonly ScriptedReply[], kinds: readonly Kind[] = ["form", "url", "sample"]): ScriptedUser {
  const requests: UserRequest[] = [];
  const problems: string[] = [];
  const remaining = [...replies];
  const reply = async (request: UserRequest, signal: AbortSignal): Promise<Reply> => {
    requests.push(request);
    const next = remaining.shift();
    if (next === undefined) {
      problems.push(`Request without a scripted reply: ${JSON.stringify(request)}`);
      throw new McpError(INTERNAL_ERROR, "The script has no reply left");
    }
    return typeof next === "function" ? next(request, signal) : next;
  };
  const elicit = async (request: UserRequest, signal: AbortSignal): Promise<ElicitResult> => {
    const result = await reply(request, signal);
    if ("action" in result) return result;
    return rejectReply(request, problems);
  };
  const sample = async (request: UserRequest, signal: AbortSignal): Promise<SampleResult> => {
    const result = await reply(request, signal);
    if ("role" in result) return result;
    return rejectReply(request, problems);
  };
  return {
    requests,
    handlers: {
      ...(kinds.includes("form") && { elicit: (question, signal) => elicit({ kind: "form", ...question }, signal) }),
      ...(kinds.includes("url") && { elicitUrl: (question, signal) => elicit({ kind: "url", ...question }, signal) }),
      ...(kinds.includes("sample") && { sample: (question, signal) => sample({ kind: "sample", ...question }, signal) }),
    },
    done() {
      if (remaining.length > 0) problems.push(`Scripted replies left over: ${remaining.length}`);
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
  };
}

function rejectReply(request: UserRequest, problems: string[]): never {
  problems.push(`The next scripted reply is of another kind than the request: expected one for ${request.kind}`);
  throw new McpError(INTERNAL_ERROR, "The next scripted reply is of another kind");
}
