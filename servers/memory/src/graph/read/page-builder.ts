// Builds the entities of one page, up to a size in bytes. An entity that is too large for any page is divided: it begins with its newest
// observations, and the older ones follow on the next page, under its name again.
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

/** `before`: the observation of the entity that is shown last; 0 where none is. Older ones have lower ids. */
export type Added = { isComplete: true } | { isComplete: false; before: number };

interface Visible {
  readonly visible: ShownEntity;
  /** Those of the observations; none where they were read together with the entity. */
  readonly rows: readonly ObservationRow[];
}

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

  /**
   * Adds an entity if it fits. The first entity of a page is always added, as far as it fits. `before`: only its observations before this one, the
   * newest first; 0 for all of it.
   */
  add(row: EntityRow, before = 0): Added {
    const { visible, rows } = before === 0 ? this.#show(row) : this.#showOlder(row, before);
    const bytes = bytesOfEntity(visible);
    if (bytes > this.bytesLeft && this.entities.length > 0) return { isComplete: false, before };
    if (bytes > this.bytesLeft) return this.#addPart(row, before);
    this.observationRows.push(rows);
    this.entities.push(visible);
    this.bytesLeft -= bytes;
    return { isComplete: true };
  }

  #addPart(row: EntityRow, before: number): Added {
    const { visible, rows } = this.#showOlder(row, before === 0 ? Number.MAX_SAFE_INTEGER : before);
    const part: ShownEntity = { ...visible, observations: [] };
    this.bytesLeft -= bytesOfEntity(part) + COUNT_BYTES;
    part.observations = takeWithin(visible.observations, this.bytesLeft, bytesOfObservation);
    const [newest] = visible.observations;
    // Without it a page could be empty, and the next one too.
    if (part.observations.length === 0 && newest !== undefined) part.observations = [truncateObservation(newest, this.bytesLeft)];
    this.bytesLeft = 0;
    this.entities.push(part);
    this.observationRows.push(rows.slice(0, part.observations.length));
    const last = rows[part.observations.length - 1];
    if (part.observations.length < rows.length && last !== undefined) return { isComplete: false, before: last.id };
    if (before === 0) delete part.observationCount;
    return { isComplete: true };
  }

  #show(row: EntityRow): Visible {
    const { detail } = this.#options;
    const visible = this.#withoutObservations(row);
    if (detail === "names") return { visible, rows: [] };
    const rows = row.texts === undefined ? this.#rowsOf(row) : [];
    const all = row.texts ?? rows.map(({ text }) => text);
    const start = Math.max(0, all.length - this.#most);
    visible.observations = all.slice(start).map((text) => this.#cut(text));
    if (start > 0) visible.observationCount = all.length;
    return { visible, rows: rows.slice(start) };
  }

  /** Observations before one, the newest first. */
  #showOlder(row: EntityRow, before: number): Visible {
    const visible = this.#withoutObservations(row);
    const all = this.#rowsOf(row);
    const rows = all
      .slice(Math.max(0, all.length - this.#most))
      .filter(({ id }) => id < before)
      .reverse();
    visible.observations = rows.map(({ text }) => this.#cut(text));
    visible.observationCount = all.length;
    return { visible, rows };
  }

  #rowsOf({ id }: EntityRow): readonly ObservationRow[] {
    return this.#rows.observations.of(id, this.#options.asOf);
  }

  #withoutObservations({ name, type, extra }: EntityRow): ShownEntity {
    const tags = tagsOf(extra);
    return { name, entityType: type, observations: [], ...(tags.length > 0 && { tags }) };
  }

  get #most(): number {
    const { detail, maxObservations = Number.POSITIVE_INFINITY } = this.#options;
    return detail === "summary" ? Math.min(maxObservations, SUMMARY_OBSERVATIONS) : maxObservations;
  }

  #cut(text: string): string {
    return this.#options.detail === "summary" ? truncateText(text, SUMMARY_LENGTH) : text;
  }
}

/** The start of an observation that is too long for any page. */
function truncateObservation(text: string, maxBytes: number): string {
  const note = ` [truncated: ${text.length} characters in all; oarlock-memory export writes the whole text]`;
  let length = Math.min(text.length, Math.floor(maxBytes / 2));
  while (length > 0 && bytesOfObservation(truncateText(text, length) + note) > maxBytes) length = Math.floor(length * 0.8);
  return truncateText(text, length) + note;
}
