// TraceContext: the distributed trace that a request belongs to, as its `_meta` names it.
// https://modelcontextprotocol.io/seps/414-request-meta and https://www.w3.org/TR/trace-context/
import { isObject } from "../wire/json-rpc.ts";

/** The trace context of a request, in W3C formats. Never base a decision on its baggage: any client can write it. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Longest tracestate or baggage; longer ones are left out. */
const MAX_LENGTH = 8192;

/** The trace context in `_meta`; undefined when it is missing or invalid. */
export function readTrace(meta: unknown): TraceContext | undefined {
  if (!isObject(meta) || typeof meta.traceparent !== "string" || !TRACEPARENT.test(meta.traceparent)) return undefined;
  const { traceparent, tracestate, baggage } = meta;
  return { traceparent, ...(isHeaderText(tracestate) && { tracestate }), ...(isHeaderText(baggage) && { baggage }) };
}

const isHeaderText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_LENGTH && /^[\t\x20-\x7e]+$/.test(value);

/** The trace context of a request that belongs to another one: the same trace, with a span of its own. */
export function childTrace({ traceparent, ...rest }: TraceContext): TraceContext {
  const span = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { traceparent: `00-${traceparent.slice(3, 35)}-${span}-${traceparent.slice(53, 55)}`, ...rest };
}

/** The id of the trace: 32 hexadecimal digits. */
export const traceIdOf = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35);
