// export: the current graph as JSONL, as one JSON value, or as a drawing for Graphviz; to stdout, or into a file in one step.
import { existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf, GraphError } from "../graph/errors.ts";
import { withoutLinks, type Location } from "../graph/location.ts";
import { Memory } from "../graph/memory.ts";
import { Past } from "../graph/history/snapshot.ts";
import { anew } from "../graph/jsonl/serializer.ts";
import { lastSeq } from "../graph/jsonl/mirror-state.ts";
import { writeTemporary } from "../graph/jsonl/temporary-file.ts";
import type { Store } from "../graph/store/store.ts";
import { toRead } from "../configured-location.ts";
import type { Run } from "./run.ts";
import { UsageError, type Format } from "./arguments.ts";

export async function exportTo(format: Format, output: string | undefined, { location, say }: Run): Promise<number> {
  if (output !== undefined) checkOutput(output, location);
  const { database, mirror } = location;
  if (!existsSync(database) && (mirror === undefined || !existsSync(mirror))) say(`There is no memory at ${mirror ?? database} yet.`);
  const memory = new Memory({ location: toRead(location), readOnly: true, warn: say });
  try {
    const { store } = await memory.open();
    const pieces = { jsonl: anew, json: asJson, dot: asDot }[format](store, lastSeq(store));
    if (output === undefined) await print(pieces);
    else await writeTo(output, pieces);
    return 0;
  } finally {
    await memory.close();
  }
}

/** What is written over the memory itself is lost: what its file does not say any more counts as deleted. */
function checkOutput(output: string, { database, mirror }: Location): void {
  const own = [database, `${database}-wal`, `${database}-shm`, ...(mirror === undefined ? [] : [mirror, `${mirror}.damaged`])];
  if (own.includes(withoutLinks(resolve(output))))
    throw new UsageError(`${output} is a file of the memory itself: name another one with --output`);
}

async function print(pieces: Iterable<string>): Promise<void> {
  const { stdout } = process;
  stdout.on("error", () => undefined); // each write tells of its own
  try {
    for (const piece of pieces)
      await new Promise<void>((done, fail) => void stdout.write(piece, (error) => (error ? fail(error) : done())));
  } catch (error) {
    if (codeOf(error) === "EPIPE") return; // who has read enough, as head has, may go
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new GraphError("io", `What was exported cannot be written (${codeOf(error)}): make room, or name a file with --output`);
  }
}

/** In one step; where that fails, nothing is left. */
async function writeTo(output: string, pieces: Iterable<string>): Promise<void> {
  try {
    const made = await writeTemporary(output, pieces);
    try {
      renameSync(made, output);
    } catch (error) {
      rmSync(made, { force: true });
      throw error;
    }
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new GraphError("io", `${output} cannot be written (${codeOf(error)}): name another file`);
  }
}

function* asJson(store: Store, seq: number): Generator<string> {
  const past = new Past(store, seq);
  yield '{"entities":[';
  let comma = "\n";
  for (const page of past.entities()) {
    for (const { name, entityType, observations } of page) {
      yield `${comma}${JSON.stringify({ name, entityType, observations })}`;
      comma = ",\n";
    }
  }
  yield '\n],"relations":[';
  comma = "\n";
  for (const page of past.relations()) {
    for (const { source, target, type } of page) {
      yield `${comma}${JSON.stringify({ from: source, to: target, relationType: type })}`;
      comma = ",\n";
    }
  }
  yield "\n]}\n";
}

/** A name as a quoted word of the language: its backslashes mean themselves, and it stays on one line. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll(/[\r\n]+/g, "\\n")}"`;

function* asDot(store: Store, seq: number): Generator<string> {
  const past = new Past(store, seq);
  yield "digraph memory {\n";
  for (const page of past.entities()) for (const { name, entityType } of page) yield `  ${quoted(name)} [tooltip=${quoted(entityType)}];\n`;
  for (const page of past.relations())
    for (const { source, target, type } of page) yield `  ${quoted(source)} -> ${quoted(target)} [label=${quoted(type)}];\n`;
  yield "}\n";
}
