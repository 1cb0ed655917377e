// export: writes the current graph as JSONL, as one JSON value, or as a Graphviz drawing; to stdout, or to a file in one step.
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { escapeForTerminal, systemErrorCode } from "@oarlock/domain-kit";
import { writeStdout } from "@oarlock/server-kit/node";
import { codeForMessage, GraphError } from "../graph/errors.ts";
import { Snapshot } from "../graph/history/snapshot.ts";
import { serializeGraph } from "../graph/jsonl/serializer.ts";
import { NewVersion } from "../graph/jsonl/mirror-file.ts";
import { resolveLinks, type Location } from "../graph/location.ts";
import type { Memory } from "../graph/memory.ts";
import { isOwnFile } from "../graph/own-files.ts";
import { isDatabase } from "../graph/sqlite/database-file.ts";
import { lastSeq } from "../graph/store/calls.ts";
import type { Format } from "./arguments.ts";
import { UsageError, type CommandContext } from "./context.ts";
import { reportedLines } from "./progress.ts";
import { GRAPH_FORMATS, serialize, type GraphContent } from "./graph-formats.ts";

type Pieces = Iterable<string> | AsyncIterable<string>;

/** Returns the exit code. */
export async function exportTo(memory: Memory, context: CommandContext, format: Format, file: string | undefined): Promise<number> {
  const { location, output } = context;
  if (file !== undefined) checkOutput(file, location);
  const { database, mirror } = location;
  if (!existsSync(database) && (mirror === undefined || !existsSync(mirror)))
    output.writeLine(`Memory ${mirror ?? database} does not exist yet.`);
  const { store } = await memory.open();
  const seq = lastSeq(store);
  const pieces = format === "jsonl" ? serializeGraph(store, seq) : serialize(GRAPH_FORMATS[format], contentOf(new Snapshot(store, seq)));
  const { entities, relations } = store.totals();
  // An export to a terminal shows itself.
  if (file === undefined && process.stdout.isTTY) await print(pieces);
  else {
    const counted = reportedLines(pieces, (lines) => output.report("Lines exported", lines, entities + relations));
    await (file === undefined ? print(counted) : writeFile(file, counted));
  }
  return 0;
}

/** An export over a JSONL file would delete what the export does not contain: from this memory, or from that of another scope. */
function checkOutput(output: string, location: Location): void {
  const linked = resolveLinks(resolve(output));
  // The system knows how the name of an existing file is spelled, in which capitals for example.
  const path = existsSync(linked) ? realpathSync.native(linked) : linked;
  if (isOwnFile(path, location)) throw new UsageError(`Output ${output} is a file of the memory itself: name another file with --output`);
  if (isFilledDatabase(path)) throw new UsageError(`Output ${output} is a SQLite database: name another file with --output`);
  if (isFilledDatabase(`${path}.db`)) throw new UsageError(`Output ${output} is a file of another memory: name another file with --output`);
}

const isFilledDatabase = (path: string): boolean => existsSync(path) && statSync(path).size > 0 && isDatabase(path) === true;

export async function print(pieces: Pieces): Promise<void> {
  const { isTTY } = process.stdout;
  try {
    for await (const piece of pieces)
      await new Promise<void>(
        (resolve, reject) => void writeStdout(isTTY ? escapeForTerminal(piece) : piece, (error) => (error ? reject(error) : resolve())),
      );
  } catch (error) {
    // The reader has read enough, as `head` does.
    if (systemErrorCode(error) === "EPIPE") return;
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new GraphError("io", `Cannot write the export (${codeForMessage(error)}). Make room, or name a file with --output.`);
  }
}

/** In one step; when that fails, nothing is left behind. */
export async function writeFile(output: string, pieces: Pieces): Promise<void> {
  try {
    const path = resolve(output);
    using written = await NewVersion.write(join(realpathSync(dirname(path)), basename(path)), pieces);
    await written.takePlace();
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new GraphError("io", `Cannot write ${output} (${codeForMessage(error)}). Name another file.`);
  }
}

const contentOf = (snapshot: Snapshot): GraphContent => ({
  entities: eachOf(snapshot.entities()),
  relations: eachOf(snapshot.relations()),
  records: [],
});

function* eachOf<T>(pages: Iterable<readonly T[]>): Generator<T> {
  for (const page of pages) yield* page;
}
