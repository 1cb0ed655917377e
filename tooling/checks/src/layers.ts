/** Rules for imports and files. Each rule takes sources and returns one line per violation. */
import { isBuiltin } from "node:module";
import { importsOf, literalsOf, type Import, type Sources } from "./sources.ts";

type Rule = (sources: Sources) => string[];

const KIT = "@oarlock/server-kit";
const EXTENSIONS = "@oarlock/extensions";

/** What serves a server on several nodes. */
const CLUSTER = "@oarlock/cluster";

/** Protocol-free helpers, which the domains of servers may import too. */
const DOMAIN_KIT = "@oarlock/domain-kit";

/** The folders of the kit, each with the folders that it imports directly; it may import what those import, too. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  transports: ["runtime"],
  runtime: ["features", "peer"],
  peer: ["revisions"],
  features: ["protocol"],
  revisions: ["protocol"],
  protocol: ["wire"],
  wire: [],
};

/** Words of the options that plug into a port of the kit. */
const OPTION = /^(apps|skills?|tasks?|ui|views?)$/i;

/** The option whose port the HTTP transport declares. */
const CLUSTER_OPTION = /^(backplanes?|clusters?)$/i;

/** Files of the kit that touch the platform; everything else runs anywhere. */
const PLATFORM_FILES = /^(transports\/stdio\.ts|transports\/stdout-guard\.ts|transports\/http\/node(\.ts|\/.+)|peer\/sealer\.ts)$/;

const REVISION_DATE = /20(24-11-05|25-03-26|25-06-18|25-11-25|26-07-28)/;

/** Domain folders of the servers: they would survive a move to another protocol. */
const DOMAIN = /^servers\/[^/]+\/src\/(disk|repo|db|graph)\//;

/** Parts of a server that are loaded when a switch names them. */
const ADDON = /^servers\/[^/]+\/src\/addons\/([^/]+)\//;

/** What differs between operating systems, which every file of a server may read. */
const PLATFORM_MODULE = /^servers\/[^/]+\/src\/platform\.ts$/;

const MAX_LINES = 250;

const each = (isViolation: (link: Import) => boolean): Rule => {
  return (sources) =>
    Object.entries(sources)
      .flatMap(([path, text]) => importsOf(path, text))
      .filter(isViolation)
      .map((link) => `${link.from} → ${link.to}`);
};

const inKit = (path: string): string | undefined => /^packages\/server-kit\/src\/(.+)$/.exec(path)?.[1];

/** `wire/id.ts` → `wire`; the public entries (`index.ts`, `node.ts`, …) are in no folder. */
const folderOf = (path: string): string | undefined => (path.includes("/") ? path.split("/")[0] : undefined);

function reach(folder: string): Set<string> {
  const folders = new Set([folder]);
  for (const next of folders) for (const right of ALLOWED_IMPORTS[next] ?? []) folders.add(right);
  return folders;
}

export const kitFolderImports = each(({ from, to }) => {
  const folder = folderOf(inKit(from) ?? "");
  if (to.startsWith("@oarlock/")) return inKit(from) !== undefined;
  if (folder === undefined || !to.startsWith("packages/")) return false;
  const target = folderOf(inKit(to) ?? "");
  return target === undefined || !(folder in ALLOWED_IMPORTS) || !reach(folder).has(target);
});

export const revisionsThroughIndex = each(({ from, to }) => {
  const target = inKit(to);
  if (target === undefined || folderOf(target) !== "revisions" || target === "revisions/index.ts") return false;
  return folderOf(inKit(from) ?? "") !== "revisions";
});

export const platformImports = each(({ from, to }) => {
  const file = inKit(from);
  return file !== undefined && isBuiltin(to) && !PLATFORM_FILES.test(file);
});

/** The words of a text, those of `camelCase` names one by one. */
const wordsIn = (text: string): readonly string[] => text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];

/**
 * Files of the kit that name an option, in code or comments, each with the first such word. Left out are `revisions/`, which has the words of
 * the published messages, and for the cluster the HTTP transport.
 */
export const optionsInCore: Rule = (sources) =>
  Object.entries(sources).flatMap(([path, text]) => {
    const file = inKit(path);
    if (file === undefined || file.startsWith("revisions/")) return [];
    const isOption = (word: string): boolean => OPTION.test(word) || (CLUSTER_OPTION.test(word) && !file.startsWith("transports/http/"));
    const named = wordsIn(text).find(isOption);
    return named === undefined ? [] : [`${path}: ${named}`];
  });

export const datesInRevisions: Rule = (sources) =>
  Object.entries(sources)
    .filter(([path]) => inKit(path) !== undefined && folderOf(inKit(path) ?? "") !== "revisions")
    .flatMap(([path, text]) => literalsOf(text).flatMap((literal) => (REVISION_DATE.test(literal) ? [`${path}: ${literal}`] : [])));

/**
 * Types may come from the kit's main entry too: the in-memory transport is declared there. Skills share the reader of frontmatter, and the
 * command line starts programs as the client does.
 */
export const clientImports = each(({ from, to, typeOnly }) => {
  if (!from.startsWith("packages/client/src/")) return false;
  if (to.startsWith("packages/")) return !to.startsWith("packages/client/");
  return to.startsWith("@oarlock/") && ![`${KIT}/protocol`, `${EXTENSIONS}/skills`, DOMAIN_KIT].includes(to) && !(typeOnly && to === KIT);
});

/** Packages of ours that each package beside the kit may import, by its folder. */
const PACKAGE_IMPORTS: Record<string, readonly string[]> = {
  "domain-kit": [],
  "create-server": [],
  oauth: [KIT],
  cluster: [KIT, `${EXTENSIONS}/tasks`],
  extensions: [KIT],
  cli: [KIT, CLUSTER, `${EXTENSIONS}/server-card`, `${EXTENSIONS}/tasks`, "@oarlock/oauth", DOMAIN_KIT],
  testing: [KIT, CLUSTER, "@oarlock/client", DOMAIN_KIT],
  "backplane-valkey": [CLUSTER],
  "backplane-postgres": [CLUSTER],
  opentelemetry: [KIT],
  documents: [],
};

export const packageImports = each(({ from, to }) => {
  const [, folder = ""] = /^packages\/([^/]+)\/src\//.exec(from) ?? [];
  const allowed = PACKAGE_IMPORTS[folder];
  if (allowed === undefined) return false;
  if (/^(packages|servers|tooling)\//.test(to)) return !to.startsWith(`packages/${folder}/`);
  return to.startsWith("@oarlock/") && !allowed.some((name) => to === name || to.startsWith(`${name}/`));
});

/** Product code, which runs without this repository. */
const PRODUCT = /^(?:packages|servers)\/[^/]+\/(?:src|views|template)\//;

export const productImports = each(({ from, to }) => PRODUCT.test(from) && /^(?:@oarlock-tooling|tooling)\//.test(to));

/** The packages of tooling, the lowest first: each imports those of lower layers only. */
const TOOLING_LAYERS: readonly (readonly string[])[] = [
  ["test-support"],
  ["build", "checks", "run"],
  ["engines"],
  ["apps", "demo", "docs", "images", "interop", "mutation", "release", "site", "spec", "wine"],
  ["bench", "budgets", "registry"],
  ["nodes"],
  ["conformance", "soak"],
];

export const toolingImports = each(({ from, to }) => {
  const [, own = ""] = /^tooling\/([^/]+)\//.exec(from) ?? [];
  const [, other] = /^(?:@oarlock-tooling|tooling)\/([^/]+)/.exec(to) ?? [];
  if (own === "" || other === undefined || other === own) return false;
  const layerOf = (name: string): number => TOOLING_LAYERS.findIndex((layer) => layer.includes(name));
  return layerOf(other) === -1 || layerOf(other) >= layerOf(own);
});

/** What a server may import of ours. */
const SERVER_IMPORTS = [KIT, EXTENSIONS, "@oarlock/cli", DOMAIN_KIT, "@oarlock/documents"];

export const serverImports = each(({ from, to }) => {
  const own = /^servers\/[^/]+\//.exec(from)?.[0];
  if (own === undefined) return false;
  return to.startsWith("@oarlock/")
    ? !SERVER_IMPORTS.some((name) => to === name || to.startsWith(`${name}/`))
    : /^(packages|servers|tooling)\//.test(to) && !to.startsWith(own);
});

export const domainImports = each(({ from, to }) => {
  const domain = DOMAIN.exec(from)?.[0];
  if (domain === undefined) return false;
  if (PLATFORM_MODULE.test(to)) return false;
  return (to.startsWith("@oarlock/") && to !== DOMAIN_KIT) || (to.startsWith("servers/") && !to.startsWith(domain));
});

/** An add-on of a server imports nothing of other add-ons, and of ours only what a domain may. Only `addons.ts` imports add-ons: lazily. */
export const addonImports = each(({ from, to, isLazy }) => {
  const [, addon] = ADDON.exec(to) ?? [];
  const [, own] = ADDON.exec(from) ?? [];
  if (own !== undefined && to.startsWith("@oarlock/")) return to !== DOMAIN_KIT;
  if (addon === undefined || addon === own) return false;
  return own !== undefined || !isLazy || !/^servers\/[^/]+\/src\/addons\.ts$/.test(from);
});

export const fileLength: Rule = (sources) =>
  Object.entries(sources)
    .map(([path, text]) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines`);

export const noUtilityFiles: Rule = (sources) =>
  Object.keys(sources).filter((path) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.ts$)/.test(path));
