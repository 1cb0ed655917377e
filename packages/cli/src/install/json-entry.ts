// JSON entry: puts an entry into the settings of a host and takes it out again. Everything else stays byte for byte, comments included. Where
// the entry makes the member for servers, its braces stand on lines of their own; in an object that was empty before, they touch the entry: so
// removal knows what was there.
import { strictJson } from "../doctor/hosts/json-laxness.ts";
import { listAt, memberOf, objectAt, type JsonObject, type Member } from "./json-object.ts";
import { SettingsError } from "./settings-error.ts";

/** Where an entry stands: under `key`, by its name. */
export interface EntryPlace {
  readonly key: string;
  readonly name: string;
}

export function withJsonEntry(text: string, { key, name }: EntryPlace, value: unknown): string {
  const { json } = strictJson(text);
  const style = styleOf(text);
  if (json.trim() === "") return `${text}${blockOf({ [key]: { [name]: value } }, style, 0)}`;
  const root = rootOf(json);
  const servers = memberOf(root, key);
  if (servers === undefined) return insert(text, root, key, { [name]: value }, { ...style, depth: 1 });
  const object = objectAt(json, servers.valueStart);
  if (object === undefined || object.start !== servers.valueStart)
    throw new SettingsError(`has no object under "${key}". Correct it by hand`);
  const old = memberOf(object, name);
  const depth = { ...style, depth: 2 };
  if (old === undefined) return insert(text, object, name, value, depth);
  return text.slice(0, old.valueStart) + blockOf(value, style, 2) + text.slice(old.end);
}

/** Undefined: the file has nothing else, and was made for the entry. */
export function withoutJsonEntry(text: string, { key, name }: EntryPlace): string | undefined {
  const { json } = strictJson(text);
  const root = rootOf(json);
  const servers = memberOf(root, key);
  const object = servers && objectAt(json, servers.valueStart);
  const entry = object && memberOf(object, name);
  if (servers === undefined || object === undefined || entry === undefined) return text;
  if (object.members.length > 1 || touchesBrace(text, object, entry)) return remove(text, object, entry);
  if (root.members.length > 1 || touchesBrace(text, root, servers)) return remove(text, root, servers);
  const around = [text.slice(0, root.start), text.slice(root.end)];
  return around[0] === "" && around[1] === styleOf(text).newline ? undefined : around.join("");
}

/** Puts an item at the end of the list that an entry is. Where there is none, the entry is made. */
export function withJsonItem(text: string, place: EntryPlace, item: unknown): string {
  const { list } = listOf(text, place);
  return list === undefined ? withJsonEntry(text, place, [item]) : insert(text, list, undefined, item, { ...styleOf(text), depth: 3 });
}

/** Takes out the items that `isOwn` returns true for. Undefined: the file has nothing else, and was made for them. */
export function withoutJsonItem(text: string, place: EntryPlace, isOwn: (item: unknown) => boolean): string | undefined {
  const { json, list } = listOf(text, place);
  const item = list?.members.find(({ valueStart, end }) => isOwn(JSON.parse(json.slice(valueStart, end))));
  if (list === undefined || item === undefined) return text;
  if (list.members.length > 1) return withoutJsonItem(remove(text, list, item), place, isOwn);
  return touchesBrace(text, list, item) ? remove(text, list, item) : withoutJsonEntry(text, place);
}

function listOf(text: string, { key, name }: EntryPlace): { json: string; list?: JsonObject | undefined } {
  const { json } = strictJson(text);
  const entries = json.trim() === "" ? undefined : memberOf(rootOf(json), key);
  const object = entries && objectAt(json, entries.valueStart);
  const entry = object?.start === entries?.valueStart ? object && memberOf(object, name) : undefined;
  const list = entry && listAt(json, entry.valueStart);
  return { json, list: list?.start === entry?.valueStart ? list : undefined };
}

interface Style {
  readonly newline: string;
  readonly indent: string;
}

/** As the file has it; two spaces otherwise. */
function styleOf(text: string): Style {
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  return { newline, indent: /\{[^\S\n]*\r?\n([ \t]+)\S/.exec(text)?.[1] ?? "  " };
}

function blockOf(value: unknown, { newline, indent }: Style, depth: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll("\n", newline + indent.repeat(depth));
}

function rootOf(json: string): JsonObject {
  const root = objectAt(json, 0);
  if (root === undefined) throw new SettingsError("is not a JSON object. Correct it by hand");
  return root;
}

/** Adds a member at the end of an object, or an item without a name at the end of a list. */
function insert(
  text: string,
  object: JsonObject,
  name: string | undefined,
  value: unknown,
  { depth, ...style }: Style & { depth: number },
): string {
  const member = `${name === undefined ? "" : `${JSON.stringify(name)}: `}${blockOf(value, style, depth)}`;
  const last = object.members.at(-1);
  if (last === undefined) return text.slice(0, object.start + 1) + member + text.slice(object.start + 1);
  const hasLines = text.slice(object.start, last.start).includes("\n");
  const separator = hasLines ? style.newline + style.indent.repeat(depth) : " ";
  const trailing = commaAfter(text, last.end);
  const commaEnd = trailing === undefined ? last.end : trailing + 1;
  const lineEnd = hasLines ? endOfLine(text, commaEnd, object.end) : commaEnd;
  const before = text.slice(0, last.end) + (trailing === undefined ? "," : "") + text.slice(last.end, lineEnd);
  return `${before}${separator}${member}${trailing === undefined ? "" : ","}${text.slice(lineEnd)}`;
}

function remove(text: string, { members }: JsonObject, member: Member): string {
  const trailing = commaAfter(text, member.end);
  const end = trailing === undefined ? member.end : trailing + 1;
  const at = members.indexOf(member);
  if (at < members.length - 1) return text.slice(0, member.start) + text.slice(end).trimStart();
  const start = text.slice(0, member.start).trimEnd().length;
  const previous = members[at - 1];
  if (previous === undefined) return text.slice(0, member.start) + text.slice(end);
  const comma = commaAfter(text, previous.end) ?? previous.end;
  if (trailing !== undefined) return text.slice(0, start) + text.slice(end);
  return text.slice(0, comma) + text.slice(comma + 1, start) + text.slice(end);
}

/** Whether the first thing in the object is this member, without a line break. */
const touchesBrace = (text: string, object: JsonObject, member: Member): boolean => !text.slice(object.start, member.start).includes("\n");

/** The position of the comma that follows, behind comments too. */
function commaAfter(text: string, from: number): number | undefined {
  const [skipped = ""] = /^(?:\s|\/\/[^\n]*|\/\*.*?\*\/)*/s.exec(text.slice(from)) ?? [];
  return text[from + skipped.length] === "," ? from + skipped.length : undefined;
}

/** The end of what stands in the rest of the line, where that is nothing but comments. */
function endOfLine(text: string, from: number, limit: number): number {
  const [rest = ""] = /^(?:[^\S\n]|\/\/[^\n]*|\/\*[^\n]*?\*\/)*(?=\r?\n)/.exec(text.slice(from, limit)) ?? [];
  return from + rest.trimEnd().length;
}
