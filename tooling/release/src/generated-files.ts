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
  const tools = SERVERS.map(async (about): Promise<[string, string][]> => {
    const readme = pageAt(folderOf(about), "README.md");
    return [
      [readme.file, between(readme.text, "tools", await toolsTable(about))],
      [join(folderOf(about), "TOOLS.md"), toolsReference(about, await allTools(about), await leanTools(about))],
    ];
  });
  const readme = pageAt(root, "README.md");
  const hosts = pageAt(root, "docs/hosts.md");
  return [
    [readme.file, between(readme.text, "what each server shows", `${await matrix()}\n`)],
    [hosts.file, between(hosts.text, "few tools", `${await fewTools()}\n`)],
    ...(await Promise.all(tools)).flat(),
  ];
}

/** Of the repository at `at`. */
export async function written(at = root): Promise<[file: string, text: string][]> {
  const node = manifestOf(at).devDependencies?.node ?? "";
  const files = SERVERS.map(async (about): Promise<[string, string][]> => {
    const folder = folderOf(about, at);
    const manifest = manifestOf(folder);
    const { file, text } = pageAt(folder, "README.md");
    const withHosts = between(text, "what hosts need", `${hostEntry(about)}\n`);
    return [
      [join(folder, "package.json"), json(withAbout(manifest, about))],
      versionConstant(join(folder, "src/server.ts"), manifest.version),
      [join(folder, "server.json"), json(serverJson(about, manifest.version, await askedOf(about)))],
      [join(folder, "Dockerfile"), containerfile(about, node)],
      [join(folder, ".claude-plugin/plugin.json"), json(pluginJson(about, manifest.version))],
      [join(folder, ".mcp.json"), json(pluginServers(about))],
      ...(about.name === "memory" ? [[join(folder, "hooks/hooks.json"), json(pluginHooks(about))] satisfies [string, string]] : []),
      [file, between(withHosts, "switches", await ownOptions(about))],
    ];
  });
  const hosts = pageAt(at, "docs/hosts.md");
  const configuration = pageAt(at, "docs/configuration.md");
  const platforms = pageAt(at, "docs/platforms.md");
  const pages: [string, string][] = [
    [hosts.file, between(hosts.text, "hosts", `${hostsPage(SERVERS)}\n`)],
    [configuration.file, between(configuration.text, "switches of every server", sharedOptions())],
    [platforms.file, between(platforms.text, "binaries", `${binariesTable()}\n`)],
  ];
  const client = join(at, "packages/client");
  const pictures = badges(at).map(([name, svg]): [string, string] => [join(at, `docs/badges/${name}.svg`), svg]);
  return [
    ...(await Promise.all(files)).flat(),
    ...pages,
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

function pageAt(folder: string, name: string): { file: string; text: string } {
  const file = join(folder, name);
  return { file, text: readFileSync(file, "utf8") };
}

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
export function between(page: string, what: string, text: string): string {
  const [begin, end] = [`<!-- ${what}, written by tooling/release -->`, `<!-- end of ${what} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`A page lacks the lines ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n${page.slice(to)}`;
}
