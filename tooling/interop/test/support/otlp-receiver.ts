// A receiver of OTLP over HTTP, as a collector has one: keeps the spans that it gets.
import { createServer } from "node:http";
import { closeServer, listenOn } from "@oarlock-tooling/test-support/loopback";

export interface ReceivedSpan {
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly status: number;
  /** `service.name` of the process that made it. */
  readonly service: string;
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly spans: readonly ReceivedSpan[];
  /** All that was received, to look for what must not be in it. */
  readonly texts: readonly string[];
  /** Variables that make a process send here. */
  readonly env: Readonly<Record<string, string>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** https://opentelemetry.io/docs/specs/otlp/#otlphttp-request, as JSON */
interface TraceRequest {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Pick<ReceivedSpan, "name" | "kind" | "traceId" | "spanId"> & {
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code?: number };
      })[];
    }[];
  }[];
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      texts.push(text);
      spans.push(...spansOf(JSON.parse(text) as TraceRequest)); // sent by exporters of OpenTelemetry
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  const port = await listenOn(server);
  const env = {
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: "50",
  };
  return { spans, texts, env, [Symbol.asyncDispose]: () => closeServer(server) };
}

function* spansOf({ resourceSpans = [] }: TraceRequest): Generator<ReceivedSpan> {
  for (const { resource, scopeSpans } of resourceSpans)
    for (const { spans } of scopeSpans)
      for (const { name, kind, traceId, spanId, parentSpanId = "", attributes, status } of spans)
        yield {
          ...{ name, kind, traceId, spanId, parentSpanId },
          attributes: valuesOf(attributes),
          status: status.code ?? 0,
          service: valuesOf(resource.attributes)["service.name"] ?? "",
        };
}

const valuesOf = (attributes: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
