// What spans and metrics of both sides say of a request.
import { SpanStatusCode, type Attributes, type SpanStatus } from "@opentelemetry/api";
import * as names from "./conventions.ts";

export interface Described {
  readonly method: string;
  /** The tool or prompt. */
  readonly target: string | undefined;
  readonly revision: string;
  readonly transport: "pipe" | "tcp";
}

export const spanName = ({ method, target }: Described): string => (target === undefined ? method : `${method} ${target}`);

export function requestAttributes({ method, target, revision, transport }: Described): Attributes {
  return {
    [names.METHOD]: method,
    [names.PROTOCOL_VERSION]: revision,
    [names.TRANSPORT]: transport,
    ...(transport === "tcp" && { [names.PROTOCOL]: "http" }),
    ...(method === "tools/call" && { [names.OPERATION]: names.EXECUTE_TOOL }),
    ...(target !== undefined && { [method === "tools/call" ? names.TOOL : names.PROMPT]: target }),
  };
}

/** Longest text of the other side in a span. */
const MAX_TEXT_LENGTH = 256;

/** The id of a request: the other side chose it. */
export const requestId = (id: string | number): string => (typeof id === "number" ? String(id) : shortText(id));

/** The status of a failed request. Its message may hold texts of the other side. */
export function failedStatus(message: string | undefined): SpanStatus {
  return { code: SpanStatusCode.ERROR, ...(message !== undefined && { message: shortText(message) }) };
}

/** Copied, as a part of a text keeps the whole text in memory until the span is exported. */
const shortText = (text: string): string => Buffer.from(text.slice(0, MAX_TEXT_LENGTH)).toString();
