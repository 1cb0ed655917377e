// Entities that a call refers to and that do not exist: created where the caller wants it, refused with the next step otherwise.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import { didYouMean } from "../read/suggestions.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";
import { similarityCheck, SimilarNamesFound, type OnSimilar, type SimilarNames } from "./similar-names.ts";

/** The type of entities that are created because something refers to them. */
const UNKNOWN_TYPE = "unknown";

/** Creates entities for names that no entity has. */
export class MissingEntities {
  readonly created: string[] = [];
  readonly similar: SimilarNames[] = [];
  readonly #rows: Rows;
  readonly #call: CallHandle;
  readonly #similarTo: (name: string) => string[];
  readonly #onSimilar: OnSimilar;

  constructor(rows: Rows, call: CallHandle, { count, onSimilar }: { count: number; onSimilar: OnSimilar }) {
    this.#rows = rows;
    this.#call = call;
    this.#similarTo = similarityCheck(rows, count);
    this.#onSimilar = onSimilar;
  }

  create(name: string): number {
    const existing = this.#similarTo(name);
    if (existing.length > 0) {
      if (this.#onSimilar === "refuse") throw refusedName(name, existing);
      this.similar.push({ name, existing });
    }
    this.created.push(name);
    return this.#rows.entities.insert(this.#call.seq(), { name, entityType: UNKNOWN_TYPE });
  }

  /** At the end of the call. */
  check(): void {
    if (this.#onSimilar === "ask" && this.similar.length > 0) throw new SimilarNamesFound(this.similar);
  }
}

const refusedName = (name: string, existing: readonly string[]): GraphError =>
  new GraphError(
    "invalid",
    `Entity ${clip(name)} not created: the user declined it beside ${existing.map((one) => clip(one)).join(" and ")}. Nothing was changed. Use the existing name.`,
  );

export function entityMissing(rows: Rows, name: string): GraphError {
  const suggestion = didYouMean(rows, name);
  const create = "pass createMissing: true, or use create_entities first.";
  const nextStep = suggestion === undefined ? `P${create.slice(1)}` : `${suggestion} If it is new, ${create}`;
  return new GraphError("not-found", `Entity with name ${clip(name)} not found. Nothing was changed. ${nextStep}`);
}

export const observationMissing = (entityName: string, text: string, near: string | undefined): GraphError =>
  new GraphError(
    "not-found",
    `Observation ${JSON.stringify(clip(text, 100))} of ${clip(entityName)} not found, so it cannot be superseded. Nothing was changed. ${near === undefined ? "Pass the exact text." : `Did you mean ${JSON.stringify(clip(near, 200))}?`}`,
  );
