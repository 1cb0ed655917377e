// Finds the command on a command line. The server itself takes switches only.

/** Switches of commands that take a value. */
const VALUE_SWITCHES: ReadonlySet<string> = new Set([
  ...["--db", "--scope", "--output", "--format"],
  ...["--embeddings", "--embeddings-model", "--embeddings-key-file", "--max-tokens", "--project"],
]);
/** Switches of commands without a value. */
const PLAIN_SWITCHES: ReadonlySet<string> = new Set(["--jsonl", "--json", "--dot", "--dry-run"]);

export interface CommandLine {
  readonly command: string;
  /** All other words. */
  readonly args: string[];
}

/**
 * The command is the first word, or follows switches that commands have: `--db FILE export`. Any other word in its place is a misspelled
 * command. Undefined where the command line starts the server.
 */
export function findCommand(argv: readonly string[]): CommandLine | undefined {
  let index = 0;
  for (let word = argv[index]; word !== undefined; word = argv[index]) {
    const [name = ""] = word.split("=");
    if (VALUE_SWITCHES.has(name)) index += name === word ? 2 : 1;
    else if (PLAIN_SWITCHES.has(word)) index++;
    else break;
  }
  const command = argv[index];
  return command === undefined || command === "" || command.startsWith("-") ? undefined : { command, args: argv.toSpliced(index, 1) };
}
