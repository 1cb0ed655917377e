// A named query of a metadata file, which becomes a tool.

export const TOOLSET = "queries";

/** Types of arguments, by their names in JSON Schema. */
export const TYPES = ["string", "integer", "number", "boolean"] as const;

/** A parameter of the SQL text, which becomes an argument. */
export interface Parameter {
  /** Without its prefix. */
  readonly name: string;
  readonly type: (typeof TYPES)[number];
  readonly description?: string | undefined;
  /** Makes the argument optional; null stands for NULL. */
  readonly default?: string | number | boolean | null | undefined;
}

/** One statement that only reads one database. */
export interface NamedQuery {
  /** The name of the tool. */
  readonly name: string;
  readonly database: string;
  readonly sql: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** All parameters of the statement. */
  readonly parameters: readonly Parameter[];
}
