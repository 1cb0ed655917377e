/** Observed server: a server process with the gauge loaded. */
import { fileURLToPath } from "node:url";
import { ServerProcess, type Program } from "@oarlock-tooling/test-support/server-process";
import type { Inside } from "./gauge.ts";
import { Pipe } from "./pipe.ts";

const GAUGE = fileURLToPath(import.meta.resolve("./gauge.ts"));

export class ObservedServer extends ServerProcess {
  readonly pipe: Pipe;
  readonly #requested = new Map<number, (inside: Inside) => void>();
  #ids = 0;

  constructor(program: Program) {
    super({ ...program, args: ["--expose-gc", `--import=${GAUGE}`, ...program.args] }, ["pipe", "pipe", "pipe", "ipc"]);
    this.pipe = new Pipe(this.child);
    this.child.on("message", ({ id, inside }: { id: number; inside: Inside }) => {
      this.#requested.get(id)?.(inside);
      this.#requested.delete(id);
    });
  }

  inside(): Promise<Inside> {
    return new Promise((resolve, reject) => {
      const id = ++this.#ids;
      this.#requested.set(id, resolve);
      this.child.send(id, (error) => error !== null && reject(new Error(`the server exited: ${this.stderr}`)));
    });
  }
}
