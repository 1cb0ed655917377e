// export: writes the current graph as JSONL, as one JSON value, or as a Graphviz drawing; to stdout, or to a file in one step.
import { existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { systemErrorCode } from "@oarlock/domain-kit";
import { readOnlyLocation } from "../configured-location.ts";
import { codeForMessage, GraphError } from "../graph/errors.ts";
import { Snapshot } from "../graph/history/snapshot.ts";
import { serializeGraph } from "../graph/jsonl/serializer.ts";
import { writeTemporaryFile } from "../graph/jsonl/temporary-file.ts";
import { resolveLinks, type Location } from "../graph/location.ts";
import { Memory } from "../graph/memory.ts";
import { toRelation } from "../graph/read/neighbourhood.ts";
import { lastSeq } from "../graph/store/calls.ts";
import type { Store } from "../graph/store/store.ts";
import type { Format } from "./arguments.ts";
import { UsageError, type CommandContext } from "./context.ts";

type Serialize = (store: Store, seq: number) => Iterable<string>;

const SERIALIZERS: Readonly<Record<Format, Serialize>> = { jsonl: serializeGraph, json: serializeJson, dot: serializeDot };

/** Returns the exit code. */
export async function exportTo(format: Format, output: string | undefined, { location, say }: CommandContext): Promise<number> {
  if (output !== undefined) checkOutput(output, location);
  const { database, mirror } = location;
  if (!existsSync(database) && (mirror === undefined || !existsSync(mirror))) say(`Memory ${mirror ?? database} does not exist yet.`);
  const memory = new Memory({ location: readOnlyLocation(location), readOnly: true, warn: say });
  try {
    const { store } = await memory.open();
    const pieces = SERIALIZERS[format](store, lastSeq(store));
    if (output === undefined) await print(pieces);
    else await writeFile(output, pieces);
    return 0;
  } finally {
    await memory.close();
  }
}

/** An export over the JSONL file would delete what the export does not contain. */
function checkOutput(output: string, { database, mirror }: Location): void {
  const own = [database, `${database}-wal`, `${database}-shm`, ...(mirror === undefined ? [] : [mirror, `${mirror}.damaged`])];
  if (own.includes(resolveLinks(resolve(output))))
    throw new UsageError(`Output ${output} is a file of the memory itself: name another file with --output`);
}

async function print(pieces: Iterable<string>): Promise<void> {
  const { stdout } = process;
  try {
    for (const piece of pieces)
      await new Promise<void>((resolve, reject) => void stdout.write(piece, (error) => (error ? reject(error) : resolve())));
  } catch (error) {
    // The reader has read enough, as `head` does.
    if (systemErrorCode(error) === "EPIPE") return;
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new GraphError("io", `Cannot write the export (${codeForMessage(error)}). Make room, or name a file with --output.`);
  }
}

/** In one step; when that fails, nothing is left behind. */
async function writeFile(output: string, pieces: Iterable<string>): Promise<void> {
  try {
    const temporary = await writeTemporaryFile(output, pieces);
    try {
      renameSync(temporary, output);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new GraphError("io", `Cannot write ${output} (${codeForMessage(error)}). Name another file.`);
  }
}

function* serializeJson(store: Store, seq: number): Generator<string> {
  const snapshot = new Snapshot(store, seq);
  yield '{"entities":[';
  let separator = "\n";
  for (const page of snapshot.entities()) {
    for (const { name, entityType, observations } of page) {
      yield `${separator}${JSON.stringify({ name, entityType, observations })}`;
      separator = ",\n";
    }
  }
  yield '\n],"relations":[';
  separator = "\n";
  for (const page of snapshot.relations()) {
    for (const row of page) {
      yield `${separator}${JSON.stringify(toRelation(row))}`;
      separator = ",\n";
    }
  }
  yield "\n]}\n";
}

function* serializeDot(store: Store, seq: number): Generator<string> {
  const snapshot = new Snapshot(store, seq);
  yield "digraph memory {\n";
  for (const page of snapshot.entities())
    for (const { name, entityType } of page) yield `  ${quoteDot(name)} [tooltip=${quoteDot(entityType)}];\n`;
  for (const page of snapshot.relations())
    for (const { source, target, type } of page) yield `  ${quoteDot(source)} -> ${quoteDot(target)} [label=${quoteDot(type)}];\n`;
  yield "}\n";
}

/** A quoted string of the DOT language, on one line. */
const quoteDot = (text: string): string =>
  `"${text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll(/[\r\n]+/g, "\\n")}"`;
