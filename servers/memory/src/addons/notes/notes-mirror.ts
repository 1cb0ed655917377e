// The Markdown mirror: keeps a folder of notes and the graph in step. A note is compared with what it contained before, its changes go into
// the graph, and then what the graph has goes into the notes.
import { systemErrorCode } from "@oarlock/domain-kit";
import type { FSWatcher } from "chokidar";
import type { Graph, Purge } from "../../graph/graph.ts";
import { GraphError } from "../../graph/errors.ts";
import { applyNoteChanges, type NoteChange } from "./apply-changes.ts";
import { graphNotes } from "./graph-notes.ts";
import { fingerprint, formatState, parseState, sameBase, toBase, type NoteBase } from "./note-base.ts";
import { NoteFolder } from "./note-folder.ts";
import { parseNote } from "./note-parser.ts";
import { contentOf, indexOf, NotesReader, type ReadNote } from "./notes-reader.ts";
import { writeNotes } from "./notes-writer.ts";

/** Changes are collected for this long. */
const DELAY_MS = 150;
/** After a failure, and for changes that no notification reports. */
const REGULAR_MS = 2000;
/** The name of the client in history. */
const CLIENT = "notes";

export interface NotesMirrorOptions {
  readonly folder: string;
  /** Logs a message for the operator. */
  readonly warn: (message: string) => void;
}

export class NotesMirror {
  readonly #graph: Graph;
  readonly #options: NotesMirrorOptions;
  #folder: NoteFolder | undefined;
  #reader: NotesReader | undefined;
  #bases = new Map<string, NoteBase>();
  #hasState = false;
  #stateText = "";
  /** Identifies the memory: the folder of another one is refused. */
  #memory = "";
  /** The process that keeps the notes, of those that share the memory. */
  #holder: number | undefined = process.pid;
  #watcher: FSWatcher | undefined;
  #stopWatching: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #regular: ReturnType<typeof setInterval> | undefined;
  #queue: Promise<void> = Promise.resolve();
  #lastWarning: string | undefined;
  #isClosed = false;

  constructor(graph: Graph, options: NotesMirrorOptions) {
    this.#graph = graph;
    this.#options = options;
  }

  /** Brings notes and graph in step, and follows both from then on. Throws a GraphError where the folder cannot be used. */
  async start(): Promise<void> {
    this.#folder = await NoteFolder.open(this.#options.folder);
    this.#reader = new NotesReader(this.#folder, this.#options.warn);
    await this.sync();
    this.#stopWatching = await this.#graph.watch({ kind: "any" }, () => this.#syncSoon());
    const { watch } = await import("chokidar");
    const ignored = (path: string): boolean =>
      path
        .slice(this.#folder?.root.length)
        .split(/[/\\]/)
        .some((part) => part.startsWith("."));
    this.#watcher = watch(this.#folder.root, { ignored, ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true });
    this.#watcher.on("all", () => this.#syncSoon());
    // The regular check remains.
    this.#watcher.on("error", () => undefined);
    this.#regular = setInterval(() => this.#syncSoon(), REGULAR_MS).unref();
    if (this.#isClosed) await this.close();
  }

  async sync(): Promise<void> {
    const run = async (): Promise<void> => {
      try {
        await this.#sync();
        this.#lastWarning = undefined;
      } catch (error) {
        this.#warnOnce(error);
      }
    };
    this.#queue = this.#queue.then(run);
    await this.#queue;
  }

  /** After a purge: brings the notes up to date, and removes from the trash for good what was purged. */
  async purge(what: Purge): Promise<void> {
    await this.sync();
    try {
      this.#folder?.removeFromTrash((file, text) => isPurged(what, file.replace(/\.md$/i, ""), text));
    } catch (error) {
      this.#warnOnce(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#regular);
    this.#stopWatching?.();
    await this.#watcher?.close();
    const folder = this.#folder;
    if (folder === undefined) return;
    await this.sync();
    await this.#release(folder).catch((error: unknown) => this.#warnOnce(error));
  }

  #syncSoon(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.sync();
    }, DELAY_MS).unref();
  }

  async #sync(): Promise<void> {
    const [folder, reader] = [this.#folder, this.#reader];
    if (folder === undefined || reader === undefined) return;
    if (this.#memory === "")
      this.#memory = await this.#graph.read((rows) => fingerprint(Buffer.from(rows.cursorKey()).toString("base64url")));
    await this.#readState(folder);
    await this.#claim(folder);
    await reader.read();
    const changes = this.#changes(reader);
    if (changes.length > 0) await this.#graph.writeInSlices(CLIENT, (rows, call) => applyNoteChanges(rows, call, changes));
    const kept = [...this.#bases].filter(([path]) => reader.unreadable.has(path));
    const left = new Set(kept.map(([, { name }]) => name));
    const contents = [...(await this.#graph.readInSlices(graphNotes, {}))].filter(([name]) => !left.has(name));
    const written = await writeNotes(folder, new Map(contents), {
      present: [...reader.notes.values()],
      removesOthers: true,
    });
    this.#bases = new Map([...kept, ...[...written.contents].map(([path, content]) => [path, toBase(content)] as const)]);
    await this.#writeState(folder);
  }

  /** A folder without the state file is a new one: notes that are missing there were not deleted. */
  async #readState(folder: NoteFolder): Promise<void> {
    const text = await folder.readState();
    if (text !== undefined && text === this.#stateText) return;
    const state = text === undefined ? undefined : parseState(text, this.#memory);
    this.#hasState = state !== undefined;
    this.#stateText = text ?? "";
    this.#bases = new Map(state?.bases);
    this.#holder = state?.holder ?? process.pid;
  }

  /** Another memory that begins with the same folder finds it taken. */
  async #claim(folder: NoteFolder): Promise<void> {
    if (this.#hasState) return;
    await this.#writeState(folder);
    await this.#readState(folder);
  }

  /** Other memories may use the folder from now on. */
  async #release(folder: NoteFolder): Promise<void> {
    if (!this.#hasState || this.#holder !== process.pid) return;
    this.#holder = undefined;
    await this.#writeState(folder);
  }

  async #writeState(folder: NoteFolder): Promise<void> {
    const text = formatState({ bases: this.#bases, holder: this.#holder }, this.#memory);
    if (text === this.#stateText && this.#hasState) return;
    await folder.writeState(text);
    this.#stateText = text;
    this.#hasState = true;
  }

  #changes({ notes, unreadable }: NotesReader): NoteChange[] {
    const missing = new Map([...this.#bases].filter(([path]) => !notes.has(path) && !unreadable.has(path)));
    // Links to notes that have just gone still mean them.
    const targets = indexOf(
      notes.values(),
      [...missing].map(([path, { name }]) => ({ path, name })),
    );
    const changes: NoteChange[] = [];
    const isTaken = new Set([...notes.values()].map(({ name }) => name));
    for (const note of notes.values()) {
      const before = this.#bases.get(note.path) ?? takeMoved(missing, note);
      const after = contentOf(note, targets, before);
      if (before === undefined || !sameBase(before, toBase(after))) changes.push({ before, after });
    }
    // Notes with the same names have taken over.
    const gone = [...missing.values()].filter(({ name }) => !isTaken.has(name));
    if (this.#hasState) changes.push(...gone.map((before) => ({ before, after: undefined })));
    return changes;
  }

  /** Does not repeat the last warning. */
  #warnOnce(error: unknown): void {
    const code = systemErrorCode(error);
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    const message = `Notes not up to date${code === undefined ? "" : ` (${code})`}: ${reason}. The memory itself is complete. The server tries again.`;
    if (message !== this.#lastWarning) this.#options.warn(message);
    this.#lastWarning = message;
  }
}

/** The missing note that has become this one: it has the same title, or the same content under another title. */
function takeMoved(missing: Map<string, NoteBase>, { name, parsed }: ReadNote): NoteBase | undefined {
  const observations = toBase({
    name,
    entityType: "",
    tags: [],
    observations: parsed.observations,
    relations: [],
    isEntity: true,
  }).observations;
  const found =
    [...missing].find(([, base]) => base.name === name) ??
    (observations.length === 0 ? undefined : [...missing].find(([, base]) => String(base.observations) === String(observations)));
  if (found === undefined) return undefined;
  missing.delete(found[0]);
  return found[1];
}

/** Whether a note in the trash is that of a purged entity, or has a purged observation. False for one that cannot be read. */
function isPurged(what: Purge, stem: string, text: string): boolean {
  if (what.kind === "relations") return false;
  try {
    const { title: name = stem, observations } = parseNote(text);
    if (what.kind === "entities") return what.names.includes(name);
    return what.deletions.some(
      (deletion) => deletion.entityName === name && deletion.observations.some((one) => observations.includes(one)),
    );
  } catch (error) {
    if (error instanceof GraphError) return false;
    throw error;
  }
}
