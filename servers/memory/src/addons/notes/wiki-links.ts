// Relations as lines with wiki links: `relation_type [[Target]]`. A target that differs from the file name of its note has its name behind a bar, as
// in `[[AC-DC|AC/DC]]`, and one without a note whose name a link cannot hold has it in a comment.
import type { NoteRelation } from "./note-content.ts";
import { unquote } from "./list-items.ts";

/** A relation as a note has it: what the link means depends on the other notes. */
export interface LinkedRelation {
  readonly relationType: string;
  /** As in the link, without alias and heading. */
  readonly target: string;
  /** The exact name, where a comment has it. */
  readonly exactName?: string;
  /** What else stands on the line, such as a context in parentheses. */
  readonly tail: string;
}

const LINK = /^\[\[([^[\]\n]+)\]\]/;
/** A type in quotes or of one word, before a link. */
const TYPE = /^(?:("(?:[^"\\]|\\.)*")|'([^']*)'|([^\s[\]"'`]+):?)\s+(?=\[\[)/;
/** The exact name of the target. */
const NAME = /^<!-- ("(?:[^"\\]|\\.)*") -->$/;

/** `isRelation`: the line can only be a relation, so that a type of several words needs no quotes. */
export function parseRelation(text: string, isRelation: boolean): LinkedRelation | undefined {
  const type = TYPE.exec(text);
  if (type !== null) {
    const [start, json, quoted, word] = type;
    const relationType = json === undefined ? (quoted ?? word?.replace(/(?<=.):$/, "") ?? "") : unquote(json);
    const relation = linked(relationType, text.slice(start.length));
    if (relation !== undefined) return relation;
  }
  const start = text.indexOf("[[");
  const before = text.slice(0, Math.max(start, 0));
  if (!isRelation || start === -1 || /[[\]\n]/.test(before)) return undefined;
  return linked(before.trimEnd().replace(/:$/, "").trim() || "links_to", text.slice(start));
}

/** `rest`: the link, and what may stand behind it: a context in parentheses and a comment. */
function linked(relationType: string, rest: string): LinkedRelation | undefined {
  const [whole = "", link = ""] = LINK.exec(rest) ?? [];
  const target = linkTarget(link);
  if (target === "") return undefined;
  const end = rest.slice(whole.length).trim();
  const nameAt = end.endsWith("-->") ? end.lastIndexOf("<!-- ") : -1;
  const name = nameAt === -1 ? undefined : NAME.exec(end.slice(nameAt))?.[1];
  const tail = name === undefined ? end : end.slice(0, nameAt).trimEnd();
  if (tail !== "" && (!/^\([^\n]*$/.test(tail) || !tail.endsWith(")"))) return undefined;
  return { relationType, target, tail, ...(name !== undefined && { exactName: unquote(name) }) };
}

/** Without alias, heading and block. */
const linkTarget = (link: string): string => (/^[^|#^]*/.exec(link)?.[0] ?? "").trim();

/** Targets of all wiki links in a text. */
export const linksIn = (text: string): string[] =>
  [...text.matchAll(/\[\[([^[\]\n]{1,1000})\]\]/g)].map(([, link = ""]) => linkTarget(link)).filter((target) => target !== "");

/** The notes that links can mean. */
export interface LinkTargets {
  /** What a link to the note with this name says; undefined where there is no such note. */
  linkTo(name: string): string | undefined;
  /** The name of the note that a link means; undefined where there is none. */
  nameOf(target: string): string | undefined;
}

export const relationOf = ({ relationType, target, exactName }: LinkedRelation, targets: LinkTargets): NoteRelation => ({
  relationType,
  to: exactName ?? targets.nameOf(target) ?? target,
});

export function formatRelation({ relationType, to }: NoteRelation, tail: string, targets: LinkTargets): string {
  const type = /^[^\s[\]"'`:]+$/.test(relationType) ? relationType : JSON.stringify(relationType);
  const end = tail === "" ? "" : ` ${tail}`;
  const link = targets.linkTo(to);
  if (link !== undefined) return `- ${type} [[${link === to ? link : `${link}${aliasOf(to)}`}]]${end}`;
  const isSafe = linkTarget(to) === to && !/[[\]\n\r]/.test(to) && targets.nameOf(to) === undefined;
  if (isSafe) return `- ${type} [[${to}]]${end}`;
  const visible = to.replaceAll(/[[\]|#^\s]+/g, " ").trim() || "unnamed";
  return `- ${type} [[${visible}]]${end} <!-- ${JSON.stringify(to)
    .replaceAll("-", String.raw`\u002d`)
    .replaceAll(">", String.raw`\u003e`)} -->`;
}

/** What Obsidian shows instead of the file name. */
function aliasOf(name: string): string {
  const visible = name.replaceAll(/[[\]|\s]+/g, " ").trim();
  return visible === "" ? "" : `|${visible}`;
}
