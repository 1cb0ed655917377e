// Reads what has changed in Postgres since a call.
import { MAX_ROWS, touchedBy, type LoggedChange, type Named, type RelationEnds, type Touched } from "../../graph/watch/concerns.ts";
import { readState, type GraphState } from "./write/graph-state.ts";
import type { PostgresConnection } from "./engine/postgres-connection.ts";

/** The last call and the highest ids at some time. */
export interface Position {
  readonly state: GraphState;
  readonly turn: number;
}

const ENTITIES = "select e.name, t.name as type from entity e join type t on t.id = e.type";
const OBSERVED = `select distinct e.name, t.name as type from observation o join entity e on e.id = o.entity join type t on t.id = e.type`;

const joinEnd = (end: "source" | "target", entity: string, type: string): string =>
  `left join entity ${entity} on md5(${entity}.name) = md5(r.${end}) and ${entity}.name = r.${end} and ${entity}.ended is null
   left join type ${type} on ${type}.id = ${entity}.type`;

/** With the types of both ends: a resource of a type shows its entities with their relations. */
const ENDS = `select r.source, r.target, r.type, s.name as "sourceType", t.name as "targetType" from relation r
  ${joinEnd("source", "se", "s")} ${joinEnd("target", "te", "t")}`;

/** Present names of entities that were renamed, or into which others were merged. */
const RENAMED = "select e.name from turn join entity e on e.id = turn.entity where turn.id > $1 and turn.kind <> 'type'";
const atRenamed = (end: "source" | "target"): string =>
  `${ENDS} where r.ended is null and md5(r.${end}) in (select md5(name) from (${RENAMED}) n) and r.${end} in (${RENAMED})`;

const CHANGES = `select turn.kind, turn.past, turn.present, e.name, t.name as type from turn
  join entity e on e.id = turn.entity join type t on t.id = e.type where turn.id > $1`;

/** `touched` is undefined where nothing has changed, or `since` is. */
export async function readTouched(
  sql: PostgresConnection,
  since: Position | undefined,
): Promise<{ position: Position; touched: Touched | undefined }> {
  const state = await readState(sql);
  const turn = (await sql.get<{ id: number | null }>("select max(id) as id from turn"))?.id ?? 0;
  const position = { state, turn };
  if (since === undefined || state.seq === since.state.seq) return { position, touched: undefined };
  const select = async <Row>(statement: string, value: number): Promise<Row[]> =>
    await sql.all<Row>(`${statement} limit ${MAX_ROWS}`, value);
  const before = since.state;
  const touched = touchedBy({
    entities: [
      await select<Named>(`${ENTITIES} where e.id > $1`, before.entityId),
      await select<Named>(`${ENTITIES} where e.ended > $1`, before.seq),
    ],
    observed: [
      await select<Named>(`${OBSERVED} where o.id > $1`, before.observationId),
      await select<Named>(`${OBSERVED} where o.ended > $1`, before.seq),
    ],
    relations: [
      await select<RelationEnds>(`${ENDS} where r.id > $1`, before.relationId),
      await select<RelationEnds>(`${ENDS} where r.ended > $1`, before.seq),
      await select<RelationEnds>(atRenamed("source"), since.turn),
      await select<RelationEnds>(atRenamed("target"), since.turn),
    ],
    changes: await select<LoggedChange>(CHANGES, since.turn),
    hasPurged: state.purged > before.seq,
  });
  return { position, touched };
}
