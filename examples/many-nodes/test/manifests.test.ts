/** The files for Docker, Kubernetes, systemd and proxies: they parse, and agree with each other and with the switches of the servers. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { switchesOf } from "../../../packages/cli/src/flags.ts";
import { SHARED } from "../../../packages/cli/src/shared-flags.ts";

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string): string => readFileSync(path(name), "utf8");

interface Compose {
  "x-node": { environment: Record<string, string>; command: string[]; stop_grace_period: string };
}

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  args: string[];
  ports: { name: string; containerPort: number }[];
  readinessProbe: Probe & { periodSeconds: number; failureThreshold: number };
  livenessProbe: Probe;
}

interface Manifest {
  kind: string;
  stringData?: Record<string, string>;
  spec?: { template?: { spec: { terminationGracePeriodSeconds: number; containers: [Container] } } };
}

/** The examples have no switches of their own but where the memory lies. */
const SWITCHES = [...switchesOf(SHARED).map(({ name }) => `--${name}`), "--db"];

const node = (parse(read("compose.yaml")) as Compose)["x-node"]; // written beside this test
const manifests = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS() as Manifest);
const pod = manifests.find(({ kind }) => kind === "Deployment")!.spec!.template!.spec;
const [container] = pod.containers;
const unit = read("oarlock.service").replaceAll("\\\n", "");
const unitWords = /^ExecStart=(.*)$/m.exec(unit)![1]!.split(/\s+/);

/** The value of a switch, its own default where it is not given. */
function valueOf(name: "drainMs" | "opsPort", words: readonly string[]): number {
  const given = words.join(" ").match(new RegExp(String.raw`--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}[= ](\d+)`));
  return Number(given?.[1] ?? (name === "drainMs" ? SHARED.drainMs.default : undefined));
}

test("every environment variable belongs to a switch", () => {
  const variables = [node.environment, manifests.find(({ kind }) => kind === "Secret")?.stringData].flatMap((set) =>
    Object.keys(set ?? {}).filter((name) => name.startsWith("OARLOCK_")),
  );
  expect(variables).toHaveLength(6);
  const switches = variables.map((name) =>
    name.replace("OARLOCK_", "--").toLowerCase().replaceAll("_", "-").replace("auth-token", "auth-token-file"),
  );
  for (const name of switches) expect(SWITCHES).toContain(name);
});

test("every switch exists", () => {
  const switches = [...node.command, ...container.args, ...unitWords].filter((word) => word.startsWith("--"));
  expect(switches.length).toBeGreaterThan(15);
  for (const name of switches) expect(SWITCHES).toContain(name.split("=")[0]);
});

test.each([
  ["compose.yaml", Number.parseInt(node.stop_grace_period, 10), node.command],
  ["kubernetes.yaml", pod.terminationGracePeriodSeconds, container.args],
  ["oarlock.service", Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]), unitWords],
])("%s waits for the drain time and twice the grace time of the server", (_name, seconds, words) => {
  expect(seconds * 1000).toBeGreaterThanOrEqual(valueOf("drainMs", words) + 2 * 5000);
});

test("kubernetes.yaml probes the port of operations, often enough for the drain time", () => {
  const operations = container.ports.find(({ name }) => name === "operations")?.containerPort;
  expect(operations).toBe(valueOf("opsPort", container.args));
  expect([container.readinessProbe.httpGet, container.livenessProbe.httpGet]).toEqual([
    { path: "/readyz", port: "operations" },
    { path: "/livez", port: "operations" },
  ]);
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  expect(2 * periodSeconds * failureThreshold * 1000).toBeLessThan(valueOf("drainMs", container.args));
});

test("kubernetes.yaml has one manifest of each kind", () => {
  const kinds = ["Secret", "PersistentVolumeClaim", "Deployment", "PodDisruptionBudget", "Service", "NetworkPolicy", "Ingress"];
  expect(manifests.map(({ kind }) => kind)).toEqual(kinds);
});

test.each(["nginx.conf", "haproxy.cfg", "Caddyfile"])("%s names every node with the port of the servers", (name) => {
  for (const one of ["node1", "node2", "node3"]) expect(read(name)).toContain(`${one}:3920`);
});
