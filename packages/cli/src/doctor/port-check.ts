// Port check: whether a server can listen on a port, and which process holds it.
import { createServer } from "node:net";
import { systemErrorCode } from "@oarlock/domain-kit";
import { addressOfHost } from "../shared-flags.ts";
import { platform } from "../platform.ts";
import { portRefusal } from "../start/port-refusal.ts";
import { quoted } from "../start/start-error.ts";
import { failed, passed, type Check } from "./check.ts";
import { listenerOf } from "./port-owner.ts";

export interface CheckedPort {
  /** The name of the check, which is also the switch of the port. */
  readonly name: string;
  readonly hostSwitch: string;
  readonly host: string;
  readonly port: number;
  /** Whether this server itself answers there, at `http://HOST:PORT`. */
  isOwn(origin: string): Promise<boolean>;
}

export async function checkPort({ name, hostSwitch, host, port, isOwn }: CheckedPort): Promise<Check> {
  const address = addressOfHost(host);
  const code = await listenCode(address, port);
  switch (code) {
    case undefined:
      return passed(name, port === 0 ? "Port 0 takes any free port." : `Port ${port} on ${address} is free.`);
    case "EADDRINUSE": {
      if (await isOwn(originOf(address, port))) return passed(name, `Port ${port} is served by this server, which runs already.`);
      const owner = listenerOf(port);
      const by = owner === undefined ? "another program" : `${owner.name} (process ${owner.id})`;
      return failed(
        name,
        `Port ${port} is already in use by ${by}.`,
        `Stop that program, choose another port with --${name}, or use --${name} 0 for any free one.`,
      );
    }
    case "EACCES": {
      const { problem, remedy } = portRefusal(port, `--${name}`, platform);
      return failed(name, problem, remedy);
    }
    default:
      return failed(
        name,
        `${quoted(host)} is not an address of this machine (${code}).`,
        `Correct ${hostSwitch}, or leave it out to listen on 127.0.0.1.`,
      );
  }
}

/** An address that stands for all of the machine is asked on loopback. */
function originOf(address: string, port: number): string {
  const reached = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/** Listens for a moment; the code of the error, or undefined. */
async function listenCode(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once("error", (error) => resolve(systemErrorCode(error) ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
