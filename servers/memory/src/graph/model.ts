// Entities and relations, as tools, replies and the JSONL file know them.

// Types and not interfaces, so that they are assignable to records with further members.
export type Entity = {
  name: string;
  entityType: string;
  observations: string[];
};

export type Relation = {
  from: string;
  to: string;
  relationType: string;
};

/** A name or type, and how many rows have it. */
export type Counted = { name: string; count: number };
