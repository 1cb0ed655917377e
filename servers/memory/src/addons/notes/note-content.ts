// What a Markdown note says about the graph: one entity, its observations, and the relations that start at it.

export interface NoteRelation {
  readonly relationType: string;
  readonly to: string;
}

export interface NoteContent {
  readonly name: string;
  readonly entityType: string;
  readonly tags: readonly string[];
  /** With their times (timed-facts.ts). */
  readonly observations: readonly string[];
  readonly relations: readonly NoteRelation[];
  /** False for a name that relations start at, but no entity has. */
  readonly isEntity: boolean;
}

/** Compares relations. */
export const relationKey = ({ relationType, to }: NoteRelation): string => JSON.stringify([relationType, to]);

export const sameContent = (a: NoteContent, b: NoteContent): boolean => comparable(a) === comparable(b);

const comparable = ({ name, entityType, tags, observations, relations, isEntity }: NoteContent): string =>
  JSON.stringify([isEntity, name, isEntity ? entityType : "", [...tags].sort(), observations, relations.map(relationKey).sort()]);
