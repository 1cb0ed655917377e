// Views of the rows in which some facts do not exist: those outside of a time range, and those that did not hold at a moment. What reads a
// view cannot show them.
import { fold } from "../text-index/normalization.ts";
import type { EntityRow } from "./entities.ts";
import { holdsAt, periodOfFact, timesOf } from "./fact-times.ts";
import type { ObservationRow, ObservationVersion } from "./observations.ts";
import type { Rows } from "./rows.ts";
import { seqSince, timeSince } from "./times.ts";

export interface TimeRange {
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** Rows with the facts of a time range only, and whether an entity is of it. */
export interface RangeView {
  readonly rows: Rows;
  /** It has a fact of the range, or no fact at all and was recorded then. */
  has(entity: Pick<EntityRow, "id">): boolean;
  /** Facts of the entities that `has` was asked about which were recorded in the range, and are of another time by their own. */
  readonly ofOtherTimes: ReadonlySet<number>;
}

/** A fact with a time of its own is of the range where that is; another one where it was recorded then. */
export function rowsWithin(rows: Rows, { since, before }: TimeRange): RangeView {
  if (since === undefined && before === undefined) return { rows, has: () => true, ofOtherTimes: new Set() };
  const firstSeq = since === undefined ? 0 : seqSince(rows, since);
  const endSeq = before === undefined ? Number.MAX_SAFE_INTEGER : seqSince(rows, before);
  const first = since === undefined ? Number.NEGATIVE_INFINITY : timeSince(since);
  const end = before === undefined ? Number.POSITIVE_INFINITY : timeSince(before);
  const wasRecorded = ({ created }: ObservationRow): boolean => created >= firstSeq && created < endSeq;
  const isWithin = (row: ObservationRow): boolean => {
    const period = periodOfFact(timesOf(row));
    return period === undefined ? wasRecorded(row) : period.end >= first && period.start < end;
  };
  const of = (entity: number, asOf?: number): ObservationRow[] => rows.observations.of(entity, asOf).filter(isWithin);
  const view = changed(rows, {
    observations: changed(rows.observations, { of, countOf: (entity) => of(entity).length }),
    texts: changed(rows.texts, {
      search(folded) {
        const found = rows.texts.search(folded);
        return changed(found, {
          // The newest match decides the position of its entity, whether it is of the range or not.
          *observations(below) {
            for (const one of found.observations(below)) {
              const newest = of(one.entity).findLast(({ text }) => fold(text).includes(folded));
              if (newest !== undefined) yield { ...one, text: newest.text };
            }
          },
        });
      },
    }),
  });
  const ofOtherTimes = new Set<number>();
  const has = ({ id }: Pick<EntityRow, "id">): boolean => {
    const all = rows.observations.of(id);
    for (const row of all) if (wasRecorded(row) && !isWithin(row)) ofOtherTimes.add(row.id);
    return all.some(isWithin) || (all.length === 0 && rows.entities.isNewWithin(id, firstSeq, endSeq));
  };
  return { rows: view, has, ofOtherTimes };
}

/** Rows with the facts that held at the moment of `asOf`: by their own times, and where they have none, by when they were recorded and ended. */
export function rowsAsOf(rows: Rows, asOf: number, time: number): Rows {
  const didHold = (version: ObservationVersion): boolean => {
    const { created, ended, successor } = version;
    const times = timesOf(version);
    const wasKnown = created <= asOf && (ended === null || ended > asOf);
    if (Object.keys(times).length === 0) return wasKnown;
    // What was deleted was wrong; what was replaced held before.
    const wasRight = ended === null || wasKnown || (successor !== null && ended > asOf);
    return wasRight && holdsAt(times, time);
  };
  const of = (entity: number): ObservationRow[] =>
    rows.observations
      .versionsOf(entity)
      .filter(didHold)
      .map((version) => ({ ...version, confirmed: version.confirmed !== null && version.confirmed <= asOf ? version.confirmed : null }))
      .sort((a, b) => a.id - b.id);
  return changed(rows, { observations: changed(rows.observations, { of }) });
}

/** The object with other members. Its own methods keep their `this`. */
const changed = <T extends object>(target: T, members: Partial<T>): T =>
  new Proxy(target, {
    get(_target, key) {
      if (key in members) return members[key as keyof T];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
