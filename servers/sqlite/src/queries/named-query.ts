// A query with a name, which becomes a tool: what a metadata file tells of it.

export const TOOLSET = "queries";

/** Types that an argument may have, by their names in JSON Schema. */
export const TYPES = ["string", "integer", "number", "boolean"] as const;

/** A parameter of the SQL text, which becomes an argument. */
export interface Parameter {
  /** Without the sign in front of it. */
  readonly name: string;
  readonly type: (typeof TYPES)[number];
  readonly description?: string | undefined;
  /** It may be left out then; null stands for NULL. */
  readonly default?: string | number | boolean | null | undefined;
}

/** One statement that only reads, of one database. */
export interface NamedQuery {
  /** That of the tool. */
  readonly name: string;
  readonly database: string;
  readonly sql: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** As many as the statement has. */
  readonly parameters: readonly Parameter[];
}
