// TOML entry: puts a table at the end of the settings of a host and takes it out again. Everything else stays byte for byte.
import type { EntryPlace } from "./json-entry.ts";
import { SettingsError } from "./settings-error.ts";

/** `block`: the table, as it is printed. */
export function withTomlEntry(text: string, place: EntryPlace, block: string): string {
  const newline = newlineOf(text);
  const table = block.trimEnd().replaceAll("\n", newline);
  const old = rangeOf(text, place);
  if (old !== undefined) return text.slice(0, old.start) + table + text.slice(old.end);
  if (text === "") return table;
  // A file without a last line break gets a table without one, so that removal knows.
  return text.endsWith("\n") ? `${text}${newline}${table}${newline}` : `${text}${newline}${newline}${table}`;
}

/** Undefined: the file has nothing else, and was made for the entry. */
export function withoutTomlEntry(text: string, place: EntryPlace): string | undefined {
  const newline = newlineOf(text);
  const range = rangeOf(text, place);
  if (range === undefined) throw new SettingsError(`has the entry in a form that is not a table of its own. Remove it by hand`);
  const { start, end } = range;
  if (start === 0 && text.slice(end) === newline) return undefined;
  if (end === text.length) return text.slice(0, start).replace(/(?:\r?\n){1,2}$/, "");
  const rest = text.slice(end).replace(/^\r?\n/, "");
  return start === 0 ? rest : text.slice(0, start).replace(/\r?\n$/, "") + rest;
}

const newlineOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? "\n";

/** Strings of several lines are matched first: inside one, a line is not a header. */
const LINES = /"""(?:[^\\]|\\.)*?"""|'''.*?'''|^[ \t]*\[{1,2}[^\n]*/gms;

/** From the header of the table to the end of its last line, with tables inside of it that follow. */
function rangeOf(text: string, { key, name }: EntryPlace): { start: number; end: number } | undefined {
  const names = [name, `"${name}"`, `'${name}'`].map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join("|");
  const own = new RegExp(String.raw`^[ \t]*\[\s*${key}\s*\.\s*(?:${names})\s*(?:\.[^\]]*)?\]`);
  const headers = [...text.matchAll(LINES)].filter(([line]) => /^[ \t]*\[/.test(line) && !/^[ \t]*\[[^\]]*$/.test(line));
  const first = headers.findIndex(([line]) => own.test(line));
  if (first === -1) return undefined;
  const next = headers.slice(first).find(([line]) => !own.test(line));
  const start = headers[first]?.index ?? 0;
  const lines = text.slice(start, next?.index ?? text.length);
  const kept = lines.split("\n");
  // Comments and empty lines at the end belong to what follows.
  while (/^\s*(?:#.*)?$/.test(kept.at(-1) ?? "x")) kept.pop();
  return { start, end: start + kept.join("\n").replace(/\r$/, "").length };
}
