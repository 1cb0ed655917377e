/** The tools of a built server, and what its list of them costs a model. */
import { isObject, type Tool } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import type { About } from "./about.ts";
import { startBuilt } from "./built-server.ts";
import { switchesFrom } from "./options-table.ts";
import { row, table } from "./markdown-table.ts";
import { bytesOf, ENCODING, tokensOf } from "./tokens.ts";
import { TRIALS } from "./trial.ts";

const REVISION = "2026-07-28";

/** Sentences of a description that fit into a line. */
const LINE = 160;

const HOW = `[TOOLS.md](TOOLS.md) has every argument with its type and default. Each entry is counted as \`tools/list\` gives it in ${REVISION};
in revisions before 2025-06-18 it is shorter. Tokens are counted by \`gpt-tokenizer\` in the encoding \`${ENCODING}\`; the vocabulary of another model gives other numbers.`;

/** The tables as Markdown. */
export async function toolsTable(about: About): Promise<string> {
  const isLean = (await switchesFrom(about)).some(({ name }) => name === "lean");
  const usual = await toolsOf(about, []);
  const groups = new Map(usual.map(({ name }) => [name, "default"]));
  for (const group of about.toolsets) for (const { name } of await toolsOf(about, ["--toolsets", group])) groups.set(name, group);
  const everything = everythingOf(about);
  const all = await toolsOf(about, everything);
  const lean = isLean ? await toolsOf(about, [...everything, "--lean"]) : [];

  const grouped = about.toolsets.length > 0;
  const cells = (first: string[], group: string, cost: string[]): string[] => [...first, ...(grouped ? [group] : []), ...cost];
  const costOf = (what: unknown, leanly: unknown): string[] => [bytesOf(what), tokensOf(what), ...(isLean ? [tokensOf(leanly)] : [])];
  const total = (title: string, tools: readonly Tool[]): string => {
    const reading = tools.filter(reads).length;
    const leanly = lean.filter(({ name }) => tools.some((tool) => tool.name === name));
    const first = [`**${title}**`, `${tools.length} tools, of which ${reading} only read`, "", ""];
    return row(cells(first, "", costOf({ tools }, { tools: leanly })));
  };

  return `${table(
    cells(["tool", "what it does", "arguments", "reads or changes"], "toolset", [
      "bytes",
      "tokens",
      ...(isLean ? ["tokens with `--lean`"] : []),
    ]),
    [
      ...all.map((tool) =>
        row(
          cells(
            [`\`${tool.name}\``, inOneLine(tool.description), argumentsOf(tool), reads(tool) ? "reads" : "changes"],
            groups.get(tool.name) ?? "",
            costOf(
              tool,
              lean.find(({ name }) => name === tool.name),
            ),
          ),
        ),
      ),
      total("the list", usual),
      ...(grouped ? [total("with all toolsets", all)] : []),
    ],
  )}\n\n${HOW}\n`;
}

/** All tools of the server, those of every toolset included. */
export const allTools = (about: About): Promise<Tool[]> => toolsOf(about, everythingOf(about));

const everythingOf = ({ toolsets }: About): string[] => ["--toolsets", ["default", ...toolsets].join(",")];

async function toolsOf(about: About, words: readonly string[]): Promise<Tool[]> {
  await using folder = tempFolder();
  const all = TRIALS[about.name]?.everything?.(folder) ?? [];
  await using client = await startBuilt(about, folder, [...all, ...words], REVISION);
  return await Array.fromAsync(client.tools());
}

const reads = ({ annotations }: Tool): boolean => annotations?.readOnlyHint === true;

function inOneLine(description = ""): string {
  const [first = "", ...sentences] = description.split(/(?<=\.)\s+/);
  return sentences.reduce((line, sentence, at) => (fits(first, sentences.slice(0, at + 1)) ? `${line} ${sentence}` : line), first);
}

const fits = (first: string, sentences: readonly string[]): boolean => [first, ...sentences].join(" ").length <= LINE;

function argumentsOf({ inputSchema: { properties, required } }: Tool): string {
  const needed = Array.isArray(required) ? required : [];
  const names = Object.keys(isObject(properties) ? properties : {});
  return names.map((name) => `\`${name}${needed.includes(name) ? "" : "?"}\``).join(" ");
}
