// Where this server differs from @modelcontextprotocol/server-filesystem 2026.8.31 on purpose. The manual lists exactly these, and
// each row of the parity run that differs names one of them.

export interface Deviation {
  /** What docs/filesystem.md says. */
  readonly what: string;
  /** Why it is better so. */
  readonly why: string;
  /** The test that shows it, where no row of the parity run can. */
  readonly shownBy?: string;
}

export const DEVIATIONS = {
  name: {
    what: "`serverInfo.name` is `oarlock-filesystem`, and the lines on stderr at start are its own.",
    why: "Two servers should not go by one name.",
    shownBy: "parity/offer.deep.test.ts",
  },
  offer: {
    what: "Titles and descriptions are its own, every argument has a description, and there are more optional arguments and result fields; all known names, arguments and types are kept. `edits` may be left out where `lineEnding` is set, and `write_file` is no longer marked as idempotent, because it can append.",
    why: "Strict hosts refuse some of the official schemas (`$schema`, `anyOf`).",
    shownBy: "parity/offer.deep.test.ts",
  },
  start: {
    what: "Where no directory that was named can be served the start ends with exit code 3, not 1.",
    why: "Exit codes mean the same in all Oarlock servers.",
    shownBy: "bin.deep.test.ts",
  },
  roots: {
    what: "The client's roots narrow the directories of the command line instead of replacing them (`--roots replace` does that), and a list of roots that becomes empty denies everything.",
    why: "What the operator allows is the boundary; a client must not be able to move it.",
    shownBy: "request-sandbox.test.ts",
  },
  errors: {
    what: "Errors name the expected value and the next step, in words instead of system codes, and refusals name neither the allowed directories nor where a link leads.",
    why: "A model can act on them, and nothing about places outside gets out.",
  },
  arguments: {
    what: "Arguments are checked: counts are whole numbers from 1, and an empty list of edits is refused.",
    why: "`head: 0` gave the whole file, `tail: -1` nothing.",
  },
  "unknown-arguments": {
    what: "A reply to a call with an unknown argument ends with a notice that names the known ones.",
    why: "A misspelled argument was ignored without a word.",
  },
  "no-effect": {
    what: "A call that would change nothing is reported as such: an edit is refused, and `write_file` and `create_directory` report that the file or directory is there already.",
    why: "Success was reported for an edit that left every byte as it was.",
  },
  "line-of-facts": {
    what: "`read_text_file`, `read_file` and `get_file_info` end with a block of one line: encoding, line endings, lines and etag, and where the text is not valid in its encoding.",
    why: "Hosts that drop structured results left the model without them.",
    shownBy: "tools/reading.test.ts",
  },
  "empty-search": {
    what: "`search_files` that finds nothing has a second block of one line: how many entries were looked at, how many links not followed, and whether the glob finds something at any depth, or its text in a name.",
    why: "*No matches found* read as if nothing of the kind existed.",
    shownBy: "tools/searching.test.ts",
  },
  "empty-text": {
    what: "An empty path, an empty `oldText` and an empty exclude pattern are not taken for everything.",
    why: "An empty `oldText` put the new text at the start of the file.",
  },
  "line-count": {
    what: "`tail` counts lines as people do: the newline that ends the last line does not begin another one.",
    why: "`tail: 2` of a three-line file gave one line.",
  },
  "line-ends": {
    what: "CRLF stays CRLF, in partial reads and through edits, line by line.",
    why: "An edit turned every line of the file into LF, and the diff did not show it.",
  },
  encodings: {
    what: "UTF-16 and windows-1252 files are read as what they are and written back in the same encoding, other encodings (windows-1251, shift_jis, gbk, …) by name; a byte that is not valid UTF-8 stays as it is; text that cannot be written without loss is refused.",
    why: "Editing a Latin-1 file damaged lines that the edit did not name.",
  },
  "byte-order-mark": {
    what: "A byte order mark is not part of the text that is read or matched; edits and overwriting writes keep it.",
    why: "It is a fact about the file (`bom` in the result), not a character of its first line.",
  },
  binary: {
    what: "Binary files are refused as text.",
    why: "Bytes that are not text come out as damaged text, and an edit destroyed them.",
  },
  "unique-edits": {
    what: "An `oldText` that occurs more than once is refused, unless `replaceAll` or `expectedCount` says otherwise.",
    why: "The first of several places was changed, whichever was meant.",
  },
  indentation: {
    what: "Where an edit matches only without regard to blanks, one place must match, and the new text is indented as the lines of the edit are there, or by the one shift that explains them, in the file's own tabs or blanks. Lines that stay keep their bytes.",
    why: "Tab-indented code came back with broken indentation.",
  },
  links: {
    what: "Lists and trees show links as links (`[LINK]`, `symlink`) and special files as `[OTHER]`; links are never counted or entered. One that is dead or leads outside is marked; no reply names the place outside.",
    why: "A link to a directory was listed as a file.",
  },
  "moved-links": {
    what: "Moving a link moves the link, not what it leads to.",
    why: "Its target was taken away, and a dangling link stayed behind.",
  },
  "hash-names": {
    what: "A `#` at the start of a glob is part of a name.",
    why: "Such a glob was a comment that matched nothing.",
  },
  "one-line-names": {
    what: "Control characters and directional marks in file names are shown escaped in texts.",
    why: "A newline in a name would begin a line that looks like the server's own.",
  },
  "exact-names": {
    what: "Names are taken byte by byte: composed and decomposed forms are two names, as they are for the operating system.",
    why: "Another file than the one that was named would be read or overwritten.",
  },
  "missing-directories": {
    what: "`move_file` makes the directories that are missing above the destination.",
    why: "A move into a new directory took two calls, after an error.",
  },
  "relative-paths": {
    what: "Below a relative path searches and diffs show relative paths, and such a diff has two lines above its hunks.",
    why: "The path of the allowed directory, on each line, was most of a reply.",
  },
  dots: {
    what: "`..` is resolved as the operating system does it, after links and only through directories that exist.",
    why: "The path that is checked is the path that is opened.",
  },
  "trailing-slash": {
    what: "A file named with a slash at the end is refused.",
    why: "Only a directory can be meant.",
  },
  tilde: {
    what: "`~` in a call is a plain name; it is expanded on the command line only.",
    why: "Calls mean the same whoever runs the server.",
  },
  git: {
    what: "Writes in git directories are refused, and a directory that holds one is not moved.",
    why: "Git runs what it finds there.",
  },
  media: {
    what: "The first bytes of a file, where they are known, decide its media type before its name does; a file too big for one reply comes as a link.",
    why: "A model that gets the wrong type of an image refuses the whole reply.",
  },
  limits: {
    what: "Trees, searches and reads are bounded; a cut reply is marked as cut and names the next step.",
    why: "One tree of a large folder was a reply of 4 MB, one read could be any size.",
  },
  "regular-files": {
    what: "Pipes, sockets and devices are refused at once.",
    why: "Reading a pipe blocked the server.",
    shownBy: "cases/path-special.deep.test.ts",
  },
} as const satisfies Record<string, Deviation>;

export type DeviationId = keyof typeof DEVIATIONS;
