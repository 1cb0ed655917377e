// The page of all limits, from their declarations: `node --conditions=oarlock-source limits.ts` writes docs/limits.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DEFAULT_LIMITS } from "@oarlock/server-kit";
import { CALLER_LIMITS } from "../../packages/cli/src/operations/caller-limits.ts";
import { LIMIT_SWITCHES, type SHARED } from "../../packages/cli/src/shared-flags.ts";
import { DEFAULT_HTTP_LIMITS } from "../../packages/server-kit/src/transports/http/http-limits.ts";

export const file = fileURLToPath(new URL("../../docs/limits.md", import.meta.url));

interface Group {
  /** Declares an interface whose members have a docstring each. */
  readonly source: string;
  readonly values: object;
  readonly switches: Readonly<Record<string, keyof typeof SHARED>>;
}

const GROUPS: Readonly<Record<"caller" | "http" | "kit", Group>> = {
  caller: { source: "packages/cli/src/operations/caller-limits.ts", values: CALLER_LIMITS, switches: { sessions: "sessionsPerUser" } },
  http: { source: "packages/server-kit/src/transports/http/http-limits.ts", values: DEFAULT_HTTP_LIMITS, switches: {} },
  kit: { source: "packages/server-kit/src/runtime/limits.ts", values: DEFAULT_LIMITS, switches: LIMIT_SWITCHES },
};

const dashed = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The sentence of a member, without its default, which has a column. */
function meaningOf(name: string, source: string): string {
  const [, meaning] = new RegExp(String.raw`/\*\* (.+?)(?: Default[^*]+)? \*/\n  (?:readonly )?${name}: number;`).exec(source) ?? [];
  if (meaning === undefined) throw new Error(`Limit ${name} without a docstring of one line`);
  return meaning.replaceAll(/\{@link \w+\}/g, "");
}

function table({ source, values, switches }: Group): string {
  const text = readFileSync(new URL(`../../${source}`, import.meta.url), "utf8");
  const rows = Object.entries(values).map(([name, value]) => {
    const flag = switches[name] === undefined ? "" : `\`${dashed(switches[name])}\``;
    return `| ${meaningOf(name, text)} | \`${name}\` | ${flag} | ${Number(value).toLocaleString("en")} |`;
  });
  return ["| what | name in code | switch | default |", "| --- | --- | --- | ---: |", ...rows].join("\n");
}

interface Measured {
  readonly figure: string;
  readonly of: string;
  readonly ours: number;
}

/** What the bench has measured, rounded up. */
function kibOf(figure: string): number {
  const text = readFileSync(new URL("../../docs/performance.json", import.meta.url), "utf8");
  const { rows } = JSON.parse(text) as { rows: Measured[] }; // our own
  const found = rows.find((row) => row.figure === figure && row.of === "ours-http");
  if (found === undefined) throw new Error(`docs/performance.json lacks ${figure}`);
  return Math.ceil(found.ours);
}

export function limitsPage(): string {
  const { connections, sessions } = DEFAULT_HTTP_LIMITS;
  return `# Limits

Every number that bounds a server, with its switch where there is one. A request beyond one is queued, or refused with an error that names it; the next request is served.
Log entries beyond \`logsPerSecond\` are dropped, and those of more than 65,536 characters cut. Times are in milliseconds.

<!-- written by tooling/docs/limits.ts from the declarations of the limits -->

## Of one caller, over HTTP

With an authorization server a caller is a person or program: the issuer and the subject of its token, over all its sessions and both eras. Without a login, and
with one token for everybody (\`--auth-token-file\`), each address is a caller, and each /64 network of IPv6. Behind a proxy that needs
[\`--trusted-proxies\`](proxy.md): otherwise all clients have the address of the proxy, and share these numbers.

${table(GROUPS.caller)}

The rate (\`--rate-limit\`, below) counts for a caller too, over all its sessions. A caller keeps at most 1,000 tasks; further calls are answered in place. With
\`--backplane\` sessions, rate and tasks count over all nodes, the other numbers on each node.

With a login, long calls of one person keep no other waiting: of the 8 processes that read a SQLite database one person has 6, of the 32 of git and of ripgrep
as many as the machine has cores (2 to 8), of the 16 connections to Postgres 6, and a free one takes the call of whom has the fewest running. Long work within the server goes on in slices of some
milliseconds, of each person in turn.

A refused request is answered with 429, or with 503 where the server as a whole is full, and with \`Retry-After\`. It counts in
\`oarlock_http_requests_refused_total\` of [\`/metrics\`](operate.md#health-and-metrics) by its limit, and leaves a warning with the name of the caller, one in a minute
for each caller, whatever the limit.

## Of a process that serves HTTP

${table(GROUPS.http)}

## Of a connection or session

${table(GROUPS.kit)}

## How large a machine

- **Memory**: an idle session takes ${kibOf("KiB per session")} KiB, one with an event stream ${kibOf("KiB per session with stream")} KiB ([measured](performance.md)), and up to \`eventBytes\` while it has events that
  its client has not read. The engine of \`--backplane\` keeps about 1 KB for a session besides its events.
- **Files**: a process opens a descriptor for each connection, and some for its data. \`LimitNOFILE=${2 * connections}\` in a systemd unit is enough for the ${connections.toLocaleString("en")} connections
  that it takes.
- **10 and 200 users**: one process with the defaults. Ten sessions of each of 200 users are ${(2000).toLocaleString("en")} of its ${sessions.toLocaleString("en")}. Set \`--sessions-per-user 50\` and \`--rate-limit 20/s\` where each user has a login.
- **5,000 users**: a process takes ${connections.toLocaleString("en")} connections, and a client with an open stream holds one or two. [Run three or more nodes](scaling.md).
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, limitsPage());
