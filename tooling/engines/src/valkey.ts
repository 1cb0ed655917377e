// startValkey: a Valkey or Redis server without data, for one test file.
import { once } from "node:events";
import { connect } from "node:net";
import { namedEngine, type Engine, type EngineOptions } from "./engine.ts";
import { engineFolder } from "./engine-folder.ts";
import { EngineProcess } from "./engine-process.ts";
import { freePort } from "./free-port.ts";
import { valkeyProgram } from "./valkey-program.ts";

const VARIABLE = "OARLOCK_TEST_VALKEY";

/** A node of a cluster listens on a second port at this distance. */
const BUS_DISTANCE = 10_000;

export interface ValkeyOptions extends EngineOptions {
  /** Writes each change to disk, so that it survives `kill` and `restart`. Default false: nothing does. */
  readonly isPersistent?: boolean;
  /** A node for a cluster. Default false. */
  readonly isClusterNode?: boolean;
  readonly password?: string;
}

/** Why no Valkey can be started here; undefined if it can. */
export async function missingValkey({ own = false }: EngineOptions = {}): Promise<string | undefined> {
  if (!own && process.env[VARIABLE] !== undefined) return undefined;
  const program = await valkeyProgram();
  return typeof program === "string" ? `no Valkey: ${VARIABLE} is not set, and ${program}` : undefined;
}

/** Starts Valkey or Redis, or returns the one that `OARLOCK_TEST_VALKEY` names. */
export async function startValkey(options: ValkeyOptions = {}): Promise<Engine> {
  const { own = false, isPersistent = false, isClusterNode = false, password } = options;
  const named = process.env[VARIABLE];
  if (!own && named !== undefined) return namedEngine(named, VARIABLE);
  const program = await valkeyProgram();
  if (typeof program === "string") throw new Error(`There is ${(await missingValkey({ own })) ?? "no Valkey"}.`);
  const folder = engineFolder();
  const port = await freePort(isClusterNode ? [BUS_DISTANCE] : []);
  const args = [
    ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    isPersistent ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"],
    isClusterNode ? ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"] : [],
    password === undefined ? [] : ["--requirepass", password],
  ].flat();
  const login = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  return await EngineProcess.start(`valkey://${login}127.0.0.1:${port}`, folder, {
    // It writes its log to stdout.
    command: "sh",
    args: ["-c", 'exec "$0" "$@" >&2', program.command, ...program.args, ...args],
    stopSignal: "SIGTERM",
    probe: () => probeValkey(port),
  });
}

/** While it loads its data, or without a password, it answers with an error: the first is not ready, the second is. */
async function probeValkey(port: number): Promise<void> {
  const reply = await sendValkey(port, "PING");
  if (!/^(\+PONG|-NOAUTH)/.test(reply)) throw new Error(reply);
}

/** Sends one command without its client library and returns the first part of the reply. */
export async function sendValkey(port: number, command: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", timeout: 1000 });
  socket.once("timeout", () => socket.destroy(new Error("no reply")));
  try {
    socket.write(`${command}\r\n`);
    const [data] = (await once(socket, "data")) as [Buffer]; // what sockets without an encoding emit
    return data.toString();
  } finally {
    socket.destroy();
  }
}
