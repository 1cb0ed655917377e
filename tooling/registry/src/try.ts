/**
 * From a registry to a running server, as users do it: `pnpm registry:try` releases on loopback as maintainers and the workflow do, runs everything
 * from there with every package manager on every supported Node, upgrades, and prints a table.
 */
import { tempFolder } from "@oarlock/testing";
import { tryOwnServer, tryServers } from "./first-use.ts";
import { LoopbackRegistry } from "./loopback-registry.ts";
import { NewUser } from "./new-user.ts";
import { Publication } from "./publication.ts";
import { StepTable, warningsOf } from "./step-table.ts";
import { tryTool } from "./tool-matrix.ts";
import { installTools } from "./toolchain.ts";
import { findData, prepareProject, SERVER_NAMES, storeData } from "./upgrade.ts";

await using folder = tempFolder({ tools: {} });
await using registry = await LoopbackRegistry.start();
const tools = installTools(folder.at("tools"));
const npm = tools.find(({ title, node }) => title.startsWith("npm") && node === process.versions.node);
if (npm === undefined) throw new Error(`The table of tools lacks this Node, ${process.version}.`);
const publication = new Publication(folder.path, registry);
await publication.install();
const names = SERVER_NAMES.map((name) => `@oarlock/${name}`);
const table = new StepTable(registry);
const release = { tool: "pnpm, npm", node: process.versions.node };

const step = (name: string, work: () => Promise<string>): Promise<void> => table.step({ step: name, ...release }, work);
const publish = async (): Promise<void> => {
  await step("release:version, build, pack:all", () => publication.pack());
  await step("release:bootstrap", () => publication.bootstrap());
  await step("stage", () => publication.stage());
  await step("release:approve", () => publication.approve());
};

await publish();
await tryServers(npm, registry, table);
await tryOwnServer(npm, registry, table);
for (const tool of tools) await tryTool(tool, registry, table);

await using user = new NewUser(registry.url, npm.programs);
prepareProject(user);
const by = { tool: npm.title, node: npm.node };
const install = async (): Promise<string> =>
  warningsOf(await user.run("npm", ["install", ...names.map((name) => `${name}@latest`)], "project"));
await table.step({ step: "npm install of the first version", ...by }, install);
for (const name of SERVER_NAMES) await table.step({ step: `data by ${name}`, ...by }, () => storeData(user, name));
publication.addChangeset("A further version.");
await publish();
await table.step({ step: "npm install of the next version", ...by }, install);
for (const name of SERVER_NAMES) await table.step({ step: `data of ${name} after the upgrade`, ...by }, () => findData(user, name));

process.exitCode = table.failures === 0 ? 0 : 1;
