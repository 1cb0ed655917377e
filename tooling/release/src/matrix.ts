/** Which server shows which feature of the protocol and what its lists cost, from what the built servers declare and list, and from their sources. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { SERVERS, type About } from "./about.ts";
import { startBuilt } from "./built-server.ts";
import { folderOf } from "./repository.ts";
import { ENCODING, tokensOf } from "./tokens.ts";
import { toolsOf } from "./tools-table.ts";

interface Facts {
  readonly tools: readonly { readonly outputSchema?: unknown; readonly annotations?: { readonly readOnlyHint?: boolean } }[];
  readonly resources: number;
  readonly templates: number;
  readonly prompts: number;
  readonly capabilities: { readonly resources?: { subscribe?: boolean; listChanged?: boolean }; readonly completions?: object };
  readonly source: string;
}

const ROWS: readonly (readonly [feature: string, valueOf: (facts: Facts) => string | number | boolean])[] = [
  ["tools by default, reading + changing", ({ tools }) => `${tools.filter(reads).length} + ${tools.filter((one) => !reads(one)).length}`],
  [`tokens of their list (${ENCODING})`, ({ tools }) => tokensOf({ tools })],
  ["structured results", ({ tools }) => tools.every(({ outputSchema }) => outputSchema !== undefined)],
  ["resources + templates", ({ resources, templates }) => (templates === 0 && resources === 0 ? false : `${resources} + ${templates}`)],
  ["subscriptions", ({ capabilities }) => capabilities.resources?.subscribe === true],
  ["completion", ({ capabilities }) => capabilities.completions !== undefined],
  ["prompts", ({ prompts }) => prompts],
  ["confirmation by the user (elicitation)", ({ source }) => /\b(elicit|confirm)\(/.test(source)],
  ["the client's model (sampling)", ({ source }) => source.includes(".sample(")],
  ["progress", ({ source }) => /\bprogress\(/.test(source)],
  ["cancellation", ({ source }) => /\bsignal\b/.test(source)],
  ["the client's log", ({ source }) => /\bctx\.log\./.test(source)],
  ["the client's roots", ({ source }) => /\.roots\(\)|\bnew ClientRoots\(/.test(source)],
  ["pages by cursor", ({ source }) => source.includes("nextCursor")],
  ["links to resources", ({ source }) => /\blink\(/.test(source)],
];

const reads = ({ annotations }: Facts["tools"][number]): boolean => annotations?.readOnlyHint === true;

async function factsOf(about: About): Promise<Facts> {
  await using folder = tempFolder();
  await using client = await startBuilt(about, folder, [], "2025-11-25");
  const { capabilities } = client;
  const sources = globSync("src/**/*.ts", { cwd: folderOf(about) });
  return {
    tools: await Array.fromAsync(client.tools()),
    resources: (await Array.fromAsync(client.resources())).length,
    templates: (await Array.fromAsync(client.templates())).length,
    prompts: capabilities.prompts === undefined ? 0 : (await Array.fromAsync(client.prompts())).length,
    capabilities,
    source: sources.map((file) => readFileSync(join(folderOf(about), file), "utf8")).join("\n"),
  };
}

const cell = (value: string | number | boolean): string => (value === true ? "yes" : value === false || value === 0 ? "–" : String(value));

/** What differs between the servers as a table, and what all of them show as a sentence. */
export async function matrix(): Promise<string> {
  const facts = await Promise.all(SERVERS.map(factsOf));
  const rows = ROWS.map(([feature, valueOf]) => [feature, ...facts.map((one) => cell(valueOf(one)))]);
  const isShared = ([, ...cells]: readonly string[]): boolean => cells.every((one) => one === "yes");
  const table = markdownTable(
    ["", ...SERVERS.map(({ name }) => name)],
    rows.filter((row) => !isShared(row)),
  );
  return `${table}\n\nAll four have ${new Intl.ListFormat("en-GB").format(rows.filter(isShared).map(([feature = ""]) => feature))}.`;
}

/** The toolset minimal beside the default one, in the same tokens. */
export async function fewTools(): Promise<string> {
  const rows = SERVERS.map(async (about) => {
    const lists = [["--toolsets", "minimal"], []].map((words) => toolsOf(about, words));
    const cells = (await Promise.all(lists)).map((tools) => `${tools.length} tools, ${tokensOf({ tools })} tokens`);
    return [about.name, ...cells];
  });
  return markdownTable(["server", "minimal", "default"], await Promise.all(rows));
}
