// Writes a note: what the graph has, and the other text and frontmatter that the note had before.
import { Document, Scalar } from "yaml";
import { formatItem } from "./list-items.ts";
import { relationKey, type NoteContent } from "./note-content.ts";
import type { ParsedNote } from "./note-parser.ts";
import { formatRelation, type LinkTargets } from "./wiki-links.ts";

/** `tails`: what stands behind relations in the present note, by `relationKey`. */
export interface PresentNote extends Pick<ParsedNote, "prose" | "frontmatter"> {
  readonly tails: ReadonlyMap<string, string>;
}

const NO_NOTE = { prose: "", tails: new Map<string, string>() };

export function formatNote(content: NoteContent, targets: LinkTargets, present?: PresentNote): string {
  const { prose, tails } = present ?? NO_NOTE;
  const relations = content.relations.map((relation) => formatRelation(relation, tails.get(relationKey(relation)) ?? "", targets));
  const parts = [
    `---\n${formatFrontmatter(content, present?.frontmatter)}---`,
    prose,
    section("Observations", content.observations.map(formatItem)),
    section("Relations", relations),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const section = (title: string, items: readonly string[]): string => (items.length === 0 ? "" : `## ${title}\n\n${items.join("\n")}`);

function formatFrontmatter({ name, entityType, tags, isEntity }: NoteContent, present: Document | undefined): string {
  const document = present?.clone() ?? new Document({});
  if (document.contents === null) document.contents = new Document({}).contents;
  document.set("title", scalarOf(name));
  if (isEntity) document.set("type", scalarOf(entityType));
  if (isEntity) document.delete("entity");
  else document.set("entity", false);
  if (tags.length > 0) document.set("tags", [...tags]);
  else document.delete("tags");
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** A block scalar of blanks and line breaks only would lose the blanks, so a text with a line break is quoted. */
function scalarOf(text: string): string | Scalar {
  if (!text.includes("\n")) return text;
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}
