/** The operations port under real tools: Prometheus' parser reads a scrape, and a load balancer goes by readiness. */
import { connect, type Client } from "@oarlock/client";
import { parseScrape, startValkey } from "@oarlock-tooling/engines";
import { describeScrapes, describeValkey } from "@oarlock-tooling/engines/describe";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { nodeProgram, startOverHttp, type ListeningServer } from "@oarlock-tooling/test-support/server-process";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Balancer } from "../src/proxy/balancer.ts";
import { ReadinessProbe } from "./support/readiness-probe.ts";

const ERAS = ["2025-11-25", "2026-07-28"];

/** A node of sqlite with an operations port, whose address is in its stderr. */
async function startNode(db: string, ...args: string[]): Promise<{ node: ListeningServer; operations: string }> {
  const switches = ["--db-path", db, "--ops-port=0", ...args];
  const env = { OARLOCK_STATE_KEY: "a key of more than sixteen characters" };
  const node = await startOverHttp(nodeProgram(builtServer("sqlite", ...switches), env));
  const [, operations = ""] = /health and metrics on (http:\S+)/.exec(node.stderr) ?? [];
  return { node, operations };
}

(await describeScrapes())("metrics", () => {
  test("writes metrics that Prometheus' own parser reads and that add up", async () => {
    await using folder = tempFolder();
    const { node, operations } = await startNode(folder.at("m.db"), "--drain-ms=0");
    await using _ = node;
    for (const revision of ERAS) {
      const client = await connect({ url: `http://127.0.0.1:${node.port}/mcp` }, { revision });
      await client.call("read_query", { query: "SELECT 1" });
      await client.call("read_query", { query: 'SELECT "' });
      await client.close();
    }
    const families = await parseScrape(await (await fetch(`${operations}/metrics`)).text());
    const kinds = Object.fromEntries(families.map(({ name, type }) => [name, type]));
    expect(kinds).toMatchObject({ mcp_server_operation_duration_seconds: "histogram", oarlock_sessions: "gauge" });
    const samples = families.flatMap((family) => family.samples);
    const calls = samples.filter(({ name, labels }) => name.endsWith("_count") && labels["gen_ai_tool_name"] === "read_query");
    expect(calls.map(({ labels, value }) => [labels["mcp_protocol_version"], labels["error_type"], value])).toEqual(
      ERAS.flatMap((revision) => [
        [revision, undefined, 1],
        [revision, "tool_error", 1],
      ]),
    );
    for (const { labels, value } of calls) {
      const { ...own } = labels;
      const buckets = samples.filter(({ name, labels: { le, ...rest } }) => name.endsWith("_bucket") && le && sameLabels(rest, own));
      const counts = buckets.map((bucket) => bucket.value);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect([buckets.at(-1)?.labels["le"], counts.at(-1)]).toEqual(["+Inf", value]);
    }
  });
});

const sameLabels = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

(await describeValkey({ own: true }))("behind a load balancer that goes by readiness", () => {
  test("loses no call when each node restarts in turn, in both eras", async () => {
    await using engine = await startValkey({ own: true });
    await using folder = tempFolder();
    await using balancer = await Balancer.start({ mode: "round-robin" });
    await using probe = new ReadinessProbe(balancer);
    await using nodes = new AsyncDisposableStack();
    const start = async (name: string): Promise<ListeningServer> => {
      const { node, operations } = await startNode(folder.at("m.db"), "--drain-ms=1000", "--backplane", engine.url);
      nodes.use(node);
      probe.watch({ name, port: node.port }, `${operations}/readyz`);
      await expect.poll(() => probe.isReady(name)).toBe(true);
      return node;
    };
    const started = [["a", await start("a")] as const, ["b", await start("b")] as const];
    const clients = await Promise.all(ERAS.map((revision) => connect({ url: balancer.url }, { revision })));
    const stop = new AbortController();
    const calling = clients.map((client) => callUntil(stop.signal, client));
    for (const [name, node] of started) {
      expect(await node.terminate()).toMatchObject({ code: 0, signal: null });
      await start(name);
    }
    stop.abort();
    for (const outcomes of await Promise.all(calling)) {
      expect(outcomes.length).toBeGreaterThan(20);
      expect(outcomes.filter((outcome) => outcome !== "done")).toEqual([]);
    }
    for (const client of clients) await client.close();
  });
});

/** Calls without a pause; returns how each call ended. */
async function callUntil(signal: AbortSignal, client: Client): Promise<string[]> {
  const outcomes: string[] = [];
  while (!signal.aborted) {
    const call = client.call("read_query", { query: "SELECT 1" });
    outcomes.push(
      await call.then(
        ({ isError }) => (isError === true ? "tool error" : "done"),
        (error: unknown) => String(error),
      ),
    );
  }
  return outcomes;
}
