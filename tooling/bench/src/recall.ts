// How well search_nodes recalls: pnpm bench:recall [--facts | --held-out] [--before DIR] [--embeddings WHERE --embeddings-model NAME] [--misses] [--json]
import { parseArgs } from "node:util";
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { askQuestions, isRecalled, scoreOf, type Result } from "./recall/measure.ts";
import { HELD_OUT } from "./recall/held-out.ts";
import { QUESTION_KINDS } from "./recall/corpus.ts";
import { TWENTY_PEOPLE } from "./recall/twenty-people.ts";
import { paraphrases, publicSets } from "./recall/replies/fact-sets.ts";
import { factFigures, factTable, measureFacts } from "./recall/replies/fact-table.ts";
import { ourServers, REFERENCE_SERVER } from "./recall/servers.ts";

const HELP = `Asks memory servers 300 questions about 200 facts, and prints recall@5 and MRR for each kind of question.

  --facts                 asks for facts instead: 155 questions of BFCL's conversations in three layouts, and forty paraphrases;
                          prints whether the answer is among the first facts of the reply's text, and tokens a reply (bytes / 4)
  --json                  with --facts: prints the figures as JSON
  --before DIR            also the server of another checkout of this repository, installed
  --embeddings WHERE      also with this endpoint or model for embeddings
  --embeddings-model NAME
  --held-out              asks 48 other questions about another subject, which the ranking has not been tuned to
  --misses                also print the questions that the search by words misses
`;

/** Facts of a reply's text that count as read. */
const READ = 10;

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
  options: {
    before: text,
    embeddings: text,
    "embeddings-model": text,
    facts: flag,
    json: flag,
    misses: flag,
    "held-out": flag,
    help: flag,
  },
});

if (values.help) process.stdout.write(HELP);
else if (values.facts) await facts();
else await entities();

async function facts(): Promise<void> {
  const rows = await measureFacts([...publicSets(), paraphrases()], ourServers(values));
  if (values.json) {
    process.stdout.write(factFigures(rows));
    return;
  }
  process.stdout.write(factTable(rows));
  for (const { set, replies } of values.misses ? rows.filter(({ server }) => server === "words") : [])
    for (const { question, rank } of replies)
      if ((rank ?? Infinity) > READ)
        process.stdout.write(`${set}: ${question.text} (${question.answers.join(" | ")}: fact ${rank ?? "none"})\n`);
}

async function entities(): Promise<void> {
  const corpus = values["held-out"] ? HELD_OUT : TWENTY_PEOPLE;
  const results = new Map<string, readonly Result[]>();
  for (const server of [REFERENCE_SERVER, ...ourServers(values)]) results.set(server.name, await askQuestions(server, corpus));
  print(results);
  for (const result of values.misses ? (results.get("words") ?? []) : [])
    if (!isRecalled(result)) process.stdout.write(`${result.question.kind}: ${result.question.text} (rank ${result.rank ?? "none"})\n`);
}

function print(results: ReadonlyMap<string, readonly Result[]>): void {
  const rows = [...QUESTION_KINDS, "all"].map((kind) => {
    const scores = [...results.values()].map((list) => scoreOf(list.filter(({ question }) => kind === "all" || question.kind === kind)));
    return [kind, ...scores.map(({ recall, mrr }) => `${recall.toFixed(2)} / ${mrr.toFixed(2)}`)];
  });
  console.log(markdownTable(["recall@5 / MRR", ...results.keys()], rows));
}
