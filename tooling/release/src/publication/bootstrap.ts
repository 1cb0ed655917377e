/**
 * Prepares npm for releases by the workflow: `pnpm release:bootstrap [--dry-run]`. Publishes a placeholder of each package that npm does not know,
 * forbids tokens, and trusts the workflow to stage, not to publish. It can be repeated: what is done is left alone. A dry run only reads.
 */
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { OWNER, REPOSITORY } from "../about.ts";
import { manifestOf, publishedFolders, root } from "../repository.ts";
import { Npm } from "./npm-command.ts";
import { publishedVersions } from "./published-version.ts";

/** The part of a trusted publisher that matters here, as `npm trust list` prints it. */
const TRUSTED = { type: "github", file: "release.yml", repository: `${OWNER}/${OWNER}`, environment: "npm" };
const VERSION = "0.0.0-placeholder";
/** npm asks for two seconds between calls, and for a second factor at most every five minutes. */
const PAUSE_MS = 2000;

const PUBLISH = ["publish", "--access=public", "--tag=placeholder"];
/** A second factor for each publication, and no token. */
const forbidTokens = (name: string): string[] => ["access", "set", "mfa=publish", name];
const trust = (name: string): string[] => {
  const { file, repository, environment } = TRUSTED;
  const publisher = Object.entries({ file, repository, environment }).map(([key, value]) => `--${key}=${value}`);
  return ["trust", "github", name, ...publisher, "--allow-stage-publish", "--yes"];
};

/** What a dry run prints of a package: each command, and whether npm knows the name. */
export async function plannedSteps(name: string, npm: Npm): Promise<string[]> {
  const isKnown = (await publishedVersions(await npm.registry(), name)) !== undefined;
  const [publish, ...others] = [PUBLISH, forbidTokens(name), trust(name)].map((args) => `${name}: npm ${args.join(" ")}`);
  return [
    isKnown ? `${name}: is on npm, so no npm publish` : `${publish} # ${VERSION}`,
    ...others.map((line) => `${line} # unless it is set`),
  ];
}

/** Takes the steps that are missing. Returns what was done: nothing where the package was ready. */
export async function prepare(name: string, npm: Npm): Promise<string[]> {
  const done: string[] = [];
  if ((await publishedVersions(await npm.registry(), name)) === undefined) {
    await publishPlaceholder(name, npm);
    done.push("placeholder published");
  }
  if (await isTrusted(name, npm)) return done;
  await npm.interact(forbidTokens(name));
  await npm.interact(trust(name)); // last: a package that trusts the workflow is ready
  return [...done, "tokens forbidden", "workflow trusted"];
}

async function publishPlaceholder(name: string, npm: Npm): Promise<void> {
  const manifest = { name, version: VERSION, description: "Reserved: the first release follows.", license: "MIT", repository: REPOSITORY };
  using folder = mkdtempDisposableSync(join(tmpdir(), "oarlock-placeholder-"));
  writeFileSync(join(folder.path, "package.json"), JSON.stringify(manifest));
  await npm.interact(PUBLISH, folder.path);
}

async function isTrusted(name: string, npm: Npm): Promise<boolean> {
  const list = ["trust", "list", name, "--json"];
  const first = await npm.run(list);
  // npm asks for the second factor only where its output is a terminal.
  if (/EOTP/.test(first.stderr)) await npm.interact(list);
  const text = first.code === 0 ? first.stdout.trim() : await npm.output(list);
  if (text === "") return false;
  const found = JSON.parse(text) as typeof TRUSTED & { id: string; permissions?: string[] }; // npm knows one publisher for each package
  const isOurs = Object.entries(TRUSTED).every(([key, value]) => found[key as keyof typeof TRUSTED] === value); // a key of it
  if (isOurs && found.permissions?.join() === "createStagedPackage") return true;
  throw new Error(
    `${name} trusts another publisher, or to publish without approval:\n${text}\nRevoke it: npm trust revoke ${name} --id ${found.id}`,
  );
}

if (import.meta.main) {
  const npm = new Npm();
  const names = publishedFolders().map((folder) => manifestOf(join(root, folder)).name);
  const isDryRun = process.argv.includes("--dry-run");
  if (!isDryRun) {
    await npm.checkVersion();
    console.log(`Logged in as ${await npm.output(["whoami"])}, at ${await npm.registry()}`);
  }
  for (const name of names) {
    if (isDryRun) {
      for (const line of await plannedSteps(name, npm)) console.log(line);
      continue;
    }
    const done = await prepare(name, npm);
    console.log(`${name}: ${done.join(", ") || "ready"}`);
    if (done.length > 0) await setTimeout(PAUSE_MS);
  }
}
