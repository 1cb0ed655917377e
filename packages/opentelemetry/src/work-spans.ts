// Spans of work below a request: what the servers announce on the tracing channel `oarlock:work` of this process.
import { tracingChannel } from "node:diagnostics_channel";
import { SpanKind, SpanStatusCode, type Attributes, type Span, type Tracer } from "@opentelemetry/api";
import * as names from "./conventions.ts";

/** As `tracedWork` of @oarlock/domain-kit announces it. */
interface Work {
  readonly name: string;
  readonly isRemote: boolean;
  readonly attributes: Attributes;
  /** Added when it has failed. */
  readonly error?: unknown;
}

let isListening = false;

/** Makes a span of each piece of work from now on, below the active span. Further calls do nothing. */
export function traceWork(tracer: Tracer): void {
  if (isListening) return;
  isListening = true;
  const spans = new WeakMap<object, Span>();
  tracingChannel<Work>("oarlock:work").subscribe({
    start(message) {
      const { name, isRemote, attributes } = message;
      spans.set(message, tracer.startSpan(name, { kind: isRemote ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes }));
    },
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd(message) {
      spans.get(message)?.end();
    },
    error(message) {
      const { error } = message as Work;
      const span = spans.get(message);
      // The message of the error may hold texts of users.
      span?.setAttribute(names.ERROR_TYPE, error instanceof Error ? error.name : "error");
      span?.setStatus({ code: SpanStatusCode.ERROR });
    },
  });
}
