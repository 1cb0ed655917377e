// Entities as a reply shows them: whole, in short, or by name alone; and as many as there is room for. One that does not fit into
// any reply is divided: its other observations stand on the next page, under its name again.
import { beginOf, wholeCharacters } from "../errors.ts";
import type { Entity } from "../model.ts";
import { observationsOf, textsAt, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { weighEntity, weighObservation } from "./json-size.ts";

export const DETAILS = ["full", "summary", "names"] as const;
export type Detail = (typeof DETAILS)[number];

/** `observationCount`: of how many those are some, where they are not all. */
export type ShownEntity = Entity & { observationCount?: number };

const SUMMARY_OBSERVATIONS = 3;
const SUMMARY_LENGTH = 200;

export interface ViewOptions {
  readonly detail: Detail;
  /** The newest that many; the others are counted. */
  readonly maxObservations?: number | undefined;
  /** The call that the past is shown of; now, where it is left out. */
  readonly at?: number | undefined;
}

export class Filling {
  readonly entities: ShownEntity[] = [];
  readonly #store: Store;
  readonly #options: ViewOptions;
  room: number;

  constructor(store: Store, room: number, options: ViewOptions) {
    this.#store = store;
    this.room = room;
    this.#options = options;
  }

  /** False when the entity has no room; then `skip` of the next page is what this gives. */
  add(row: EntityRow, skip = 0): { done: true } | { done: false; skip: number } {
    const shown = this.#show(row, skip);
    const weight = weighEntity(shown);
    if (weight <= this.room) {
      this.entities.push(shown);
      this.room -= weight;
      return { done: true };
    }
    if (this.entities.length > 0) return { done: false, skip };
    return this.#divide(shown, skip);
  }

  /** The first of a page always gets on it, as far as there is room. */
  #divide(shown: ShownEntity, skip: number): { done: true } | { done: false; skip: number } {
    const all = shown.observations;
    const part: ShownEntity = { ...shown, observations: [] };
    this.room -= weighEntity(part) + 60;
    for (const text of all) {
      const weight = weighObservation(text);
      if (weight > this.room && part.observations.length > 0) break;
      part.observations.push(weight > this.room ? cut(text, this.room) : text);
      this.room -= weight;
      if (this.room <= 0) break;
    }
    this.room = 0;
    const shownUntil = skip + part.observations.length;
    const isWhole = part.observations.length === all.length;
    if (!isWhole || skip > 0) part.observationCount = skip + all.length;
    this.entities.push(part);
    return isWhole ? { done: true } : { done: false, skip: shownUntil };
  }

  #show({ id, name, type, texts }: EntityRow, skip: number): ShownEntity {
    const { detail, maxObservations, at } = this.#options;
    const shown: ShownEntity = { name, entityType: type, observations: [] };
    if (detail === "names") return shown;
    const all = texts ?? (at === undefined ? currentTexts(this.#store, id) : textsAt(this.#store, id, at));
    shown.observations = all.slice(skip);
    if (skip > 0) shown.observationCount = all.length;
    const most = detail === "summary" ? Math.min(maxObservations ?? SUMMARY_OBSERVATIONS, SUMMARY_OBSERVATIONS) : maxObservations;
    if (most !== undefined && shown.observations.length > most) {
      shown.observations = shown.observations.slice(-most);
      shown.observationCount = all.length;
    }
    if (detail === "summary") shown.observations = shown.observations.map((text) => beginOf(text, SUMMARY_LENGTH));
    return shown;
  }
}

const currentTexts = (store: Store, entity: number): string[] => observationsOf(store, entity).map(({ text }) => text);

/** The begin of a text that is too long for any reply. */
function cut(text: string, room: number): string {
  const mark = ` … [cut: ${text.length} characters in all; oarlock-memory export has the whole]`;
  let length = Math.min(text.length, Math.floor(room / 2));
  while (length > 0 && weighObservation(text.slice(0, length) + mark) > room) length = Math.floor(length * 0.8);
  return wholeCharacters(text.slice(0, length)) + mark;
}
