// Metrics: counts the requests of a server and writes them as Prometheus text. Loaded with --ops-port only.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
import type { ObservedRefusal, ObservedRequest, Observer, RequestEnd } from "@oarlock/server-kit";

/** Upper bounds in seconds, as the OpenTelemetry conventions for MCP recommend. */
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const DURATION = "mcp_server_operation_duration_seconds";
/** Our own name: the conventions have durations of HTTP requests, but those of event streams would say how long clients stay. */
const REFUSED = "oarlock_http_requests_refused_total";

interface Histogram {
  readonly labels: string;
  /** Requests for each boundary that took at most that long; the last one counts all. */
  counts: readonly number[];
  seconds: number;
}

/** A number that is read when it is needed. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
  /** Default: a gauge. */
  readonly type?: "counter";
  /** In braces. Gauges of one name follow each other. */
  readonly labels?: string;
}

export class Metrics implements Observer {
  readonly #histograms = new Map<string, Histogram>();

  /** Refused requests by their labels, which are bounded: three methods, few limits, and never the name of a caller. */
  readonly #refused = new Map<string, number>();

  requestRefused({ method, status, limit }: ObservedRefusal): void {
    const labels = `http_request_method="${method}",http_response_status_code="${status}"${limit === undefined ? "" : `,limit="${limit}"`}`;
    this.#refused.set(labels, (this.#refused.get(labels) ?? 0) + 1);
  }

  requestStarted(request: ObservedRequest): ReturnType<Observer["requestStarted"]> {
    const start = performance.now();
    return { run: (handler) => handler(), ended: (end) => this.#add(labelsOf(request, end), (performance.now() - start) / 1000) };
  }

  #add(labels: string, seconds: number): void {
    let histogram = this.#histograms.get(labels);
    if (histogram === undefined) {
      histogram = { labels, counts: Array<number>(BOUNDARIES.length + 1).fill(0), seconds: 0 };
      this.#histograms.set(labels, histogram);
    }
    histogram.seconds += seconds;
    histogram.counts = histogram.counts.map((count, index) => (seconds <= (BOUNDARIES[index] ?? Infinity) ? count + 1 : count));
  }

  /** The text of a scrape. */
  text(gauges: readonly Gauge[]): string {
    const lines = [`# HELP ${DURATION} Duration of requests.`, `# TYPE ${DURATION} histogram`];
    for (const { labels, counts, seconds } of this.#histograms.values()) {
      counts.forEach((count, index) => lines.push(`${DURATION}_bucket{${labels},le="${BOUNDARIES[index] ?? "+Inf"}"} ${count}`));
      lines.push(`${DURATION}_sum{${labels}} ${seconds}`, `${DURATION}_count{${labels}} ${counts.at(-1)}`);
    }
    lines.push(`# HELP ${REFUSED} Requests refused for their token or a limit.`, `# TYPE ${REFUSED} counter`);
    for (const [labels, count] of this.#refused) lines.push(`${REFUSED}{${labels}} ${count}`);
    gauges.forEach(({ name, type = "gauge", help, value, labels = "" }, index) => {
      if (gauges[index - 1]?.name !== name) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      lines.push(`${name}${labels} ${value}`);
    });
    return `${lines.join("\n")}\n`;
  }
}

/** Bounded: methods and targets are those that the server has. */
function labelsOf({ method, target, revision, transport }: ObservedRequest, { outcome, code }: RequestEnd): string {
  const targetName = method === "tools/call" ? "gen_ai_tool_name" : "gen_ai_prompt_name";
  const isNamed = method === "tools/call" || method === "prompts/get";
  const labels: [name: string, value: string][] = [
    ["mcp_method_name", method],
    ...(isNamed ? ([[targetName, target ?? "_OTHER"]] as [string, string][]) : []),
    ["mcp_protocol_version", revision],
    ["network_transport", transport],
  ];
  if (outcome === "error") labels.push(["error_type", String(code)]);
  else if (outcome === "tool-error") labels.push(["error_type", "tool_error"]);
  else if (outcome === "cancelled") labels.push(["error_type", "cancelled"]);
  return labels
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`)}"`)
    .join(",");
}
