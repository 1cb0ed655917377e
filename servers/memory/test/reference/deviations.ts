// The intended differences from the reference server, @modelcontextprotocol/server-memory 2026.8.31. The manual lists them, and each row of the
// comparison (calls.deep.test.ts) where the servers differ names one of them.

export interface Deviation {
  /** The difference, as in docs/memory.md. */
  readonly what: string;
  /** The reason, as in docs/memory.md. */
  readonly why: string;
  /** The test that proves it, where no row of the comparison does. */
  readonly shownBy?: string;
}

export const DEVIATIONS = {
  name: {
    what: "`serverInfo.name` is `oarlock-memory`, and the messages on stderr at start are different.",
    why: "Two servers must not have one name.",
    shownBy: "reference/offer.deep.test.ts",
  },
  offer: {
    what: "Titles and descriptions are different, every argument has a description, and there are further tools, optional arguments and result fields. All names, arguments and types of the reference server are kept.",
    why: "Strict hosts refuse some schemas of the reference server (`$schema`).",
    shownBy: "reference/offer.deep.test.ts",
  },
  place: {
    what: "Without `MEMORY_FILE_PATH` the memory is in the user's data folder. Relative paths start at the working directory, `~` is expanded, and missing folders are created.",
    why: "The default of the reference server is in its package's folder, where an update deletes it.",
    shownBy: "cases/store-path.test.ts",
  },
  store: {
    what: "The memory is a database beside the file. The file follows a moment later, and before the server ends. Its mode is 0600, and its last line has a newline.",
    why: "A file that is rewritten with each call loses changes by others. Without a final newline, a program that appends fuses two records.",
    shownBy: "reference/file.deep.test.ts",
  },
  errors: {
    what: "Error messages name the expected value and the next step.",
    why: "A model can act on them.",
  },
  duplicates: {
    what: "Duplicates within one call are stored once: entities of one name (the first one), relations, observations.",
    why: "The reference server skips duplicates of stored items, but not within a call.",
  },
  "empty-names": {
    what: "Names of entities that are empty or show nothing, such as blanks, and relations from or to one, are refused.",
    why: "They cannot be looked up.",
  },
  "all-or-nothing": {
    what: "A call that fails changes nothing.",
    why: "The reference server guarantees this only for one call at a time.",
    shownBy: "cases/graph.test.ts",
  },
  surrogates: {
    what: "Half a surrogate pair in a text is refused.",
    why: "It cannot be written as UTF-8, so the file would contain another text.",
  },
  "damaged-lines": {
    what: "Unreadable lines of the file are kept in a side file and reported on stderr; the others are served.",
    why: "In the reference server, one damaged line makes every call fail.",
  },
  "whole-records": {
    what: "Unknown fields and records in the file are kept.",
    why: "The reference server drops them with the next write.",
  },
  search: {
    what: "`search_nodes` also finds entities that contain the words of the query in other places, in other forms, without accents, or misspelled, and synonyms and neighbours, best first. Entities that contain the whole query are found as before, and come first.",
    why: "In the reference server, “coffee alpha” finds nothing although every entity has both words, and “living” does not find “lives”.",
  },
  bounds: {
    what: "A large reply comes in pages of at most 64,000 bytes of text; a text before the data names the cursor, as does `nextCursor`.",
    why: "In the reference server, `read_graph` with 20,000 entities returns 9.5 MB.",
  },
  notes: {
    what: "A second text tells what a call stored, skipped, did not find, deleted or left without an entity.",
    why: "Many hosts give the model the text only. The first text stays the reply of the reference server.",
    shownBy: "replies/notes.test.ts",
  },
  compact: {
    what: "The JSON of a reply has no indentation.",
    why: "Indentation is a third of the tokens of a reply.",
    shownBy: "replies/graph-json.test.ts",
  },
  writes: {
    what: "A write that stores more than about 4 KB repeats the first items only; the text after the data counts what was stored.",
    why: "The caller has just sent it.",
    shownBy: "replies/notes.test.ts",
  },
  escapes: {
    what: "Control characters and directional marks in a text are escaped, as in `\\u202e`. Its JSON has the same values.",
    why: "They could reorder or hide parts of a reply.",
  },
  questions: {
    what: "To delete more than 100 entities in one call needs confirmation by the user. Without elicitation it is refused, unless `--allow-purge` is set.",
    why: "One wrong call could delete the whole memory.",
  },
} as const satisfies Record<string, Deviation>;

export type DeviationId = keyof typeof DEVIATIONS;
