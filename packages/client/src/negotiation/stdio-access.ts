// Access to a server over one pipe: a process that is started, or a wire that exists.
import type { Wire } from "@oarlock/server-kit/protocol";
import { ConnectionClosedError } from "../errors.ts";
import type { ConnectOptions } from "../options.ts";
import { RestartableProcess } from "../transports/stdio/restartable-process.ts";
import { spawnServer, type Command, type ServerProcess } from "../transports/stdio/server-process.ts";
import type { EraName, ServerAccess } from "./server-access.ts";

export class ProcessAccess implements ServerAccess {
  readonly hasSharedTransport = true;
  readonly #command: Command;
  readonly #options: ConnectOptions;
  #process: RestartableProcess | undefined;

  constructor(command: Command, options: ConnectOptions) {
    this.#command = command;
    this.#options = options;
  }

  openStateless(): RestartableProcess {
    this.#process = new RestartableProcess(() => this.openSession(), this.#options.restarts ?? 0);
    return this.#process;
  }

  openSession(): ServerProcess {
    return spawnServer(this.#command, this.#options);
  }

  async hasExited(error: unknown): Promise<boolean> {
    const exit = await this.#process?.exited;
    const hasStarted = exit !== undefined && (exit.code !== null || exit.signal !== null);
    return error instanceof ConnectionClosedError && hasStarted;
  }

  onNegotiated(era: EraName): void {
    if (this.#process !== undefined) this.#process.mayRestart = era === "stateless";
  }
}

export const wireAccess = (wire: Wire): ServerAccess => ({
  hasSharedTransport: true,
  openStateless: () => wire,
  openSession: () => wire,
});
