// traceClient: an observer for @oarlock/client that makes a span and a duration of each request, and hands the trace on to the server.
import { context, metrics, propagation, SpanKind, trace, type Attributes } from "@opentelemetry/api";
import * as names from "./conventions.ts";
import { failedStatus, requestAttributes, requestId, spanName, type Described } from "./request-attributes.ts";

/** A request that a client is about to send. */
export interface TracedRequest extends Described {
  readonly id: string | number;
}

/** How it ended, as `SentRequestEnd` of @oarlock/client says. */
export interface TracedRequestEnd {
  readonly outcome: "success" | "tool-error" | "error" | "invalid" | "cancelled" | "timeout" | "closed";
  readonly code?: number;
  readonly message?: string;
}

/** The trace context of a request, in W3C formats. */
export interface CarriedTrace {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** An observer in the shape that @oarlock/client expects. */
export interface TracingObserver {
  requestStarted(request: TracedRequest): { trace?: CarriedTrace | undefined; ended(end: TracedRequestEnd): void };
}

/**
 * Observes a client with the OpenTelemetry SDK of this process. Without one, nothing is recorded or sent. No attribute has arguments or results.
 * @example const client = await connect(url, { observer: traceClient() });
 */
export function traceClient(): TracingObserver {
  const tracer = trace.getTracer(names.SCOPE);
  const duration = metrics.getMeter(names.SCOPE).createHistogram(names.CLIENT_DURATION, {
    unit: "s",
    description: "Duration of requests that the client sent.",
    advice: { explicitBucketBoundaries: [...names.DURATION_BOUNDARIES] },
  });
  return {
    requestStarted(request) {
      const start = performance.now();
      const attributes = requestAttributes(request);
      const parent = context.active();
      const span = tracer.startSpan(
        spanName(request),
        { kind: SpanKind.CLIENT, attributes: { ...attributes, [names.REQUEST_ID]: requestId(request.id) } },
        parent,
      );
      const carrier: Partial<CarriedTrace> = {};
      propagation.inject(trace.setSpan(parent, span), carrier);
      const { traceparent, tracestate } = carrier;
      return {
        ...(traceparent !== undefined && { trace: { traceparent, ...(tracestate !== undefined && { tracestate }) } }),
        ended({ outcome, code, message }) {
          const failure = failureOf(outcome, code);
          duration.record((performance.now() - start) / 1000, { ...attributes, ...failure });
          span.setAttributes(failure);
          if (outcome !== "success") span.setStatus(failedStatus(message));
          span.end();
        },
      };
    },
  };
}

/** To the caller every error is one. */
function failureOf(outcome: TracedRequestEnd["outcome"], code: number | undefined): Attributes {
  if (outcome === "success") return {};
  if (outcome === "error") return { [names.ERROR_TYPE]: String(code), [names.STATUS_CODE]: String(code) };
  return { [names.ERROR_TYPE]: outcome === "tool-error" ? "tool_error" : outcome };
}
