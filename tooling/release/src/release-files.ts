/**
 * Makes what a release on GitHub has: a bundle and a list of components of each server, and the notes. `pnpm release:files FOLDER`, once npm has the
 * version of this commit; npm verifies the signatures and attestations of everything that it installs.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { connect } from "@oarlock/client";
import { tempFolder } from "@oarlock/testing";
import { commandOf, packageOf, SERVERS } from "./about.ts";
import { forOtherMachines, makeBundle } from "./make-bundle.ts";
import { notesOf } from "./notes.ts";
import { addAnyway, installPublished } from "./pack.ts";
import { manifestOf, root } from "./repository.ts";
import { sbomOf } from "./sbom.ts";

const into = resolve(process.env.INIT_CWD ?? "", process.argv[2] ?? "release");
const { version } = manifestOf(join(root, "packages/server-kit"));
mkdirSync(into, { recursive: true });
writeFileSync(join(into, "notes.md"), notesOf(version));
for (const about of SERVERS) {
  await using work = tempFolder({ installed: {} });
  const installed = work.at("installed");
  await installPublished(packageOf(about), version, installed);
  await outputOf("npm", ["audit", "signatures"], { cwd: installed });
  writeFileSync(join(into, `${commandOf(about)}-${version}.cdx.json`), `${JSON.stringify(await sbomOf(about, installed), undefined, 2)}\n`);
  await addAnyway(forOtherMachines(installed), installed);
  const bin = join(installed, "node_modules/.bin", commandOf(about));
  await using client = await connect({ command: process.execPath, args: [bin, ...(about.positionals === undefined ? [] : [work.path])] });
  const tools = (await Array.fromAsync(client.tools())).map(({ name, description = "" }) => ({ name, description }));
  const bundle = await makeBundle(about, installed, work.path, tools);
  cpSync(bundle, join(into, `${commandOf(about)}-${version}.mcpb`));
}
