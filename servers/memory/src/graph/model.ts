// Entities and relations, as tools, replies and the JSONL file know them.

// Types and not interfaces, so that they are assignable to records with further members.
export type Entity = {
  name: string;
  entityType: string;
  observations: string[];
};

/** When a fact holds and when it was stated: a year, month, day or moment each. */
export type FactTimes = {
  readonly validFrom?: string | undefined;
  readonly validTo?: string | undefined;
  readonly told?: string | undefined;
};

export type Relation = FactTimes & {
  from: string;
  to: string;
  relationType: string;
};

/** A name or type, and how many rows have it. */
export type Counted = { name: string; count: number };
