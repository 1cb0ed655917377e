// openTelemetry: an observer that makes a span and a duration of each request.
import { context, metrics, propagation, SpanKind, trace, type Attributes, type Context, type Span } from "@opentelemetry/api";
import type { ObservedRequest, Observer, RequestEnd } from "@oarlock/server-kit";
import { traceClient } from "./client-observer.ts";
import * as names from "./conventions.ts";
import { failedStatus, requestAttributes, requestId, spanName } from "./request-attributes.ts";
import { traceWork } from "./work-spans.ts";

/** What is traced. */
export interface OpenTelemetryOptions {
  /**
   * Pass the client's `baggage` on to what the handler calls. Default false: it leaves this process for other services, and any client can
   * write it.
   */
  baggage?: boolean;
  /** Boundaries of the histogram, in seconds. Default: those of the conventions, 0.01 to 300. */
  boundaries?: readonly number[];
}

/**
 * Observes a server with the OpenTelemetry SDK of this process. Without one, nothing is recorded. No attribute has arguments, results, addresses
 * of resources or session ids.
 * @example serveStdio(server, { observer: openTelemetry() });
 */
export function openTelemetry({ baggage = false, boundaries = names.DURATION_BOUNDARIES }: OpenTelemetryOptions = {}): Observer {
  const tracer = trace.getTracer(names.SCOPE);
  traceWork(tracer);
  const duration = metrics.getMeter(names.SCOPE).createHistogram(names.SERVER_DURATION, {
    unit: "s",
    description: "Duration of requests that the server received.",
    advice: { explicitBucketBoundaries: [...boundaries] },
  });
  const sessionDuration = metrics.getMeter(names.SCOPE).createHistogram(names.SESSION_DURATION, {
    unit: "s",
    description: "Duration of sessions.",
    advice: { explicitBucketBoundaries: names.SESSION_BOUNDARIES },
  });
  const client = traceClient();
  return {
    clientRequestStarted: (request) => client.requestStarted({ ...request, target: undefined }),
    sessionStarted({ revision, transport }) {
      const start = performance.now();
      const attributes = { [names.PROTOCOL_VERSION]: revision, ...(transport === "tcp" && { [names.PROTOCOL]: "http" }) };
      return { ended: () => sessionDuration.record((performance.now() - start) / 1000, attributes) };
    },
    requestStarted(request) {
      const start = performance.now();
      const attributes = requestAttributes(request);
      const ambient = context.active();
      const parent = parentOf(request.meta, ambient, baggage);
      const ambientSpan = parent === ambient ? undefined : trace.getSpanContext(ambient);
      const span = tracer.startSpan(
        spanName(request),
        {
          kind: SpanKind.SERVER,
          attributes: { ...attributes, [names.REQUEST_ID]: requestId(request.id) },
          ...(ambientSpan !== undefined && { links: [{ context: ambientSpan }] }),
        },
        parent,
      );
      return {
        run: (handler) => context.with(trace.setSpan(parent, span), handler),
        ended(end) {
          const failure = failureOf(end);
          duration.record((performance.now() - start) / 1000, { ...namedTarget(request, attributes), ...failure });
          endSpan(span, end, failure);
        },
      };
    },
  };
}

/** The attributes of a metric, in which an unknown name has a stand-in. */
function namedTarget({ method, target }: ObservedRequest, attributes: Attributes): Attributes {
  if (target !== undefined) return attributes;
  if (method === "tools/call") return { ...attributes, [names.TOOL]: names.OTHER };
  return method === "prompts/get" ? { ...attributes, [names.PROMPT]: names.OTHER } : attributes;
}

/** Longest text of a carrier that is read: the client wrote it. */
const MAX_CARRIER_LENGTH = 512;

/** The context that `_meta` carries, or the active one where it carries none. */
function parentOf(meta: unknown, ambient: Context, withBaggage: boolean): Context {
  if (typeof meta !== "object" || meta === null) return ambient;
  const isUsable = ([key, value]: [string, unknown]): boolean =>
    typeof value === "string" && value.length <= MAX_CARRIER_LENGTH && (withBaggage || key.toLowerCase() !== "baggage");
  const carrier = Object.fromEntries(Object.entries(meta).filter(isUsable));
  const extracted = propagation.extract(trace.deleteSpan(ambient), carrier);
  return trace.getSpanContext(extracted) === undefined ? ambient : extracted;
}

function failureOf({ outcome, code }: RequestEnd): Attributes {
  switch (outcome) {
    case "error":
      return { [names.ERROR_TYPE]: String(code), [names.STATUS_CODE]: String(code) };
    case "tool-error":
      return { [names.ERROR_TYPE]: "tool_error" };
    case "cancelled":
      return { [names.ERROR_TYPE]: "cancelled" };
    default:
      return {};
  }
}

function endSpan(span: Span, { outcome, code, message }: RequestEnd, failure: Attributes): void {
  // A mistake of the client does not count as a failure of the server: the span has its code, but not the status of an error.
  const isClientFault = outcome === "error" && !isServerFault(code);
  span.setAttributes(isClientFault ? { [names.STATUS_CODE]: String(code) } : failure);
  if (outcome !== "success" && outcome !== "input-required" && !isClientFault) span.setStatus(failedStatus(message));
  span.end();
}

/** Codes of MCP for mistakes of the client: resource not found, headers that differ, missing capability, unsupported revision, URL needed. */
const CLIENT_FAULTS: readonly number[] = [-32002, -32020, -32021, -32022, -32042];

/** -32603, and the rest of the range that JSON-RPC leaves to servers. */
const isServerFault = (code = 0): boolean => code === -32603 || (code <= -32000 && code >= -32099 && !CLIENT_FAULTS.includes(code));
