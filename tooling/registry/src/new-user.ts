// A new user: a home and a cache that are empty, and a registry from which everything comes.
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runProgram, type ProgramResult } from "@oarlock-tooling/test-support/run-program";
import { tempFolder, type TempFolder } from "@oarlock/testing";

/** Variables that say how this machine reaches the network. */
const KEPT = ["NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/** Longer than any installation here takes. */
const TIME_LIMIT_MS = 300_000;

export class NewUser implements AsyncDisposable {
  readonly #folder: TempFolder;
  readonly env: Record<string, string>;

  /** `programs`: folders of the programs that are found first. Default: of the Node that runs this. */
  constructor(registry: string, programs: readonly string[] = [dirname(process.execPath)]) {
    this.#folder = tempFolder();
    for (const name of ["home", "work"]) mkdirSync(this.at(name));
    // Yarn 2 and later has a file of its own. It allows the registry by HTTP only by a setting, and knows no other file.
    writeFileSync(this.at("home/.npmrc"), `registry=${registry}\n`);
    writeFileSync(
      this.at("home/.yarnrc.yml"),
      `npmRegistryServer: ${registry}\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableTelemetry: false\n`,
    );
    const { PATH = "" } = process.env;
    const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
    this.env = {
      ...Object.fromEntries(kept),
      PATH: [...programs, PATH].join(delimiter),
      HOME: this.at("home"),
      npm_config_registry: registry,
      npm_config_cache: this.at("cache"),
      npm_config_userconfig: this.at("home/.npmrc"),
      YARN_CACHE_FOLDER: this.at("cache/yarn"),
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
    };
  }

  at(path: string): string {
    return join(this.#folder.path, path);
  }

  /** Runs a command in the folder `work`, or in one below it. */
  run(command: string, args: readonly string[], folder = "."): Promise<ProgramResult> {
    return runProgram(command, args, { cwd: join(this.at("work"), folder), env: this.env, timeoutMs: TIME_LIMIT_MS });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder[Symbol.asyncDispose]();
  }
}
