// export: the current graph as JSONL, as one JSON value, or as a drawing for Graphviz; to stdout, or into a file in one step.
import { once } from "node:events";
import { renameSync, rmSync } from "node:fs";
import { codeOf, GraphError } from "../graph/errors.ts";
import { Memory } from "../graph/memory.ts";
import { Past } from "../graph/mirror/past.ts";
import { anew } from "../graph/mirror/produce.ts";
import { lastSeq } from "../graph/mirror/state.ts";
import { writeTemporary } from "../graph/mirror/temporary.ts";
import type { Store } from "../graph/store.ts";
import type { Run } from "./run.ts";

export const FORMATS = ["jsonl", "json", "dot"] as const;

export async function exportTo(format: (typeof FORMATS)[number], output: string | undefined, { location, say }: Run): Promise<number> {
  const memory = new Memory({ location, warn: say });
  try {
    const { store } = await memory.open();
    const pieces = { jsonl: anew, json: asJson, dot: asDot }[format](store, lastSeq(store));
    await (output === undefined ? print(pieces) : writeTo(output, pieces));
    return 0;
  } finally {
    await memory.close();
  }
}

/** Whoever reads it may have seen enough before its end, as `head` has: that is no failure. */
async function print(pieces: Iterable<string>): Promise<void> {
  const { stdout } = process;
  // What the last write met is told after this has ended, so the listener stays.
  const failed = new Promise<never>((_, reject) => stdout.on("error", reject));
  try {
    for (const piece of pieces) if (piece !== "" && !stdout.write(piece)) await Promise.race([once(stdout, "drain"), failed]);
    await Promise.race([new Promise<void>((done) => stdout.write("", () => done())), failed]);
  } catch (error) {
    if (codeOf(error) !== "EPIPE") throw error;
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
