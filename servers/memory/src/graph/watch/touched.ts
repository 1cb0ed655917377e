// Finds which entities, types and relations have changed in SQLite since a call.
import { lastPurgeSeq, type HighestIds } from "../store/calls.ts";
import { SELECT_ENTITY } from "../store/sqlite-entities.ts";
import type { Store } from "../store/store.ts";
import { MAX_ROWS, touchedBy, type LoggedChange, type Named, type RelationEnds, type Touched } from "./concerns.ts";

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
  const select = <Row>(sql: string, ...values: number[]): Row[] => store.all<Row>(`${sql} LIMIT ${MAX_ROWS}`, ...values);
  return touchedBy({
    entities: [select<Named>(`${SELECT_ENTITY} WHERE e.id > ?`, ids.entity), select<Named>(`${SELECT_ENTITY} WHERE e.ended > ?`, seq)],
    observed: [
      select<Named>(`${SELECT_OBSERVED} WHERE o.id > ?`, ids.observation),
      select<Named>(`${SELECT_OBSERVED} WHERE o.ended > ?`, seq),
    ],
    relations: [
      select<RelationEnds>(`${SELECT_ENDS} WHERE r.id > ?`, ids.relation),
      select<RelationEnds>(`${SELECT_ENDS} WHERE r.ended > ?`, seq),
      select<RelationEnds>(`${SELECT_ENDS} WHERE r.ended IS NULL AND r.source IN (${RENAMED})`, ids.turn),
      select<RelationEnds>(`${SELECT_ENDS} WHERE r.ended IS NULL AND r.target IN (${RENAMED})`, ids.turn),
    ],
    changes: select<LoggedChange>(SELECT_CHANGES, ids.turn),
    hasPurged: lastPurgeSeq(store) > seq,
  });
}
