// A memory with search by meaning, and its endpoint.
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect } from "vitest";
import { configurationOf, type EmbeddingsSwitches } from "../../../../src/configured-embeddings.ts";
import type { SemanticMatches } from "../../../../src/graph/semantic-index.ts";
import { vectorsPathOf } from "../../../../src/graph/location.ts";
import { Memory } from "../../../../src/graph/memory.ts";
import type { Entity } from "../../../../src/graph/model.ts";
import { VectorFile } from "../../../../src/addons/embeddings/vectors/vector-file.ts";
import { semanticIndexOf } from "../../../../src/open-graph.ts";
import { createEntities } from "../../../../src/graph/write/creation.ts";
import { entity } from "../../../support/graphs.ts";
import { EmbeddingsServer } from "./embeddings-server.ts";

/** Long, because the machine may be busy and a failed endpoint is tried again after up to some seconds. */
export const PATIENCE = { timeout: 20_000, interval: 50 } as const;

export const PEOPLE: readonly Entity[] = [
  entity("Ada", "person", "lives in Lisbon", "prefers tea"),
  entity("Bob", "person", "works as an engineer", "has a dog"),
];

export class EmbeddedMemory implements AsyncDisposable {
  readonly warnings: string[] = [];
  readonly memory: Memory;
  readonly database: string;

  /** `switches`: as on the command line. */
  constructor(database: string, switches: EmbeddingsSwitches, readOnly = false) {
    const warn = (message: string): void => void this.warnings.push(message);
    this.database = database;
    this.memory = new Memory({ location: { database }, semanticIndex: semanticIndexOf(configurationOf(switches)), readOnly, warn });
  }

  create(entities: readonly Entity[]): Promise<unknown> {
    return this.memory.writeInSlices("test", (rows, call) => createEntities(rows, call, entities));
  }

  /** Names of the entities whose texts match, nearest first. */
  async names(query: string): Promise<string[]> {
    const { matches } = await this.memory.findByMeaning(query, 30);
    const entities = [...new Set(matches.map(({ entity }) => entity))];
    return await this.memory.read((rows) => entities.flatMap((id) => rows.entities.byId(id)?.name ?? []));
  }

  async remark(query: string): Promise<SemanticMatches["remark"]> {
    const { remark } = await this.memory.findByMeaning(query, 30);
    return remark;
  }

  vectorCount(): number {
    const file = VectorFile.open(vectorsPathOf(this.database));
    try {
      return file.count("vector");
    } finally {
      file.close();
    }
  }

  /** Waits until this many texts have vectors. */
  async embedded(count: number): Promise<void> {
    await expect.poll(() => this.vectorCount(), PATIENCE).toBe(count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.memory.close();
  }
}

export interface Setup extends AsyncDisposable {
  readonly server: EmbeddingsServer;
  readonly folder: TempFolder;
  /** Opens the memory of this test; it is closed at the end. */
  open(switches?: EmbeddingsSwitches, readOnly?: boolean): EmbeddedMemory;
}

/** An endpoint, and a folder for one memory. */
export async function setUp(): Promise<Setup> {
  const folder = tempFolder();
  const server = await new EmbeddingsServer().start();
  const opened: EmbeddedMemory[] = [];
  return {
    server,
    folder,
    open(switches = {}, readOnly = false) {
      const memory = new EmbeddedMemory(folder.at("m.db"), { embeddings: server.address, model: "test", ...switches }, readOnly);
      opened.push(memory);
      return memory;
    },
    async [Symbol.asyncDispose]() {
      for (const memory of opened) await memory[Symbol.asyncDispose]();
      await server.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
