// Builds the entities of one page, up to a size in bytes. An entity that is too large for any page is divided: its other observations
// follow on the next page, under its name again.
import { takeWithin, truncateText } from "@oarlock/domain-kit";
import type { Entity } from "../model.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { ObservationRow } from "../rows/observations.ts";
import type { Rows } from "../rows/rows.ts";
import { tagsOf } from "../tags.ts";
import { bytesOfEntity, bytesOfObservation } from "./json-size.ts";

export const DETAILS = ["full", "summary", "names"] as const;
export type Detail = (typeof DETAILS)[number];

/**
 * `observationCount`: how many observations the entity has, where the page does not show all of them. `omitted`: how many of them a search does
 * not show here.
 */
export type ShownEntity = Entity & { tags?: string[]; observationCount?: number; omitted?: number };

const SUMMARY_OBSERVATIONS = 3;
const SUMMARY_LENGTH = 200;
/** Bytes of `observationCount`. */
const COUNT_BYTES = 60;

export interface PageOptions {
  readonly detail: Detail;
  /** Only this many observations of each entity, the newest. */
  readonly maxObservations?: number | undefined;
  /** As of this call. Default: now. */
  readonly asOf?: number | undefined;
}

/** `isShown`: at least in part. `skip`: how many observations of the entity this page and earlier ones have shown. */
export type Added = { isComplete: true; isShown: true } | { isComplete: false; isShown: boolean; skip: number };

export class PageBuilder {
  readonly entities: ShownEntity[] = [];
  /** For each of the entities, its observations from the first that is shown; none where they were read together with the entity. */
  readonly observationRows: (readonly ObservationRow[])[] = [];
  /** How many bytes are left. */
  bytesLeft: number;
  readonly #rows: Rows;
  readonly #options: PageOptions;

  constructor(rows: Rows, maxBytes: number, options: PageOptions) {
    this.#rows = rows;
    this.bytesLeft = maxBytes;
    this.#options = options;
  }

  /** Adds an entity if it fits. The first entity of a page is always added, as far as it fits. */
  add(row: EntityRow, skip = 0): Added {
    const { visible, rows } = this.#show(row, skip);
    const bytes = bytesOfEntity(visible);
    if (bytes > this.bytesLeft && this.entities.length > 0) return { isComplete: false, isShown: false, skip };
    this.observationRows.push(rows);
    if (bytes <= this.bytesLeft) {
      this.entities.push(visible);
      this.bytesLeft -= bytes;
      return { isComplete: true, isShown: true };
    }
    return this.#addPart(visible, skip);
  }

  #addPart(visible: ShownEntity, skip: number): Added {
    const all = visible.observations;
    const part: ShownEntity = { ...visible, observations: [] };
    this.bytesLeft -= bytesOfEntity(part) + COUNT_BYTES;
    part.observations = takeWithin(all, this.bytesLeft, bytesOfObservation);
    const [first] = all;
    // Without it a page could be empty, and the next one too.
    if (part.observations.length === 0 && first !== undefined) part.observations = [truncateObservation(first, this.bytesLeft)];
    this.bytesLeft = 0;
    const isComplete = part.observations.length === all.length;
    if (!isComplete || skip > 0) part.observationCount = skip + all.length;
    this.entities.push(part);
    return isComplete ? { isComplete, isShown: true } : { isComplete, isShown: true, skip: skip + part.observations.length };
  }

  #show({ id, name, type, texts, extra }: EntityRow, skip: number): { visible: ShownEntity; rows: ObservationRow[] } {
    const { detail, maxObservations } = this.#options;
    const tags = tagsOf(extra);
    const visible: ShownEntity = { name, entityType: type, observations: [], ...(tags.length > 0 && { tags }) };
    if (detail === "names") return { visible, rows: [] };
    const rows = texts === undefined ? this.#rows.observations.of(id, this.#options.asOf) : [];
    const all = texts ?? rows.map(({ text }) => text);
    let start = skip;
    visible.observations = all.slice(skip);
    if (skip > 0) visible.observationCount = all.length;
    const most = detail === "summary" ? Math.min(maxObservations ?? SUMMARY_OBSERVATIONS, SUMMARY_OBSERVATIONS) : maxObservations;
    if (most !== undefined && visible.observations.length > most) {
      start = all.length - most;
      visible.observations = all.slice(start);
      visible.observationCount = all.length;
    }
    if (detail === "summary") visible.observations = visible.observations.map((text) => truncateText(text, SUMMARY_LENGTH));
    return { visible, rows: rows.slice(start) };
  }
}

/** The start of an observation that is too long for any page. */
function truncateObservation(text: string, maxBytes: number): string {
  const note = ` [truncated: ${text.length} characters in all; oarlock-memory export writes the whole text]`;
  let length = Math.min(text.length, Math.floor(maxBytes / 2));
  while (length > 0 && bytesOfObservation(truncateText(text, length) + note) > maxBytes) length = Math.floor(length * 0.8);
  return truncateText(text, length) + note;
}
