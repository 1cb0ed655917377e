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

const LINE =
  /^(?:("(?:[^"\\]|\\.)*")|'([^']*)'|([^\s[\]"'`]+):?)\s+\[\[([^[\]\n]+)\]\]\s*(\([^\n]*\))?\s*(?:<!-- ("(?:[^"\\]|\\.)*") -->)?$/;
const LOOSE_LINE = /^([^[\]\n]*?):?\s*\[\[([^[\]\n]+)\]\]\s*(\([^\n]*\))?\s*(?:<!-- ("(?:[^"\\]|\\.)*") -->)?$/;

/** `isRelation`: the line can only be a relation, so that a type of several words needs no quotes. */
export function parseRelation(text: string, isRelation: boolean): LinkedRelation | undefined {
  const match = LINE.exec(text);
  if (match !== null) {
    const [, json, quoted, word, link = "", tail = "", name] = match;
    const relationType = json === undefined ? (quoted ?? word?.replace(/(?<=.):$/, "") ?? "") : unquote(json);
    return linked(relationType, link, tail, name);
  }
  const loose = isRelation ? LOOSE_LINE.exec(text) : null;
  if (loose === null) return undefined;
  const [, relationType = "", link = "", tail = "", name] = loose;
  return linked(relationType.trim() === "" ? "links_to" : relationType.trim(), link, tail, name);
}

function linked(relationType: string, link: string, tail: string, name: string | undefined): LinkedRelation | undefined {
  const target = linkTarget(link);
  return target === "" ? undefined : { relationType, target, tail, ...(name !== undefined && { exactName: unquote(name) }) };
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
