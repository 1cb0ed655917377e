// A memory that exists: the default one, or that of a scope.
import type { MemoryLocation } from "../postgres-location.ts";

export interface FoundMemory<L extends MemoryLocation = MemoryLocation> {
  readonly location: L;
  /** Of the file or the schema. */
  readonly name: string;
  readonly isDefault: boolean;
  /** Undefined for the default memory, and for a schema that only a digest names. */
  readonly scope: string | undefined;
  /** As an authorization server names the person; undefined for a memory that is shared, or older than these records. */
  readonly person: string | undefined;
}
