// A scripted person and model: answers what a server asks, in order, and keeps what was asked.
import type { FormQuestion, Handlers, UrlQuestion } from "@oarlock/client";
import {
  INTERNAL_ERROR,
  McpError,
  type ElicitResult,
  type Json,
  type SampleRequest,
  type SampleResult,
} from "@oarlock/server-kit/protocol";

export type Asked = ({ kind: "form" } & FormQuestion) | ({ kind: "url" } & UrlQuestion) | ({ kind: "sample" } & SampleRequest);

type Answer = ElicitResult | SampleResult;
/** An answer, or what makes one from the question; it may wait, and throw an `McpError`. */
export type Line = Answer | ((asked: Asked, signal: AbortSignal) => Answer | Promise<Answer>);

export interface Person {
  /** To be spread into the options of `connect` and `connectTo`. */
  readonly handlers: Handlers;
  /** Every question, in its order. */
  readonly asked: readonly Asked[];
  /** Throws when something was asked that the script did not foresee, or when answers are left. */
  done(): void;
}

/** Says yes to a form with this content, or to a page. */
export const accept = (content?: Json): ElicitResult => ({ action: "accept", ...(content !== undefined && { content }) });
export const decline: ElicitResult = { action: "decline" };
export const cancel: ElicitResult = { action: "cancel" };
/** What the model says. */
export const says = (text: string): SampleResult => ({
  role: "assistant",
  content: { type: "text", text },
  model: "scripted",
  stopReason: "endTurn",
});

type Kind = Asked["kind"];

/**
 * Someone who answers by a script. `takes` are the kinds of questions that the client declares; default all.
 * @example
 * const person = scriptPerson([accept({ sure: true }), decline]);
 * await using wired = await connectTo(server, person.handlers);
 */
export function scriptPerson(lines: readonly Line[], takes: readonly Kind[] = ["form", "url", "sample"]): Person {
  const asked: Asked[] = [];
  const wrong: string[] = [];
  const left = [...lines];
  const reply = async (question: Asked, signal: AbortSignal): Promise<Answer> => {
    asked.push(question);
    const line = left.shift();
    if (line === undefined) {
      wrong.push(`asked without an answer in the script: ${JSON.stringify(question)}`);
      throw new McpError(INTERNAL_ERROR, "The script has no answer left");
    }
    return typeof line === "function" ? line(question, signal) : line;
  };
  const decided = async (question: Asked, signal: AbortSignal): Promise<ElicitResult> => {
    const answer = await reply(question, signal);
    if ("action" in answer) return answer;
    return misplaced(question, wrong);
  };
  const said = async (question: Asked, signal: AbortSignal): Promise<SampleResult> => {
    const answer = await reply(question, signal);
    if ("role" in answer) return answer;
    return misplaced(question, wrong);
  };
  return {
    asked,
    handlers: {
      ...(takes.includes("form") && { elicit: (question, signal) => decided({ kind: "form", ...question }, signal) }),
      ...(takes.includes("url") && { elicitUrl: (question, signal) => decided({ kind: "url", ...question }, signal) }),
      ...(takes.includes("sample") && { sample: (question, signal) => said({ kind: "sample", ...question }, signal) }),
    },
    done() {
      if (left.length > 0) wrong.push(`answers that nobody asked for: ${left.length}`);
      if (wrong.length > 0) throw new Error(wrong.join("\n"));
    },
  };
}

function misplaced(question: Asked, wrong: string[]): never {
  wrong.push(`the script's next answer is for another kind of question than ${question.kind}`);
  throw new McpError(INTERNAL_ERROR, "The script has another kind of answer here");
}
