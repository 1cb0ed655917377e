// export --format markdown DIR: writes the current graph as Markdown notes with wiki links.
import { counted } from "@oarlock/domain-kit";
import type { Graph } from "../../graph/graph.ts";
import { graphNotes } from "./graph-notes.ts";
import { NoteFolder } from "./note-folder.ts";
import { NotesReader } from "./notes-reader.ts";
import { writeNotes } from "./notes-writer.ts";

/** Notes that are there already get what the graph has; others stay. Returns the exit code. */
export async function exportNotes(graph: Graph, path: string, writeLine: (line: string) => void): Promise<number> {
  const folder = await NoteFolder.open(path);
  const reader = new NotesReader(folder, writeLine);
  await reader.read();
  const contents = await graph.readInSlices(graphNotes, {});
  const { written } = await writeNotes(folder, contents, {
    present: [...reader.notes.values()],
    removesOthers: false,
  });
  writeLine(`Exported ${counted(contents.size, "note")} to ${path}, of which ${written} were written.`);
  return 0;
}
