/** Runs the command line of the sample server in this process: arguments and variables in, texts and an exit code out. */
import { homedir } from "node:os";
import { linkMemory, type Server } from "@oarlock/server-kit";
import type { StdioOptions, StdioServer } from "@oarlock/server-kit/node";
import type { CliProcess } from "../../src/process/cli-process.ts";
import type { TextStream } from "../../src/process/environment.ts";
import type { ProcessLifecycle } from "../../src/process/process-lifecycle.ts";
import { runCli } from "../../src/run-cli.ts";
import { sampleSpec } from "../fixtures/sample.ts";
import { SampleClient, type Ended } from "./sample-client.ts";

// Loaded here, so that no test waits for modules that the command line loads when it needs them.
import "../../src/doctor/doctor.ts";
import "../../src/http-server.ts";
import "../../src/install/install.ts";
import "../../src/operations/operations-server.ts";

type Wire = ReturnType<typeof linkMemory>;

/** `~` leads to the home folder of whoever runs the tests. */
export const HOME = homedir();

export interface StartOptions {
  env?: Record<string, string>;
  /** Where files of a project are looked for. */
  cwd?: string;
  isTerminal?: boolean;
  execArgv?: readonly string[];
  /** The file of the program, as in `process.argv`. Default: not known, so `doctor` does not start it. */
  script?: string;
}

export class Sample extends SampleClient {
  readonly ended: Promise<Ended>;
  readonly #wire = Promise.withResolvers<Wire>();
  readonly #lifecycle: ProcessLifecycle;
  readonly #run: Promise<void>;

  constructor(args: readonly string[], options: StartOptions = {}) {
    super();
    const exit = Promise.withResolvers<number>();
    const atExit: (() => void)[] = [];
    this.ended = exit.promise.then((code) => ({ code, stdout: this.stdout, stderr: this.stderr }));
    this.#lifecycle = { stop: () => exit.resolve(0), setDeadline: () => undefined };
    const [stdout, stderr] = [this.#stream("stdout"), this.#stream("stderr")];
    const on: CliProcess = {
      argv: [process.execPath, options.script ?? "", ...args],
      execArgv: options.execArgv ?? [],
      env: { HOME, ...options.env },
      isTerminal: options.isTerminal ?? false,
      stdout,
      stderr,
      cwd: () => options.cwd ?? process.cwd(),
      manage: () => this.#lifecycle,
      serveStdio: (server, served) => this.#serve(server, served),
      isOwn: false,
      onExit: (action) => void atExit.push(action),
      exit(code, stream = stderr, text = "") {
        for (const action of atExit.splice(0)) action();
        stream.write(text, () => exit.resolve(code));
      },
    };
    this.#run = runCli(
      sampleSpec(args.at(-1), (text) => this.receive("stderr", `${text}\n`)),
      on,
    );
  }

  /** As a signal does. */
  async stop(): Promise<Ended> {
    this.#lifecycle.stop();
    return this.ended;
  }

  async end(): Promise<Ended> {
    const wire = await Promise.race([this.#wire.promise, this.ended]);
    if ("close" in wire) await wire.close();
    await this.#run;
    return this.ended;
  }

  protected sendLine(text: string): void {
    void this.#wire.promise.then((wire) => wire.send(text));
  }

  #stream(name: "stdout" | "stderr"): TextStream {
    return {
      write: (text, done) => {
        this.receive(name, text);
        done?.();
        return true;
      },
    };
  }

  #serve(server: Server, options: StdioOptions): StdioServer {
    const wire = linkMemory(server, options);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    wire.onText = (text) => this.receive("stdout", `${text}\n`);
    wire.onClose = () => resolve();
    this.#wire.resolve(wire);
    return { ended, stop: () => wire.close() };
  }
}

/** Runs to the end without a message. */
export const run = (args: readonly string[], options?: StartOptions): Promise<Ended> => new Sample(args, options).end();

/** Starts, shakes hands, looks, ends. */
export async function look<T>(args: readonly string[], seen: (sample: Sample) => Promise<T>, options?: StartOptions): Promise<T> {
  const sample = new Sample(args, options);
  try {
    return await seen(await sample.handshake());
  } finally {
    await sample.end();
  }
}
