/** The tools of a built server, and what its list of them costs a model. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import type { Tool } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import type { About } from "./about.ts";
import { startBuilt } from "./built-server.ts";
import { switchesFrom } from "./options-table.ts";
import { tokensOf } from "./tokens.ts";
import { TRIALS } from "./trial.ts";

export const REVISION = "2026-07-28";

/** Sentences of a description that fit into a line. */
const LINE = 160;

/** The table as Markdown, with the size of the list. */
export async function toolsTable(about: About): Promise<string> {
  const usual = await toolsOf(about, []);
  const groups = new Map<string, string>();
  for (const group of about.toolsets) for (const { name } of await toolsOf(about, ["--toolsets", group], true)) groups.set(name, group);
  const all = await allTools(about);
  const lean = await leanTools(about);

  const grouped = about.toolsets.length > 0;
  const rows = all.map((tool) => {
    const cells = [`\`${tool.name}\``, inOneLine(tool.description), reads(tool) ? "reads" : "changes"];
    return grouped ? [...cells, groups.get(tool.name) ?? "default"] : cells;
  });
  const sizes = [`The list has ${sizeOf(usual, lean)}.`, ...(grouped ? [`With all toolsets it has ${sizeOf(all, lean)}.`] : [])];
  return `${markdownTable(["tool", "what it does", "reads or changes", ...(grouped ? ["toolset"] : [])], rows)}

${sizes.join(" ")} [TOOLS.md](TOOLS.md) has every argument, and what each tool costs.
`;
}

function sizeOf(tools: readonly Tool[], lean: readonly Tool[] | undefined): string {
  const leanly = lean?.filter(({ name }) => tools.some((tool) => tool.name === name));
  const cost = `${tokensOf({ tools })} tokens${leanly === undefined ? "" : `, with \`--lean\` ${tokensOf({ tools: leanly })}`}`;
  return `${tools.length} tools, of which ${tools.filter(reads).length} only read: ${cost}`;
}

/** All tools of the server, those of every toolset included. */
export const allTools = (about: About): Promise<Tool[]> => toolsOf(about, everythingOf(about), true);

/** The same with `--lean`, where the server has that switch. */
export const leanTools = async (about: About): Promise<Tool[] | undefined> =>
  (await switchesFrom(about)).some(({ name }) => name === "lean")
    ? await toolsOf(about, [...everythingOf(about), "--lean"], true)
    : undefined;

const everythingOf = ({ toolsets }: About): string[] => ["--toolsets", ["default", ...toolsets].join(",")];

/** By server and words: several pages show the same list. */
const lists = new Map<string, Promise<Tool[]>>();

/** The tools of a server that serves one thing; `isForAll`: also those that need more to serve, such as a second database. */
export function toolsOf(about: About, words: readonly string[], isForAll = false): Promise<Tool[]> {
  const key = [about.name, ...words, isForAll].join(" ");
  const list = lists.get(key) ?? listedTools(about, words, isForAll);
  lists.set(key, list);
  return list;
}

async function listedTools(about: About, words: readonly string[], isForAll: boolean): Promise<Tool[]> {
  await using folder = tempFolder();
  const more = (isForAll ? TRIALS[about.name]?.everything?.(folder) : undefined) ?? [];
  await using client = await startBuilt(about, folder, [...more, ...words], REVISION);
  return await Array.fromAsync(client.tools());
}

const reads = ({ annotations }: Tool): boolean => annotations?.readOnlyHint === true;

function inOneLine(description = ""): string {
  const [first = "", ...sentences] = description.split(/(?<=\.)\s+/);
  return sentences.reduce((line, sentence, at) => (fits(first, sentences.slice(0, at + 1)) ? `${line} ${sentence}` : line), first);
}

const fits = (first: string, sentences: readonly string[]): boolean => [first, ...sentences].join(" ").length <= LINE;
