/** Generated files: each file that follows from about.ts, with the text that it must have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { registryNameOf, REPOSITORY, SERVERS, type About } from "./about.ts";
import { badges } from "./badges.ts";
import { binariesTable } from "./binaries.ts";
import { containerfile } from "./containerfile.ts";
import { hostEntry, hostsPage } from "./hosts.ts";
import { fewTools, matrix } from "./matrix.ts";
import { askedOf, ownOptions, sharedOptions } from "./options-table.ts";
import { marketplace, pluginHooks, pluginJson, pluginServers } from "./plugin.ts";
import { folderOf, manifestOf, root, type Manifest } from "./repository.ts";
import { serverJson } from "./server-json.ts";
import { toolsReference } from "./tools-reference.ts";
import { allTools, leanTools, toolsTable } from "./tools-table.ts";
import { checkToolsets } from "./toolsets.ts";

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Files whose text needs the built servers. */
export async function writtenFromBuilt(): Promise<[file: string, text: string][]> {
  for (const about of SERVERS) checkToolsets(about);
  const tools = SERVERS.map(async (about): Promise<[string, string][]> => [
    pageWith(join(folderOf(about), "README.md"), { tools: await toolsTable(about) }),
    [join(folderOf(about), "TOOLS.md"), toolsReference(about, await allTools(about), await leanTools(about))],
  ]);
  return [
    pageWith(join(root, "README.md"), { "what each server shows": `${await matrix()}\n` }),
    pageWith(join(root, "docs/hosts.md"), { "few tools": `${await fewTools()}\n` }),
    ...(await Promise.all(tools)).flat(),
  ];
}

/** Of the repository at `at`. */
export async function written(at = root): Promise<[file: string, text: string][]> {
  const node = manifestOf(at).devDependencies?.node ?? "";
  const files = SERVERS.map(async (about): Promise<[string, string][]> => {
    const folder = folderOf(about, at);
    const manifest = manifestOf(folder);
    return [
      [join(folder, "package.json"), json(withAbout(manifest, about))],
      versionConstant(join(folder, "src/server.ts"), manifest.version),
      [join(folder, "server.json"), json(serverJson(about, manifest.version, await askedOf(about)))],
      [join(folder, "Dockerfile"), containerfile(about, node)],
      [join(folder, ".claude-plugin/plugin.json"), json(pluginJson(about, manifest.version))],
      [join(folder, ".mcp.json"), json(pluginServers(about))],
      ...(about.name === "memory" ? [[join(folder, "hooks/hooks.json"), json(pluginHooks(about))] satisfies [string, string]] : []),
      pageWith(join(folder, "README.md"), { "what hosts need": `${hostEntry(about)}\n`, switches: await ownOptions(about) }),
    ];
  });
  const client = join(at, "packages/client");
  const pictures = badges(at).map(([name, svg]): [string, string] => [join(at, `docs/badges/${name}.svg`), svg]);
  return [
    ...(await Promise.all(files)).flat(),
    pageWith(join(at, "docs/hosts.md"), { hosts: `${hostsPage(SERVERS)}\n` }),
    pageWith(join(at, "docs/configuration.md"), { "switches of every server": sharedOptions() }),
    pageWith(join(at, "docs/platforms.md"), { binaries: `${binariesTable()}\n` }),
    [join(at, ".claude-plugin/marketplace.json"), json(marketplace())],
    versionConstant(join(client, "src/version.ts"), manifestOf(client).version),
    ...pictures,
  ];
}

/** Servers and the client report a constant version: reading package.json would cost another file at each start. */
function versionConstant(file: string, version: string): [file: string, text: string] {
  const line = /^export const version = ".*";$/m;
  const text = readFileSync(file, "utf8");
  if (!line.test(text)) throw new Error(`${file} has no line "export const version = …"`);
  return [file, text.replace(line, `export const version = "${version}";`)];
}

/** A page with its generated parts, by their names. */
export const pageWith = (file: string, parts: Readonly<Record<string, string>>): [file: string, text: string] => [
  file,
  Object.entries(parts).reduce((page, [what, text]) => between(page, what, text), readFileSync(file, "utf8")),
];

/** The manifest with what registries read, behind the licence. */
function withAbout({ name, version, description, license, ...rest }: Manifest, about: About): object {
  for (const key of ["keywords", "homepage", "bugs", "repository", "mcpName"]) delete rest[key];
  const directory = `servers/${about.name}`;
  return {
    name,
    version,
    description,
    keywords: ["mcp", "model-context-protocol", "mcp-server", ...about.keywords],
    homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
    bugs: `${REPOSITORY}/issues`,
    license,
    repository: { type: "git", url: `git+${REPOSITORY}.git`, directory },
    mcpName: registryNameOf(about),
    ...rest,
  };
}

/** Replaces the text between two marker comments of a page. */
function between(page: string, what: string, text: string): string {
  const [begin, end] = [`<!-- ${what}, written by tooling/release -->`, `<!-- end of ${what} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`A page lacks the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n${page.slice(to)}`;
}
