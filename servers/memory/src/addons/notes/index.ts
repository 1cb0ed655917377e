// Notes: a folder of Markdown notes in step with the memory, loaded with --mirror, and files of other programs, loaded with `import`.
import type { ImportedFile, MirroredNotes } from "../../addon-ports.ts";
import type { ImportFormat } from "../../commands/import-format.ts";
import type { Graph } from "../../graph/graph.ts";
import { NoteFolder } from "./note-folder.ts";
import { NotesMirror, type NotesMirrorOptions } from "./notes-mirror.ts";

export { exportNotes } from "./export-notes.ts";

export async function checkFolder(path: string): Promise<void> {
  await NoteFolder.open(path);
}

export function mirror(graph: Graph, options: NotesMirrorOptions): MirroredNotes {
  const notes = new NotesMirror(graph, options);
  const started = notes.start().catch((error: unknown) => options.warn(error instanceof Error ? error.message : String(error)));
  return {
    async purge(what) {
      await started;
      await notes.purge(what);
    },
    async close() {
      await started;
      await notes.close();
    },
  };
}

/** The readers of other formats are loaded only by a command. */
export async function readImport(path: string, format: ImportFormat | undefined): Promise<ImportedFile | undefined> {
  const { importGraph, readFormat } = await import("./imports/import-graph.ts");
  const imported = await readFormat(path, format);
  return imported && { addTo: (graph, options) => importGraph(graph, imported, { path, ...options }) };
}
