// Finds which entities, types and relations have changed since a call.
import { lastPurgeSeq, type HighestIds } from "../store/calls.ts";
import { SELECT_ENTITY } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

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
const MAX_ROWS = 2000;

interface RelationEnds {
  source: string;
  target: string;
  type: string;
  sourceType: string | null;
  targetType: string | null;
}

const SELECT_OBSERVED = `SELECT DISTINCT e.name, t.name AS type FROM observation o JOIN entity e ON e.id = o.entity JOIN type t ON t.id = e.type`;

/** With the types of both ends: a resource of a type shows its entities with their relations. */
const SELECT_ENDS = `SELECT r.source, r.target, r.type, s.name AS sourceType, t.name AS targetType FROM relation r
  LEFT JOIN entity se ON se.name = r.source AND se.ended IS NULL LEFT JOIN type s ON s.id = se.type
  LEFT JOIN entity te ON te.name = r.target AND te.ended IS NULL LEFT JOIN type t ON t.id = te.type`;

/** Present names of entities that were renamed, or into which others were merged. */
const RENAMED = "SELECT e.name FROM turn JOIN entity e ON e.id = turn.entity WHERE turn.id > ? AND turn.kind <> 'type'";

const SELECT_CHANGES = `SELECT turn.kind, turn.past, turn.present, e.name, t.name AS type FROM turn
  JOIN entity e ON e.id = turn.entity JOIN type t ON t.id = e.type WHERE turn.id > ?`;

/** `seq` and `ids`: the last call and the highest ids before the changes. */
export function findTouched(store: Store, { seq, ids }: { readonly seq: number; readonly ids: HighestIds }): Touched {
  const touched: Touched = { all: false, names: false, entity: new Set(), type: new Set(), relation: new Set() };
  const select = <Row>(sql: string, ...values: number[]): Row[] => {
    const rows = store.all<Row>(`${sql} LIMIT ${MAX_ROWS}`, ...values);
    touched.all ||= rows.length === MAX_ROWS;
    return rows;
  };
  type Named = { name: string; type: string };

  const entities = [
    ...select<Named>(`${SELECT_ENTITY} WHERE e.id > ?`, ids.entity),
    ...select<Named>(`${SELECT_ENTITY} WHERE e.ended > ?`, seq),
  ];
  touched.names = entities.length > 0;
  const observed = [
    ...select<Named>(`${SELECT_OBSERVED} WHERE o.id > ?`, ids.observation),
    ...select<Named>(`${SELECT_OBSERVED} WHERE o.ended > ?`, seq),
  ];
  for (const { name, type } of [...entities, ...observed]) {
    touched.entity.add(name);
    touched.type.add(type);
  }

  const relations = [
    ...select<RelationEnds>(`${SELECT_ENDS} WHERE r.id > ?`, ids.relation),
    ...select<RelationEnds>(`${SELECT_ENDS} WHERE r.ended > ?`, seq),
    ...select<RelationEnds>(`${SELECT_ENDS} WHERE r.ended IS NULL AND r.source IN (${RENAMED})`, ids.turn),
    ...select<RelationEnds>(`${SELECT_ENDS} WHERE r.ended IS NULL AND r.target IN (${RENAMED})`, ids.turn),
  ];
  for (const { source, target, type, sourceType, targetType } of relations) {
    touched.entity.add(source).add(target);
    touched.relation.add(type);
    for (const one of [sourceType, targetType]) if (one !== null) touched.type.add(one);
  }

  for (const { kind, past, present, name, type } of select<Named & { kind: string; past: string; present: string }>(
    SELECT_CHANGES,
    ids.turn,
  )) {
    touched.names ||= kind !== "type";
    (kind === "type" ? touched.type : touched.entity).add(past).add(present);
    touched.entity.add(name);
    touched.type.add(type);
  }

  // Purged rows leave no trace of what they were.
  const isPurged = lastPurgeSeq(store) > seq || (touched.entity.size === 0 && touched.type.size === 0);
  touched.all ||= isPurged;
  touched.names ||= touched.all;
  return touched;
}
