// HTTP server: listens as the switches of --http say. Loaded with --http only.
import { existsSync, readFileSync } from "node:fs";
import type { Extension, Limits, Observer, Server } from "@oarlock/server-kit";
import type { Backplane } from "@oarlock/cluster/backplane";
import { serverCard, type ServerCard } from "@oarlock/extensions/server-card";
import { requestGuard, serveHttp, type HttpServer, type ServeHttpOptions } from "@oarlock/server-kit/node";
import { platform } from "./platform.ts";
import type { CliProcess } from "./process/cli-process.ts";
import { leanProcess } from "./process/lean-process.ts";
import { callerLimits } from "./operations/caller-limits.ts";
import { limitWarnings } from "./operations/limit-warnings.ts";
import type { Health } from "./operations/health.ts";
import type { WatchedStore } from "./operations/store-checks.ts";
import type { StoreFaults } from "./operations/store-faults.ts";
import { observeAll } from "./operations/observers.ts";
import type { OperationsServer } from "./operations/operations-server.ts";
import { addressOfHost, type SharedOptions } from "./shared-flags.ts";
import { requestedTools } from "./start/requested-tools.ts";
import { portRefusal } from "./start/port-refusal.ts";
import { quoted, StartError } from "./start/start-error.ts";
import type { LogSink } from "./stderr-log.ts";
import { tokenFileExposure } from "./start/file-mode.ts";
import type { MinimalTools } from "./start/minimal-tools.ts";
import { httpSetup } from "./start/http-setup.ts";

export interface HttpStart {
  name: string;
  options: SharedOptions;
  serverJson?: URL | undefined;
  /** The tools of the toolset minimal, for requests that name it. */
  minimal?: MinimalTools | undefined;
  limits: Partial<Limits>;
  extensions: readonly Extension[];
  observer?: Observer;
  log: LogSink;
  /** The databases that the server keeps. */
  stores: readonly WatchedStore[];
  /** What calls have found wrong with files of databases. */
  faults: StoreFaults;
  graceMs?: number;
  stateKeys: readonly string[];
  on: Pick<CliProcess, "env" | "isOwn">;
}

/**
 * Listens.
 * @throws StartError when the switches or the machine do not allow it.
 */
export async function startHttp(server: Server, { name, options, serverJson, minimal, on, ...start }: HttpStart): Promise<HttpServer> {
  const { port, socket, allowedOrigins, legacySse, dangerouslyAllowUnauthenticated } = options;
  const { host, auth, isOpen, behindProxies, openBackplane } = await httpSetup({ name, options, stateKeys: start.stateKeys, env: on.env });
  const backplane = await openBackplane?.();
  let operations: OperationsServer | undefined;
  let http: HttpServer | undefined;
  try {
    if (on.isOwn) leanProcess();
    server.use(requestedTools(server.tools, minimal));
    operations = await operationsOf(options);
    const hasPeople = auth?.metadata !== undefined;
    http = await serveHttp(server, {
      host,
      port,
      ...behindProxies,
      allowedOrigins,
      legacySse,
      dangerouslyAllowUnauthenticated,
      scope: name.replace(/^oarlock-/, ""),
      ...start,
      ...(socket !== undefined && { socket }),
      ...(auth !== undefined && { auth }),
      ...(backplane !== undefined && (await clusterOver(backplane))),
      callers: callerLimits({ sessions: options.sessionsPerUser, isPrincipalShared: !hasPeople }),
      observer: observeAll([start.observer, operations?.metrics, limitWarnings(start.log), await actingPeople(hasPeople)]),
      ...cardOf(serverJson, options.publicUrl ?? options.oauthAudience),
    });
    // Logged after the start: the first line of a failed start is its reason.
    if (isOpen)
      start.log("warning", `Listening on ${quoted(host)} without authentication: everyone who reaches that address can use this server.`);
    const exposure = options.authTokenFile === undefined ? undefined : tokenFileExposure(options.authTokenFile);
    if (exposure !== undefined) start.log("warning", `${exposure.problem} ${exposure.remedy}`);
    const stop = operations === undefined ? http.stop : drainFirst(http, operations, options.drainMs);
    operations?.started({ http, health: await healthOf(options, { ...start, backplane }) });
    if (operations !== undefined) start.log("notice", `health and metrics on ${operations.url}`);
    return { ...http, stop, ended: endOf(http, operations, backplane) };
  } catch (error) {
    operations?.close();
    await http?.stop();
    await backplane?.close();
    throw socket === undefined ? listenError(error, host, port) : socketError(error, socket);
  }
}

/** Loaded with a login only. */
const actingPeople = async (hasPeople: boolean): Promise<Observer | undefined> =>
  hasPeople ? (await import("./operations/acting-people.ts")).actingPeople : undefined;

/** Loaded with --backplane only. */
async function clusterOver(backplane: Backplane): Promise<Pick<ServeHttpOptions, "cluster">> {
  const { cluster } = await import("@oarlock/cluster");
  return { cluster: cluster({ backplane }) };
}

/** The backplane is closed last: a node that stops leaves it. */
async function endOf({ ended }: HttpServer, operations: OperationsServer | undefined, backplane: Backplane | undefined): Promise<void> {
  await ended;
  operations?.close();
  await backplane?.close();
}

/** Loaded with --ops-port only. */
async function healthOf(
  { oauthIssuer }: SharedOptions,
  { backplane, stores, faults, log }: Pick<HttpStart, "stores" | "faults" | "log"> & { backplane: Backplane | undefined },
): Promise<Health> {
  const [{ Health }, checks, { storeChecks }] = await Promise.all([
    import("./operations/health.ts"),
    import("./operations/health-checks.ts"),
    import("./operations/store-checks.ts"),
  ]);
  const issuer = oauthIssuer === undefined ? [] : [checks.issuerCheck(oauthIssuer)];
  const engine = backplane === undefined ? [] : [checks.backplaneCheck(backplane)];
  return new Health([...storeChecks(stores, faults), checks.descriptorCheck(), ...issuer, ...engine], log);
}

async function operationsOf({ opsPort, opsHost, allowedHosts }: SharedOptions): Promise<OperationsServer | undefined> {
  if (opsPort === undefined) return undefined;
  const { startOperations } = await import("./operations/operations-server.ts");
  const host = addressOfHost(opsHost);
  try {
    const guard = requestGuard({ host: host.includes(":") ? `[${host}]` : host, allowedHosts });
    return await startOperations({ host, port: opsPort, guard });
  } catch (error) {
    throw listenError(error, host, opsPort, OPERATIONS_SWITCHES);
  }
}

/** Takes requests until load balancers have seen that the server is not ready, then stops. */
function drainFirst(http: HttpServer, operations: OperationsServer, drainMs: number): () => Promise<void> {
  return () => {
    operations.draining();
    return http.stop(drainMs);
  };
}

const CARD_MEMBERS = ["name", "description", "version", "title", "websiteUrl", "repository", "icons"];

/** The server card: the members of `server.json` that describe the server. A copy of a server need not have that file. */
function cardOf(file: URL | undefined, publicUrl: string | undefined): Pick<ServeHttpOptions, "pages"> {
  if (file === undefined || !existsSync(file)) return {};
  const members = Object.entries(JSON.parse(readFileSync(file, "utf8")) as object).filter(([key]) => CARD_MEMBERS.includes(key));
  const card = Object.fromEntries(members) as unknown as ServerCard; // our own file, which tests validate
  return { pages: serverCard(publicUrl === undefined ? card : { ...card, url: publicUrl }) };
}

const HTTP_SWITCHES = { port: "--port", host: "--host" };
const OPERATIONS_SWITCHES = { port: "--ops-port", host: "--ops-host" };

function socketError(error: unknown, socket: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof StartError || code === undefined) return error instanceof TypeError ? new StartError(error.message, 2) : error;
  const problem = code === "EADDRINUSE" ? "already in use" : `${code}: expected a path in a folder that exists`;
  return new StartError(`Cannot listen on the socket ${quoted(socket)}: ${problem}. Choose another one with --socket.`, 3);
}

function listenError(error: unknown, host: string, port: number, switches = HTTP_SWITCHES): unknown {
  if (error instanceof StartError) return error;
  if (error instanceof TypeError) return new StartError(error.message, 2);
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} is already in use. Choose another one with ${switches.port}, or ${switches.port} 0 for any free port.`,
        3,
      );
    case "EACCES": {
      const { problem, remedy } = portRefusal(port, switches.port, platform);
      return new StartError(`${problem} ${remedy}`, 3);
    }
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL": // a link-local address without its interface
    case "EAFNOSUPPORT":
      return new StartError(`Cannot listen on ${quoted(host)}: not an address of this machine. Check ${switches.host}.`, 2);
    default:
      return error;
  }
}
