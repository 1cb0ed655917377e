// How well search_nodes recalls: pnpm bench:recall [--before DIR] [--embeddings URL --embeddings-model NAME] [--misses] [--held-out]
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Start } from "./client.ts";
import { askQuestions, isRecalled, scoreOf, type Result } from "./recall/measure.ts";
import { HELD_OUT } from "./recall/held-out.ts";
import { QUESTION_KINDS } from "./recall/corpus.ts";
import { TWENTY_PEOPLE } from "./recall/questions.ts";

const HELP = `Asks memory servers 300 questions about 200 facts, and prints recall@5 and MRR for each kind of question.

  --before DIR            also the server of another checkout of this repository, installed
  --embeddings URL        also with this endpoint for embeddings
  --embeddings-model NAME
  --held-out              asks 48 other questions about another subject, which the ranking has not been tuned to
  --misses                also print the questions that the search by words misses
`;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

interface Measured {
  readonly name: string;
  readonly start: (folder: string) => Start;
  /** How long it may work in the background before the questions. */
  readonly settleMs?: number;
}

const ours = (root: string, ...args: string[]): Measured["start"] => {
  const command = [process.execPath, "--conditions=oarlock-source", join(root, "servers/memory/src/bin.ts")];
  return (folder) => ({ command: [...command, "--db", join(folder, "m.db"), ...args] });
};

function official(folder: string): Start {
  const main = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
  return { command: [process.execPath, main], env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } };
}

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
  options: { before: text, embeddings: text, "embeddings-model": text, misses: flag, "held-out": flag, help: flag },
});

const { before, embeddings, "embeddings-model": model } = values;
const measured: Measured[] = [
  { name: "official server", start: official },
  ...(before === undefined ? [] : [{ name: "before", start: ours(before) }]),
  { name: "words", start: ours(ROOT) },
  ...(embeddings === undefined
    ? []
    : [
        {
          name: "words and meaning",
          start: ours(ROOT, "--embeddings", embeddings, ...(model === undefined ? [] : ["--embeddings-model", model])),
          settleMs: 20_000,
        },
      ]),
];

function print(results: ReadonlyMap<string, readonly Result[]>): void {
  const lines = [
    ["recall@5 / MRR", ...results.keys()],
    ["---", ...[...results.keys()].map(() => "---")],
  ];
  for (const kind of [...QUESTION_KINDS, "all"]) {
    const scores = [...results.values()].map((list) => scoreOf(list.filter(({ question }) => kind === "all" || question.kind === kind)));
    lines.push([kind, ...scores.map(({ recall, mrr }) => `${recall.toFixed(2)} / ${mrr.toFixed(2)}`)]);
  }
  for (const line of lines) process.stdout.write(`| ${line.join(" | ")} |\n`);
}

if (values.help) process.stdout.write(HELP);
else {
  const corpus = values["held-out"] ? HELD_OUT : TWENTY_PEOPLE;
  const results = new Map<string, readonly Result[]>();
  for (const { name, start, settleMs = 0 } of measured) {
    const folder = mkdtempSync(join(tmpdir(), "oarlock-recall-"));
    try {
      results.set(name, await askQuestions(start(folder), corpus, () => new Promise((resolve) => setTimeout(resolve, settleMs))));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  print(results);
  for (const result of values.misses ? (results.get("words") ?? []) : [])
    if (!isRecalled(result)) process.stdout.write(`${result.question.kind}: ${result.question.text} (rank ${result.rank ?? "none"})\n`);
}
