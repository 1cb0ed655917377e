// The annotated tags that a revision names, as git show prints them before the commit.
import { escapeControls, truncateText } from "@oarlock/domain-kit";
import { escapeLines, truncateLine } from "../history/commit-record.ts";
import { addressIn, HIDDEN } from "../lockdown/trusted-authors.ts";
import type { Repository } from "../repository.ts";
import { dateOf } from "./ref-list.ts";
import { decodeText } from "../text/file-names.ts";

export interface AnnotatedTag {
  readonly name: string;
  /** `Name <email>`; empty where the tag has none. */
  readonly tagger: string;
  /** ISO 8601 in the time zone of the tagger; empty where it is missing or no valid date. */
  readonly date: string;
  readonly message: string;
}

const MAX_BYTES = 64 * 1024;
const MAX_MESSAGE_LENGTH = 16_000;
/** Tags of tags. */
const MAX_DEPTH = 5;

/** From the outer to the inner one; none for any other revision. `revision` has been resolved before. */
export async function readAnnotatedTags(repository: Repository, revision: string, signal?: AbortSignal): Promise<AnnotatedTag[]> {
  const tags: AnnotatedTag[] = [];
  for (let name = revision; tags.length < MAX_DEPTH;) {
    const found = await repository.object(name, MAX_BYTES, signal);
    if (typeof found === "string" || found.type !== "tag") break;
    const text = decodeText(found.bytes);
    const tag = parseTag(text);
    tags.push(repository.isTrusted?.(addressIn(tag.tagger)) === false ? { ...tag, message: HIDDEN } : tag);
    name = /^object ([0-9a-f]+)/.exec(text)?.[1] ?? "";
    if (name === "") break;
  }
  return tags;
}

function parseTag(text: string): AnnotatedTag {
  const end = text.indexOf("\n\n");
  const header = end === -1 ? text : text.slice(0, end);
  const [, name = ""] = /^tag (.*)$/m.exec(header) ?? [];
  const [, tagger = "", date = ""] = /^tagger (.*?)(?: (\d+ [+-]\d{4}))?$/m.exec(header) ?? [];
  const message = (end === -1 ? "" : text.slice(end + 2)).replace(/^-----BEGIN [^]*$/m, "").trimEnd();
  return {
    name: truncateLine(name),
    tagger: truncateLine(tagger),
    date: dateOf(date),
    message: truncateText(message, MAX_MESSAGE_LENGTH),
  };
}

export const tagText = ({ name, tagger, date, message }: AnnotatedTag): string =>
  [
    `Tag: ${escapeControls(name)}`,
    ...(tagger === "" ? [] : [`Tagger: ${escapeControls(tagger)}`]),
    ...(date === "" ? [] : [`Date: ${date}`]),
    `Message: ${escapeLines(message)}`,
    "",
    "",
  ].join("\n");
