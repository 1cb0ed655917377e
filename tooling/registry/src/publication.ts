// A publication as the release workflow makes it, from a clone of this repository's last commit, to a registry on loopback.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@oarlock-tooling/test-support/built-file";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import type { LoopbackRegistry } from "./loopback-registry.ts";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string }; // our own

export class Publication {
  readonly #clone: string;
  readonly #npmrc: string;
  readonly #registry: LoopbackRegistry;

  /** `folder` gets the clone, which is installed here. */
  constructor(folder: string, registry: LoopbackRegistry) {
    this.#clone = join(folder, "clone");
    this.#npmrc = join(folder, "npmrc");
    this.#registry = registry;
    writeFileSync(this.#npmrc, `registry=${registry.url}\n${registry.url.replace(/^http:/, "")}:_authToken=loopback\n`);
    execFileSync("git", ["clone", "--quiet", root, this.#clone]);
  }

  async install(): Promise<void> {
    await this.#pnpm(["install", "--frozen-lockfile", "--prefer-offline"]);
  }

  addChangeset(text: string): void {
    writeFileSync(join(this.#clone, ".changeset/further.md"), `---\n"@oarlock/server-kit": patch\n---\n\n${text}\n`);
  }

  /** Applies the changesets, where there are any, and publishes what the registry lacks. Gives the new version. */
  async release(): Promise<string> {
    if (globSync("*.md", { cwd: join(this.#clone, ".changeset") }).some((file) => file !== "README.md")) await this.#applyChangesets();
    await this.#pnpm(["run", "release:publish"], { npm_config_registry: this.#registry.url, npm_config_userconfig: this.#npmrc });
    return this.#registry.latest("@oarlock/server-kit") ?? "nothing";
  }

  async #applyChangesets(): Promise<void> {
    await this.#pnpm(["run", "release:version"]);
    const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...args], { cwd: this.#clone });
    git("add", "--all");
    git("commit", "--quiet", "--message=Version packages");
  }

  async #pnpm(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
    // What pnpm tells the scripts that it runs, as this one, is not for the clone.
    const own = Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_/i.test(name) && name !== "INIT_CWD");
    await outputOf("npx", ["-y", packageManager, ...args], { cwd: this.#clone, env: { ...Object.fromEntries(own), ...kept(), ...env } });
  }
}

/** The registry of this machine, which an environment may name. */
const kept = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^npm_config_registry$/i.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
