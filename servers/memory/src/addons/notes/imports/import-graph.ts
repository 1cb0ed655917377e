// import of files of other programs, and of Markdown notes, into either store.
import { readFileSync, statSync } from "node:fs";
import { counted } from "@oarlock/domain-kit";
import type { Graph } from "../../../graph/graph.ts";
import type { CallHandle, Rows, Totals } from "../../../graph/rows/rows.ts";
import { decodeText } from "../../../graph/jsonl/text-encoding.ts";
import { sameTags, tagsOf, withTags } from "../../../graph/tags.ts";
import { UsageError } from "../../../commands/context.ts";
import type { ProgressOutput } from "@oarlock/domain-kit";
import { reported } from "../../../commands/progress.ts";
import { FormatError, type ImportFormat } from "../../../commands/import-format.ts";
import { detectFormat, readContent } from "./detect.ts";
import { ImportedGraph } from "./imported-graph.ts";
import { importMarkdownNotes } from "./markdown-notes.ts";
import { parseFact } from "../timed-facts.ts";
import { describeTotals } from "../../../commands/import.ts";

/** Larger files of other programs are refused: they are read as a whole. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** How much of a file shows its format, where it is too large to be read as a whole. */
const MAX_LISTED = 20;

/** The content of a file or folder; undefined for a JSONL file, which has a reader of its own. Throws a FormatError. */
export async function readFormat(
  path: string,
  wanted: ImportFormat | undefined,
): Promise<{ format: ImportFormat; graph: ImportedGraph } | undefined> {
  if (wanted === "jsonl") return undefined;
  const graph = new ImportedGraph();
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new FormatError(`File ${path} not found. Name an existing file or folder.`);
  if (stat.isDirectory()) {
    if (wanted !== undefined && wanted !== "markdown" && wanted !== "basic-memory")
      throw new FormatError(`File ${path} is a directory: only Markdown notes are a folder. Name a file in it.`);
    await importMarkdownNotes(path, graph);
    if (graph.isEmpty) throw new UsageError(`File ${path} is a directory without Markdown notes: name a file in it`);
    return { format: wanted ?? "markdown", graph };
  }
  if (!stat.isFile()) return undefined;
  if (stat.size > MAX_FILE_BYTES) {
    if (wanted === undefined) return undefined;
    throw new FormatError(`File ${path} is too large: at most ${MAX_FILE_BYTES / 1024 / 1024} MB can be read as ${wanted}. Divide it.`);
  }
  return await readFile(path, wanted, graph);
}

async function readFile(path: string, wanted: ImportFormat | undefined, graph: ImportedGraph) {
  try {
    const text = decodeText(readFileSync(path));
    const format = wanted ?? detectFormat(text, path);
    if (format === "jsonl") return undefined;
    if (format === "markdown" || format === "basic-memory") await importMarkdownNotes(path, graph);
    else readContent(format, text, path, graph);
    return { format, graph };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`File ${path} cannot be imported: ${error.message}. Nothing was changed. Mend or export the file again.`);
  }
}

interface Counts {
  entities: number;
  observations: number;
  relations: number;
  existing: number;
  totals: Totals;
}

/** Returns the exit code: 1 where the file has nothing that can be imported. */
export async function importGraph(
  memory: Graph,
  { format, graph }: { format: ImportFormat; graph: ImportedGraph },
  { path, isDryRun, output }: { path: string; isDryRun: boolean; output: ProgressOutput },
): Promise<number> {
  const { writeLine, report } = output;
  for (const { where, reason } of graph.skipped.slice(0, MAX_LISTED)) writeLine(`${where} left out: ${reason}`);
  if (graph.skipped.length > MAX_LISTED) writeLine(`and ${graph.skipped.length - MAX_LISTED} more left out`);
  for (const note of graph.notes) writeLine(`not imported: ${note}`);
  if (graph.isEmpty) {
    writeLine(`Error: File ${path} has nothing that can be imported as ${format}. Name another file, or its format with --format.`);
    return 1;
  }
  const add = (rows: Rows, call: CallHandle): Generator<void, Counts> =>
    reported(addImported(rows, call, graph), (done) => report("Facts imported", done, factsIn(graph)));
  const { totals, existing, ...added } = await (isDryRun ? memory.dryRun(add) : memory.writeInSlices("import", add));
  const counts = `${counted(added.entities, "entity", "entities")}, ${counted(added.observations, "observation")} and ${counted(added.relations, "relation")}`;
  const rest = `${existing === 0 ? "" : ` ${existing} existed already.`}${graph.skipped.length === 0 ? "" : ` ${graph.skipped.length} left out.`}`;
  if (isDryRun) writeLine(`Dry run: ${counts} would be imported from ${format}.${rest} Nothing was changed.`);
  else writeLine(`Imported ${counts} from ${format}.${rest} The memory now has ${describeTotals(totals)}.`);
  return 0;
}

const factsIn = ({ entities, relations }: ImportedGraph): number =>
  [...entities.values()].reduce((sum, { observations }) => sum + observations.size, relations.size);

/** Existing entities stay and get the new observations and tags. Counts what was added. */
function* addImported(rows: Rows, call: CallHandle, { entities, relations }: ImportedGraph): Generator<void, Counts> {
  const names = [...entities.keys()];
  rows.prepare({
    names,
    types: [...entities.values()].map(({ entityType }) => entityType),
    relations: [...relations.values()].map(({ from, to, relationType }) => [from, to, relationType] as const),
  });
  rows.prepare({ observationsOf: names.flatMap((name) => rows.entities.named(name)?.id ?? []) });
  const counts = { entities: 0, observations: 0, relations: 0, existing: 0 };
  for (const { name, entityType, tags, observations } of entities.values()) {
    const present = rows.entities.named(name);
    if (present === undefined) counts.entities++;
    const extra = tags.size === 0 ? undefined : withTags(undefined, [...tags]);
    const id = present?.id ?? rows.entities.insert(call.seq(), { name, entityType, extra });
    const allTags = [...new Set([...tagsOf(present?.extra), ...tags])];
    if (present !== undefined && !sameTags(allTags, tagsOf(present.extra))) {
      call.seq();
      rows.entities.setExtra(id, withTags(present.extra, allTags));
    }
    const texts = new Set(present === undefined ? [] : rows.observations.of(id).map(({ text }) => text));
    for (const fact of observations) {
      const { text, times } = parseFact(fact);
      if (texts.has(text)) counts.existing++;
      else {
        rows.observations.insert(call.seq(), id, text, times);
        counts.observations++;
      }
      yield;
    }
  }
  for (const { from, to, relationType } of relations.values()) {
    if (rows.relations.idOf(from, to, relationType) === undefined) {
      rows.relations.insert(call.seq(), from, to, relationType);
      counts.relations++;
    } else counts.existing++;
    yield;
  }
  return { ...counts, totals: rows.totals() };
}
