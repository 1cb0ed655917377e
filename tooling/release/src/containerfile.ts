/** Container image of a server: the package from npm on Debian and Node, run by an unprivileged user. */
import { join } from "node:path";
import { manifestOf, root } from "./repository.ts";
import { packageOf, registryNameOf, REPOSITORY, type About } from "./about.ts";

/** Of both bases. Not Alpine: sqlite-vec, by which memory compares embeddings, has no build for its C library. */
const DEBIAN = "trixie";

/**
 * Exit code 1 when the operations port does not answer. A server on stdio, or without that port, cannot be probed from beside it: it is as
 * healthy as its process is alive, and a container without its process has ended. The port may be in the arguments of the server.
 */
const HEALTH = [
  "const port = /--ops-port[^0-9]([0-9]+)/.exec(fs.readFileSync('/proc/1/cmdline'))?.[1] ?? process.env.OARLOCK_OPS_PORT;",
  "if (port) fetch('http://127.0.0.1:' + port + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1));",
].join(" ");

/** What --backplane and --otel of every server load; pg, which --db of memory loads, comes with the backplane. */
const FOR_SWITCHES = ["@oarlock/backplane-valkey", "@oarlock/backplane-postgres", "@oarlock/opentelemetry"];
const TELEMETRY = Object.entries(manifestOf(join(root, "packages/opentelemetry")).devDependencies ?? {})
  .filter(([name]) => name.startsWith("@opentelemetry/"))
  .map((entry) => entry.join("@"));

/**
 * Bases are pinned by version. A digest changes with each rebuild of a base, and looking it up needs Docker Hub, which tests do not.
 * The second stage leaves out npm and its dependencies, which a server does not need.
 */
export function containerfile(about: About, node: string): string {
  const labels = {
    "io.modelcontextprotocol.server.name": registryNameOf(about),
    "org.opencontainers.image.title": about.title,
    "org.opencontainers.image.source": REPOSITORY,
    "org.opencontainers.image.licenses": "MIT",
    "org.opencontainers.image.version": "${VERSION}",
    "org.opencontainers.image.revision": "${REVISION}",
  };
  return `# Written by tooling/release. Builds for every platform that the bases have: docker buildx build --build-arg VERSION=1.2.3 .
FROM node:${node}-${DEBIAN}-slim AS install
ARG VERSION=latest
WORKDIR /opt/oarlock
RUN npm install --prefix=. --omit=dev --ignore-scripts --no-audit --no-fund ${packagesOf(about).join(" ")}

FROM debian:${DEBIAN}-slim
ARG VERSION=latest
ARG REVISION=unknown
${Object.entries(labels)
  .map(([name, value]) => `LABEL ${name}="${value}"\n`)
  .join("")}${system(about.system)}COPY --from=install /usr/local/bin/node /usr/local/bin/node
COPY --from=install /etc/passwd /etc/group /etc/
COPY --from=install --chown=1000:1000 /home/node /home/node
COPY --from=install /opt/oarlock /opt/oarlock
# A number, because Kubernetes cannot tell whether a name is root.
USER 1000:1000
WORKDIR /home/node
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ${JSON.stringify(["node", "-e", HEALTH])}
ENTRYPOINT ${JSON.stringify(["node", `/opt/oarlock/node_modules/${packageOf(about)}/dist/bin.js`])}
`;
}

/** Ours have the version of the server. No image has the models of embeddings, which are larger than the rest. */
function packagesOf(about: About): string[] {
  const own = [packageOf(about), ...FOR_SWITCHES, ...about.options.filter((name) => name.startsWith("@oarlock/"))];
  return [...own.map((name) => `${name}@\${VERSION}`), ...about.options.filter((name) => !own.includes(name)), ...TELEMETRY];
}

function system(packages: readonly string[]): string {
  if (packages.length === 0) return "";
  return `# Debian keeps only the newest build of a package, so a pinned one could not be installed for long.
# linter ignore=ER0012
RUN apt-get update && apt-get install --yes --no-install-recommends ${packages.join(" ")} && rm -rf /var/lib/apt/lists/*
`;
}
