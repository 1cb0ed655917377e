/**
 * Fails unless npm has every tested tarball, with its content and a provenance: `node check-release.ts FOLDER DIGEST`. Nothing is announced before.
 */
import { Npm } from "./npm-command.ts";
import { readPackageList } from "./package-list.ts";
import { publishedState, type PublishedState } from "./published-version.ts";

/** The state of each package of a folder in the registry. */
export async function releaseStates(folder: string, digest: string, npm: Npm): Promise<ReadonlyMap<string, PublishedState>> {
  const registry = await npm.registry();
  const states = new Map<string, PublishedState>();
  for (const one of readPackageList(folder, digest)) states.set(`${one.name}@${one.version}`, await publishedState(registry, one));
  return states;
}

if (import.meta.main) {
  const [folder = "", digest = ""] = process.argv.slice(2);
  const states = [...(await releaseStates(folder, digest, new Npm()))];
  for (const [name, state] of states) console.log(`${name}: ${state}`);
  if (states.some(([, state]) => state !== "published")) {
    console.log(
      "Nothing is announced. Approve what is missing (pnpm release:approve) and run this job again; never announce what differs.",
    );
    process.exitCode = 1;
  }
}
