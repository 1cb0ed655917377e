/** Makes the bundle of a server that is on npm: `node src/bundle.ts git 1.2.3 FOLDER`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@oarlock/client";
import { commandOf, packageOf, SERVERS } from "./about.ts";
import { forOtherMachines, makeBundle } from "./make-bundle.ts";
import { addAnyway, installPublished } from "./pack.ts";

const [name, version = "", work = ""] = process.argv.slice(2);
const about = SERVERS.find((server) => server.name === name);
if (about === undefined || version === "" || work === "") throw new Error("usage: bundle.ts NAME VERSION FOLDER");
const installed = join(work, "installed");
mkdirSync(installed, { recursive: true });
await installPublished(packageOf(about), version, installed);
await addAnyway(forOtherMachines(installed), installed);
const bin = join(installed, "node_modules/.bin", commandOf(about));
await using client = await connect({ command: process.execPath, args: [bin, ...(about.positionals === undefined ? [] : [work])] });
const tools = await Array.fromAsync(client.tools());
const described = tools.map(({ name: tool, description = "" }) => ({ name: tool, description }));
console.log(await makeBundle(about, installed, work, described));
