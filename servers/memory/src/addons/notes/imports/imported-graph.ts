// What a file of another program holds, as entities, relations and a list of what is left out.
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from "../../../graph/validation.ts";

export interface ImportedEntity {
  readonly name: string;
  readonly entityType: string;
  readonly tags: Set<string>;
  readonly observations: Set<string>;
}

export interface ImportedRelation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/** Something that is not imported. */
export interface Skipped {
  /** Such as `line 3` or `record 12`. */
  readonly where: string;
  readonly reason: string;
}

export class ImportedGraph {
  readonly entities = new Map<string, ImportedEntity>();
  readonly relations = new Map<string, ImportedRelation>();
  readonly skipped: Skipped[] = [];
  /** What every record has that a memory has no place for. */
  readonly notes = new Set<string>();

  get isEmpty(): boolean {
    return this.entities.size === 0 && this.relations.size === 0;
  }

  skip(where: string, reason: string): void {
    this.skipped.push({ where, reason });
  }

  /** The entity with a name, which is added where it is new. Undefined where the name cannot be stored. */
  entity(name: string, entityType: string, where: string): ImportedEntity | undefined {
    if (name.trim() === "" || name.length > MAX_NAME_LENGTH || !name.isWellFormed()) {
      this.skip(where, `the name has ${name.length} characters: 1 to ${MAX_NAME_LENGTH} of well-formed text are expected`);
      return undefined;
    }
    let entity = this.entities.get(name);
    if (entity === undefined) this.entities.set(name, (entity = { name, entityType, tags: new Set(), observations: new Set() }));
    return entity;
  }

  observe(entity: ImportedEntity, text: string, where: string): void {
    if (text.length > MAX_TEXT_LENGTH || !text.isWellFormed())
      this.skip(where, `the text has ${text.length} characters: at most ${MAX_TEXT_LENGTH} of well-formed text are expected`);
    else if (text.trim() === "") this.skip(where, "the text is empty");
    else entity.observations.add(text);
  }

  relate(from: string, relationType: string, to: string, where: string): void {
    const isStorable = [from, relationType, to].every((text) => text.length <= MAX_NAME_LENGTH && text.isWellFormed());
    if (from === "" || to === "" || !isStorable) this.skip(where, "the relation has no names that can be stored");
    else this.relations.set(JSON.stringify([from, relationType, to]), { from, relationType, to });
  }
}
