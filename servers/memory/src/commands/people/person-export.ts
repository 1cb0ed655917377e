// What a memory holds for a person, as lines of JSON with names and dates in place of ids.
import { pagesOf, type Row, type RowSource } from "../copies/row-copy.ts";

/** `author`: only what this person stored. Default: all. */
export async function* personLines(source: RowSource, author?: string): AsyncGenerator<string> {
  const calls = new Map<number, { at: string; by: string | undefined }>();
  for await (const rows of pagesOf(source, "call"))
    for (const [seq, at, client] of rows)
      calls.set(Number(seq), { at: new Date(Number(at)).toISOString(), by: client === null ? undefined : String(client) });
  const timeOf = (seq: Row[number] | undefined): string | undefined => (typeof seq === "number" ? calls.get(seq)?.at : undefined);
  const types = await namesOf(source, "type");
  const names = await namesOf(source, "entity");
  const line = (created: Row[number] | undefined, ended: Row[number] | undefined, facts: object): string[] => {
    const call = calls.get(Number(created));
    if (author !== undefined && call?.by !== author) return [];
    return [`${JSON.stringify({ ...facts, recorded: call?.at, by: call?.by, ended: timeOf(ended) })}\n`];
  };
  for await (const rows of pagesOf(source, "entity"))
    for (const [, name, , type, created, ended, extra] of rows)
      yield* line(created, ended, { entity: name, type: types.get(Number(type)), fields: parsed(extra) });
  for await (const rows of pagesOf(source, "observation"))
    for (const [, entity, text, created, ended, , confirmed, times] of rows)
      yield* line(created, ended, {
        ...{ entity: names.get(Number(entity)), fact: text, times: parsed(times) },
        confirmed: timeOf(confirmed),
      });
  for await (const rows of pagesOf(source, "relation"))
    for (const [, from, to, type, created, ended, extra] of rows)
      yield* line(created, ended, { from, relation: type, to, fields: parsed(extra) });
  for await (const rows of pagesOf(source, "turn"))
    for (const [, seq, entity, change, past, present] of rows)
      yield* line(seq, undefined, { entity: names.get(Number(entity)), change, past, present });
  for await (const rows of pagesOf(source, "record"))
    for (const [, record, created, ended] of rows) yield* line(created, ended, { record: parsed(record) });
}

async function namesOf(source: RowSource, table: "type" | "entity"): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for await (const rows of pagesOf(source, table)) for (const [id, name] of rows) names.set(Number(id), String(name));
  return names;
}

/** JSON of this server, or a line of a file: anything else stays a text. */
function parsed(text: Row[number] | undefined): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
