// A release as maintainers and the workflow make it, from a clone of this repository's last commit, on a registry on loopback.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@oarlock-tooling/test-support/built-file";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { approvable } from "../../release/src/publication/approve.ts";
import { prepare } from "../../release/src/publication/bootstrap.ts";
import { releaseStates } from "../../release/src/publication/check-release.ts";
import { Npm } from "../../release/src/publication/npm-command.ts";
import { readPackageList } from "../../release/src/publication/package-list.ts";
import { stageAll } from "../../release/src/publication/stage.ts";
import type { LoopbackRegistry } from "./loopback-registry.ts";
import { WORKFLOW_TOKEN } from "./staging-area.ts";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string }; // our own

export class Publication {
  readonly #clone: string;
  readonly #tarballs: string;
  readonly #maintainer: Npm;
  readonly #workflow: Npm;
  readonly #registry: LoopbackRegistry;

  /** `folder` gets the clone, which is installed here. */
  constructor(folder: string, registry: LoopbackRegistry) {
    this.#clone = join(folder, "clone");
    this.#tarballs = join(this.#clone, "tarballs");
    this.#registry = registry;
    [this.#maintainer, this.#workflow] = [this.#npm(folder, "maintainer"), this.#npm(folder, WORKFLOW_TOKEN)] as const;
    execFileSync("git", ["clone", "--quiet", root, this.#clone]);
  }

  async install(): Promise<void> {
    await this.#pnpm(["install", "--frozen-lockfile", "--prefer-offline"]);
  }

  addChangeset(text: string): void {
    writeFileSync(join(this.#clone, ".changeset/further.md"), `---\n"@oarlock/server-kit": patch\n---\n\n${text}\n`);
  }

  /** Applies the changesets, where there are any; builds and packs. */
  async pack(): Promise<string> {
    if (globSync("*.md", { cwd: join(this.#clone, ".changeset") }).some((file) => file !== "README.md")) await this.#applyChangesets();
    rmSync(this.#tarballs, { recursive: true, force: true });
    await this.#pnpm(["build"]);
    await this.#pnpm(["pack:all", "tarballs"]);
    return `${readPackageList(this.#tarballs).length} packages`;
  }

  async bootstrap(): Promise<string> {
    for (const { name } of readPackageList(this.#tarballs)) await prepare(name, this.#maintainer);
    return "every package trusts the workflow";
  }

  async stage(): Promise<string> {
    return counted((await stageAll(this.#tarballs, this.#digest(), this.#workflow)).values());
  }

  /** Gives the published version. */
  async approve(): Promise<string> {
    const ids = await approvable(this.#tarballs, this.#digest(), this.#maintainer);
    for (const id of ids.values()) await this.#maintainer.interact(["stage", "approve", id]);
    const states = counted((await releaseStates(this.#tarballs, this.#digest(), this.#workflow)).values());
    return `${this.#registry.latest("@oarlock/server-kit")}: ${states}`;
  }

  #digest(): string {
    return createHash("sha256")
      .update(readFileSync(join(this.#tarballs, "packages.json")))
      .digest("hex");
  }

  #npm(folder: string, token: string): Npm {
    const file = join(folder, `npmrc-${token}`);
    writeFileSync(file, `registry=${this.#registry.url}\n${this.#registry.url.replace(/^http:/, "")}:_authToken=${token}\n`);
    return new Npm({ ...process.env, npm_config_registry: this.#registry.url, npm_config_userconfig: file });
  }

  async #applyChangesets(): Promise<void> {
    await this.#pnpm(["run", "release:version"]);
    const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...args], { cwd: this.#clone });
    git("add", "--all");
    git("commit", "--quiet", "--message=Version packages");
  }

  async #pnpm(args: readonly string[]): Promise<void> {
    // What pnpm tells the scripts that it runs, as this one, is not for the clone; the registry of this machine is.
    const isOwn = ([name]: [string, unknown]): boolean => /^npm_config_registry$/i.test(name) || !/^(?:p?npm_|INIT_CWD$)/i.test(name);
    const env = Object.fromEntries(Object.entries(process.env).filter(isOwn));
    await outputOf("npx", ["-y", packageManager, ...args], { cwd: this.#clone, env });
  }
}

/** How often each outcome occurs. */
function counted(outcomes: Iterable<string>): string {
  const counts = Object.entries(Object.groupBy(outcomes, (outcome) => outcome));
  return counts.map(([outcome, all = []]) => `${all.length} ${outcome}`).join(", ");
}
