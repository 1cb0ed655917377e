// Shell command: words as a command line to paste.

export interface ShellCommand {
  readonly command: string;
  /** The only shell that it is for. Undefined: any of the system. */
  readonly shell?: "PowerShell";
}

/** Neither cmd nor PowerShell changes such a word. To PowerShell `@name.` is a member of a variable, and a comma makes a list. */
const PLAIN_ON_WINDOWS = /^(?!@[\w-]*\.)[\w@./:=+\\-]+$/;
/** PowerShell fills in `$name`, and takes typographic quotes for quotes; cmd fills in `%name%`; a backslash at the end escapes the quote. */
const QUOTABLE_ON_WINDOWS = /^[^"$`%“”„]*[^"$`%“”„\\]$/;
/** PowerShell takes each of them for a single quote. https://learn.microsoft.com/powershell/scripting/lang-spec/chapter-02 */
const SINGLE_QUOTES = /['‘’‚‛]/g;

/** For a POSIX shell; on Windows for both of its shells where one line can be, else for PowerShell, which starts a quoted program by `&`. */
export function shellCommand(words: readonly [string, ...string[]], platform: NodeJS.Platform): ShellCommand {
  if (platform !== "win32") return { command: words.map(posixWord).join(" ") };
  const [program, ...args] = words;
  if (PLAIN_ON_WINDOWS.test(program) && args.every((word) => PLAIN_ON_WINDOWS.test(word) || QUOTABLE_ON_WINDOWS.test(word)))
    return { command: [program, ...args.map((word) => (PLAIN_ON_WINDOWS.test(word) ? word : `"${word}"`))].join(" ") };
  const powerShell = words.map((word) => (PLAIN_ON_WINDOWS.test(word) ? word : `'${word.replaceAll(SINGLE_QUOTES, "$&$&")}'`));
  return { command: ["&", ...powerShell].join(" "), shell: "PowerShell" };
}

const posixWord = (word: string): string => (/[^\w@./:=+,\\-]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : word);
