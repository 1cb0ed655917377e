// The changes of one call, kept until its operation has ended and then written together, in the order in which they were made.
import type { EntityRow } from "../../../graph/rows/entities.ts";
import { BulkChanges, type NewEntity, type NewObservation, type NewRelation } from "./bulk-changes.ts";
import type { GraphState } from "./graph-state.ts";
import { changeType, moveMerged, rename } from "./moves.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";
import type { PostgresValue } from "../engine/values.ts";

const NO_STATE: GraphState = {
  seq: 0,
  purged: 0,
  entityId: 0,
  typeId: 0,
  observationId: 0,
  relationId: 0,
  entities: 0,
  relations: 0,
  cursorKey: new Uint8Array(),
  historyStart: 0,
};

type Step = BulkChanges | ((sql: PostgresConnection) => Promise<void>);

export class PendingChanges {
  /** With the counters that follow from the changes. */
  readonly state: GraphState;
  readonly #steps: Step[] = [];
  readonly #newEntities = new Set<number>();
  readonly #newTypes = new Map<string, number>();
  #bulk: BulkChanges | undefined;
  #seq: number | undefined;

  /** `state`: undefined in a transaction that only reads. */
  constructor(state: GraphState | undefined) {
    this.state = { ...(state ?? NO_STATE) };
  }

  /** The number of the call. Taken on first use: a call that changes nothing has none. */
  seq(): number {
    return (this.#seq ??= ++this.state.seq);
  }

  get isEmpty(): boolean {
    return this.#seq === undefined;
  }

  isNewEntity(id: number): boolean {
    return this.#newEntities.has(id);
  }

  /** `stored`: the id of the type, where it is known to the store. */
  typeId(name: string, stored: number | undefined): number {
    const known = stored ?? this.#newTypes.get(name);
    if (known !== undefined) return known;
    const id = ++this.state.typeId;
    this.#newTypes.set(name, id);
    this.#currentBulk().types.push({ id, name });
    return id;
  }

  insertEntity(entity: Omit<NewEntity, "id">): number {
    const id = ++this.state.entityId;
    this.#currentBulk().entities.set(id, { id, ...entity });
    this.#newEntities.add(id);
    this.state.entities++;
    return id;
  }

  endEntity(id: number, seq: number): void {
    const bulk = this.#currentBulk();
    const added = bulk.entities.get(id);
    if (added === undefined) bulk.endedEntities.push(id);
    else added.ended = seq;
    this.state.entities--;
  }

  insertObservation(observation: Omit<NewObservation, "id">): number {
    const id = ++this.state.observationId;
    this.#currentBulk().observations.set(id, { id, ...observation });
    return id;
  }

  endObservation(id: number, seq: number, successor: number | undefined): void {
    const bulk = this.#currentBulk();
    const added = bulk.observations.get(id);
    if (added === undefined) bulk.endedObservations.push({ id, successor });
    else Object.assign(added, { ended: seq, successor });
  }

  confirmObservation(id: number): void {
    this.#currentBulk().confirmedObservations.push(id);
  }

  insertRelation(relation: Omit<NewRelation, "id">): number {
    const id = ++this.state.relationId;
    this.#currentBulk().relations.set(id, { id, ...relation });
    this.state.relations++;
    return id;
  }

  endRelation(id: number, seq: number): void {
    const bulk = this.#currentBulk();
    const added = bulk.relations.get(id);
    if (added === undefined) bulk.endedRelations.push(id);
    else added.ended = seq;
    this.state.relations--;
  }

  rename(seq: number, entity: EntityRow, newName: string, newKey: string): void {
    this.#addStep(async (sql) => void (this.state.relations -= await rename(sql, seq, entity, newName, newKey)));
  }

  changeType(seq: number, entity: EntityRow, newType: string, typeId: number): void {
    this.#addStep((sql) => changeType(sql, seq, entity, newType, typeId));
  }

  moveMerged(seq: number, from: EntityRow, into: EntityRow): void {
    this.#addStep(async (sql) => void (this.state.relations -= await moveMerged(sql, seq, from, into)));
  }

  statement(statement: string, ...values: PostgresValue[]): void {
    this.#addStep(async (sql) => void (await sql.run(statement, ...values)));
  }

  async write(sql: PostgresConnection): Promise<void> {
    for (const step of this.#steps) await (step instanceof BulkChanges ? step.write(sql, this.state.seq) : step(sql));
  }

  #addStep(step: Step): void {
    this.#steps.push(step);
    this.#bulk = undefined;
  }

  #currentBulk(): BulkChanges {
    if (this.#bulk !== undefined) return this.#bulk;
    const bulk = new BulkChanges();
    this.#steps.push(bulk);
    return (this.#bulk = bulk);
  }
}
