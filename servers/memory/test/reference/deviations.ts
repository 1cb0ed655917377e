// Where this server differs from @modelcontextprotocol/server-memory 2026.8.31 on purpose. The README lists exactly these, and each row
// of the twin run that does not agree names one of them.

export interface Deviation {
  /** What the README says. */
  readonly what: string;
  /** Why it is better so. */
  readonly why: string;
  /** The test that shows it, where no row of the twin run can. */
  readonly shownBy?: string;
}

export const DEVIATIONS = {
  name: {
    what: "`serverInfo.name` is `oarlock-memory`, and the lines on stderr at start are its own.",
    why: "Two servers should not go by one name.",
    shownBy: "reference/offer.test.ts",
  },
  offer: {
    what: "Titles and descriptions are its own, every argument has a description, and there are more tools, more optional arguments and more result fields; all known names, arguments and types are kept.",
    why: "Strict hosts refuse some of the official schemas (`$schema`).",
    shownBy: "reference/offer.test.ts",
  },
  place: {
    what: "Without `MEMORY_FILE_PATH` the memory lies in the user's folder for data; a relative path is meant from the working directory, `~` is expanded, and missing folders are made.",
    why: "The official default lies in the package's folder, where an update deletes it.",
    shownBy: "cases/store-path.test.ts",
  },
  store: {
    what: "The memory itself is a database beside the file; the file follows a moment later, and at the end. Its mode is 0600, and its last line has a newline.",
    why: "A file that is rewritten with each call loses what others write; without its last newline an appender fuses two records.",
    shownBy: "reference/file.test.ts",
  },
  errors: {
    what: "Errors say what was expected and what to do.",
    why: "A model can act on them.",
  },
  duplicates: {
    what: "What stands twice in one call is taken once: entities of one name (the first), relations, observations.",
    why: "The official server skips duplicates of what is there, but not within a call.",
  },
  "empty-names": {
    what: "Empty names of entities, and relations from or to an empty name, are refused.",
    why: "Nobody can ask for them.",
  },
  "all-or-nothing": {
    what: "A call that fails has changed nothing, whatever else is in it.",
    why: "The official server has it so too, but for two calls at once.",
    shownBy: "cases/graph.test.ts",
  },
  surrogates: {
    what: "Half a surrogate pair in a text is refused.",
    why: "It cannot be written as UTF-8: the file would hold another text.",
  },
  "damaged-lines": {
    what: "Lines of the file that cannot be read are kept aside and named on stderr; the others are served.",
    why: "One torn line made every call fail.",
  },
  "whole-records": {
    what: "Fields and records of other kinds that are in the file stay there.",
    why: "They were dropped with the next write.",
  },
  search: {
    what: "`search_nodes` also finds entities that hold the words of the query in other places, best first; whatever holds the query as it stands is found as before.",
    why: "“coffee alpha” found nothing although both words were on every entity.",
  },
  bounds: {
    what: "A reply that would be too large comes in pages, and says so in a second text and with `truncated` and `nextCursor`.",
    why: "`read_graph` of 20,000 entities was 9.5 MB.",
  },
  questions: {
    what: "Deleting more than 100 entities in one call asks the user first; without a user to ask it is refused, unless `--allow-purge` was given.",
    why: "One wrong call could empty the memory.",
  },
} as const satisfies Record<string, Deviation>;

export type DeviationId = keyof typeof DEVIATIONS;
