// What the server knows of its add-ons: the functions that each of them has.
import type { ImportFormat } from "./commands/import-format.ts";
import type { FoundMemory } from "./scopes/found-memory.ts";
import type { StoreCommands } from "./commands/store-commands.ts";
import type { EmbeddingsConfiguration } from "./configured-embeddings.ts";
import type { Graph, Purge } from "./graph/graph.ts";
import type { IndexedMemory, SemanticIndex } from "./graph/semantic-index.ts";
import type { MemoryOptions } from "./graph/memory.ts";
import type { PostgresLocation } from "./postgres-location.ts";
import type { ProgressOutput } from "@oarlock/domain-kit";

export interface EmbeddingsAddon {
  /** `configuration`: undefined where texts are only dropped. */
  openIndex(memory: IndexedMemory, configuration: EmbeddingsConfiguration | undefined): SemanticIndex;
  /** Problems of a file of vectors. `hasText`: whether the memory has or had the text with this id, negative for the name of an entity. */
  verifyVectors(path: string, hasText: (id: number) => boolean): Iterable<string>;
}

/** The content of a file of another program, or of a folder of notes. */
export interface ImportedFile {
  /** Returns the exit code: 1 where there is nothing that can be imported. */
  addTo(graph: Graph, options: { readonly isDryRun: boolean; readonly output: ProgressOutput }): Promise<number>;
}

/** A folder of notes that is kept in step. */
export interface MirroredNotes {
  /** Called after a purge: no note keeps what was purged, those in the trash neither. Does not throw. */
  purge(what: Purge): Promise<void>;
  close(): Promise<void>;
}

export interface NotesAddon {
  /** Throws where the folder cannot hold notes. */
  checkFolder(path: string): Promise<void>;
  /** Keeps a folder of notes and the graph in step. Starts in the background; what goes wrong is a warning. */
  mirror(graph: Graph, options: { readonly folder: string; warn(message: string): void }): MirroredNotes;
  /** Returns the exit code. */
  exportNotes(graph: Graph, folder: string, writeLine: (line: string) => void): Promise<number>;
  /** Undefined for a JSONL file, which has a reader of its own. Throws a FormatError. */
  readImport(path: string, format: ImportFormat | undefined): Promise<ImportedFile | undefined>;
}

/** With `readOnly` no tables are created. */
export interface PostgresOptions extends Pick<MemoryOptions, "owner" | "readOnly" | "warn"> {
  readonly location: PostgresLocation;
}

export interface PostgresAddon {
  openGraph(options: PostgresOptions): Graph;
  /** Throws a LocationError where the memory cannot be used. */
  checkStart(location: PostgresLocation, readOnly: boolean): Promise<void>;
  commandsOn(location: PostgresLocation, output: ProgressOutput): Promise<StoreCommands>;
  /** The default memory, where it exists, and those of its scopes. */
  memoriesIn(location: PostgresLocation): Promise<FoundMemory[]>;
  /** The major version of the database server. */
  versionOf(location: PostgresLocation): Promise<number>;
}

export interface Addons {
  readonly embeddings: EmbeddingsAddon;
  readonly notes: NotesAddon;
  readonly postgres: PostgresAddon;
}
