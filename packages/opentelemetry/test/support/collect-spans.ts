// Collects the spans of tests in memory, with the SDK for Node.
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { afterAll, beforeAll, beforeEach } from "vitest";

type SpanProcessor = NonNullable<NonNullable<ConstructorParameters<typeof NodeSDK>[0]>["spanProcessors"]>[number];
export type Span = Parameters<SpanProcessor["onEnd"]>[0];

/** Call it at the top of a file. Returns the spans of the running test. The SDK is registered for the process only during that file. */
export function collectSpans(): readonly Span[] {
  const spans: Span[] = [];
  const collector: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span) => void spans.push(span),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const sdk = new NodeSDK({ spanProcessors: [collector], metricReaders: [], instrumentations: [] });
  beforeAll(() => sdk.start());
  afterAll(async () => {
    await sdk.shutdown();
    for (const api of [trace, context, propagation, metrics]) api.disable();
  });
  beforeEach(() => {
    spans.length = 0;
  });
  return spans;
}
