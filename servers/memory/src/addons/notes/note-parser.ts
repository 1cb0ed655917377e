// Reads a Markdown note: frontmatter, observations, relations, and all other text, which stays in the note as it is.
import { isAlias, isScalar, isSeq, LineCounter, parseDocument, type Document } from "yaml";
import { GraphError } from "../../graph/errors.ts";
import { normalizeTags } from "../../graph/tags.ts";
import { itemAt, type ListItem } from "./list-items.ts";
import { parseRelation, type LinkedRelation } from "./wiki-links.ts";

/** Parsing takes a second for each of these, and longer than in proportion for more. */
const MAX_FRONTMATTER_LENGTH = 64 * 1024;

export interface ParsedNote {
  /** Undefined where the file name is the title. */
  readonly title: string | undefined;
  readonly type: string | undefined;
  readonly tags: string[];
  /** False where the frontmatter says `entity: false`. */
  readonly isEntity: boolean;
  readonly permalink: string | undefined;
  readonly observations: string[];
  readonly relations: LinkedRelation[];
  /** All text that is neither of these. */
  readonly prose: string;
  readonly frontmatter: Document;
}

/**
 * Items of the section "Observations" are observations. Elsewhere they are where they have the form `[category] text` or a #tag. Throws a
 * GraphError that begins with the line of a fault.
 */
export function parseNote(text: string): ParsedNote {
  const lines = text
    .replace(/^\ufeff/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n");
  const end = lines[0]?.trimEnd() === "---" ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---") : -1;
  const frontmatter = parseFrontmatter(end === -1 ? "" : lines.slice(1, end).join("\n"));
  const body = new Body(end === -1 ? lines : lines.slice(end + 1));
  const tags = frontmatter.get("tags", true);
  const given = isSeq(tags) ? tags.items.map(asText) : (asText(tags)?.split(/[\s,]+/) ?? []);
  return {
    title: asText(frontmatter.get("title", true)) || undefined,
    type: asText(frontmatter.get("type", true)),
    permalink: asText(frontmatter.get("permalink", true)) || undefined,
    tags: normalizeTags(given),
    isEntity: frontmatter.get("entity") !== false,
    ...body.read(),
    frontmatter,
  };
}

function parseFrontmatter(yaml: string): Document {
  if (yaml.length > MAX_FRONTMATTER_LENGTH)
    throw new GraphError("damaged", `line 2: frontmatter is longer than ${MAX_FRONTMATTER_LENGTH.toLocaleString("en")} characters`);
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter, uniqueKeys: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined)
    throw new GraphError("damaged", `line ${(error.linePos?.[0].line ?? 0) + 1}: frontmatter is not YAML (${error.code.toLowerCase()})`);
  if (yaml.trim() !== "" && document.contents !== null && !("items" in document.contents && !isSeq(document.contents)))
    throw new GraphError("damaged", "line 2: frontmatter is not a list of keys and values");
  return document;
}

/** A scalar as it is written: `title: 2024` is a title too. */
function asText(node: unknown): string | undefined {
  if (isAlias(node) || !isScalar(node) || node.value === null) return undefined;
  const text = typeof node.value === "string" ? node.value : (node.source ?? "");
  return text.isWellFormed() ? text : undefined;
}

/** The text of a heading, without the `#` that may close it. Without a regular expression that tries each length of blanks. */
function headingOf(line: string): string | undefined {
  const marks = /^#{1,6}(?=\s)/.exec(line)?.[0];
  if (marks === undefined) return undefined;
  let end = line.length;
  while (line[end - 1] === "#") end--;
  return line.slice(marks.length, end).trim();
}

type Section = "none" | "observations" | "relations" | "other";

class Body {
  readonly #lines: readonly string[];
  readonly #observations: string[] = [];
  readonly #relations: LinkedRelation[] = [];
  readonly #prose: string[] = [];
  #section: Section = "none";
  /** The characters that end the code block. */
  #fence: string | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  read(): Pick<ParsedNote, "observations" | "relations" | "prose"> {
    for (let at = 0; at < this.#lines.length;) at += this.#take(at);
    const prose = this.#prose
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .replace(/^\n+/, "")
      .trimEnd();
    return { observations: this.#observations, relations: this.#relations, prose };
  }

  /** Returns the number of lines. */
  #take(at: number): number {
    const line = this.#lines[at] ?? "";
    const item = this.#fence === undefined ? itemAt(this.#lines, at) : undefined;
    if (item !== undefined && this.#takeItem(item)) return item.lines;
    if (this.#takeHeading(line)) return 1;
    this.#prose.push(line);
    return 1;
  }

  #takeItem({ text, isBlank }: ListItem): boolean {
    if (isBlank) return this.#section === "observations" || this.#section === "relations";
    if (this.#section === "observations") return this.#observations.push(text) > 0;
    const relation = parseRelation(text, this.#section === "relations");
    if (relation !== undefined) return this.#relations.push(relation) > 0;
    if (this.#section === "relations" || !looksLikeObservation(text)) return false;
    return this.#observations.push(text) > 0;
  }

  /** Whether the line is the heading of a section, which is written again with it. */
  #takeHeading(line: string): boolean {
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (this.#fence !== undefined) {
      if (fence?.startsWith(this.#fence) === true) this.#fence = undefined;
      return false;
    }
    this.#fence = fence;
    const title = headingOf(line)?.toLowerCase();
    if (title === undefined) return false;
    this.#section = title === "observations" || title === "relations" ? title : "other";
    return this.#section !== "other";
  }
}

/** `[category] text`, or a text with a #tag: neither a task nor a link. */
const looksLikeObservation = (text: string): boolean =>
  (/^\[[^[\]()]{2,}\]\s+\S/.test(text) && !/^\[[\d:.,\s-]+\]/.test(text)) || (/(?:^|\s)#[\p{L}\d]/u.test(text) && !/^\[.?\]\s/.test(text));
