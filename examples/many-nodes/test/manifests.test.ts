/** The files for Docker, Kubernetes, nginx and HAProxy: they parse, and agree with each other and with the switches of the servers. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { switchesOf } from "../../../packages/cli/src/flags.ts";
import { SHARED } from "../../../packages/cli/src/shared-flags.ts";

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string): string => readFileSync(path(name), "utf8");

interface Compose {
  services: Record<"valkey" | "node" | "proxy", { environment?: Record<string, string>; command?: string[] }>;
}

interface Manifest {
  kind: string;
  stringData?: Record<string, string>;
  spec?: {
    template?: {
      spec: {
        terminationGracePeriodSeconds: number;
        containers: { args: string[]; lifecycle: { preStop: { sleep: { seconds: number } } } }[];
      };
    };
  };
}

/** The example has no switches of its own. */
const SWITCHES = switchesOf(SHARED).map(({ name }) => `--${name}`);

const { services } = parse(read("compose.yaml")) as Compose; // written beside this test
const manifests = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS() as Manifest);

test("every environment variable belongs to a switch", () => {
  const variables = [services.node.environment, manifests.find(({ kind }) => kind === "Secret")?.stringData].flatMap((set) =>
    Object.keys(set ?? {}),
  );
  expect(variables).toHaveLength(6);
  const switches = variables.map((name) =>
    name.replace("OARLOCK_", "--").toLowerCase().replaceAll("_", "-").replace("auth-token", "auth-token-file"),
  );
  for (const name of switches) expect(SWITCHES).toContain(name.split("=")[0]);
});

test("every switch exists", () => {
  const { template } = manifests.find(({ kind }) => kind === "Deployment")?.spec ?? {};
  const args = [...(services.node.command ?? []), ...(template?.spec.containers[0]?.args ?? [])];
  const switches = args.filter((arg) => arg.startsWith("--"));
  expect(switches.length).toBeGreaterThan(3);
  for (const name of switches) expect(SWITCHES).toContain(name.split("=")[0]);
});

test("the pod lives longer than its pause and the grace time of the server", () => {
  const { template } = manifests.find(({ kind }) => kind === "Deployment")?.spec ?? {};
  const { terminationGracePeriodSeconds = 0, containers = [] } = template?.spec ?? {};
  expect(terminationGracePeriodSeconds).toBeGreaterThan((containers[0]?.lifecycle.preStop.sleep.seconds ?? 0) + 5);
});

test.each(["nginx.conf", "haproxy.cfg"])("%s has balanced braces and names the port of the servers", (name) => {
  const text = read(name);
  expect(text.split("{").length).toBe(text.split("}").length);
  expect(text).toContain(":3920");
});
