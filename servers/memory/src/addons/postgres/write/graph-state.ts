// The row of `graph`: counters, and the lock of the memory.
import type { PostgresConnection } from "../engine/postgres-connection.ts";
import { checkFormat } from "../tables.ts";

export interface GraphState {
  /** The last call. */
  seq: number;
  /** The last call that purged something; 0 where there is none. */
  purged: number;
  /** The highest ids. */
  entityId: number;
  typeId: number;
  observationId: number;
  relationId: number;
  /** How many there are now. */
  entities: number;
  relations: number;
  readonly cursorKey: Uint8Array;
  /** The last call whose ended rows may have been removed; 0 where history is whole. */
  readonly historyStart: number;
}

const SELECT = `select format, seq, purged, entity_id as "entityId", type_id as "typeId", observation_id as "observationId",
  relation_id as "relationId", entities, relations, cursor_key as "cursorKey", history_start as "historyStart" from graph`;

export async function readState(sql: PostgresConnection): Promise<GraphState> {
  return required(await sql.get<StoredState>(SELECT));
}

/** Waits for other changes, and keeps further ones waiting until the end of the transaction. */
export async function lockState(sql: PostgresConnection): Promise<GraphState> {
  return required(await sql.get<StoredState>(`${SELECT} for update`));
}

/** Logs a call with the state after it. Other processes get the news with the commit. */
export async function logCall(sql: PostgresConnection, state: GraphState, client: string | undefined, channel: string): Promise<void> {
  await sql.run(
    `with logged as (insert into call (seq, at, client) values ($1, $9, $10)), counted as (
       update graph set seq = $1, purged = $2, entity_id = $3, type_id = $4, observation_id = $5, relation_id = $6, entities = $7, relations = $8)
     select pg_notify($11, $12)`,
    state.seq,
    state.purged,
    state.entityId,
    state.typeId,
    state.observationId,
    state.relationId,
    state.entities,
    state.relations,
    Date.now(),
    client ?? null,
    channel,
    String(state.seq),
  );
}

type StoredState = GraphState & { readonly format: number };

function required(state: StoredState | undefined): GraphState {
  if (state === undefined) throw new Error("The table graph of the memory has no row");
  const { format, ...counted } = state;
  checkFormat(format);
  return counted;
}
