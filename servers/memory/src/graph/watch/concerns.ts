// What changes have touched, and which topics they concern.
import type { Topic } from "../graph.ts";

export interface Touched {
  /** More has changed than is listed here: everything may have changed. */
  all: boolean;
  /** Entities came, went or were renamed. */
  names: boolean;
  /** Names of entities that are different now, or are shown with a relation that is. */
  entity: Set<string>;
  type: Set<string>;
  /** Types of relations. */
  relation: Set<string>;
}

/** Rows of one kind that are looked at. */
export const MAX_ROWS = 2000;

export interface Named {
  readonly name: string;
  readonly type: string;
}

export interface RelationEnds {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly sourceType: string | null;
  readonly targetType: string | null;
}

/** A rename, a new type or a merge of an entity, which has the name and type now. */
export interface LoggedChange extends Named {
  readonly kind: string;
  readonly past: string;
  readonly present: string;
}

/** Rows that changes have created or ended, in lists of at most MAX_ROWS. */
export interface ChangedRows {
  readonly entities: readonly (readonly Named[])[];
  /** Entities with new or ended observations. */
  readonly observed: readonly (readonly Named[])[];
  readonly relations: readonly (readonly RelationEnds[])[];
  readonly changes: readonly LoggedChange[];
  /** Purged rows leave no trace of what they were. */
  readonly hasPurged: boolean;
}

export function touchedBy({ entities, observed, relations, changes, hasPurged }: ChangedRows): Touched {
  const isTruncated = [...entities, ...observed, ...relations, changes].some((rows) => rows.length === MAX_ROWS);
  const touched: Touched = { all: false, names: entities.flat().length > 0, entity: new Set(), type: new Set(), relation: new Set() };
  for (const { name, type } of [...entities.flat(), ...observed.flat()]) {
    touched.entity.add(name);
    touched.type.add(type);
  }
  for (const { source, target, type, sourceType, targetType } of relations.flat()) {
    touched.entity.add(source).add(target);
    touched.relation.add(type);
    for (const one of [sourceType, targetType]) if (one !== null) touched.type.add(one);
  }
  for (const { kind, past, present, name, type } of changes) {
    touched.names ||= kind !== "type";
    (kind === "type" ? touched.type : touched.entity).add(past).add(present);
    touched.entity.add(name);
    touched.type.add(type);
  }
  touched.all = isTruncated || hasPurged || (touched.entity.size === 0 && touched.type.size === 0);
  touched.names ||= touched.all;
  return touched;
}

export function concerns(topic: Topic, touched: Touched | undefined): boolean {
  if (touched === undefined || touched.all || topic.kind === "any") return true;
  if (topic.kind === "names") return touched.names;
  return touched[topic.kind].has(topic.of);
}
