// Batch command: the command line that starts a batch file (`npx.cmd`) through cmd.exe, with every word unchanged.
import { windowsProgram, type Variables } from "./system.ts";

/** Words that neither cmd nor a program splits or changes. */
const PLAIN = /^[\w\\/:.@+-]+$/;

/** A batch file cannot get a word of this kind. */
export class BatchWordError extends Error {
  override readonly name = "BatchWordError";
}

/**
 * cmd.exe and its arguments, which must be passed as they are (`windowsVerbatimArguments`). Throws a BatchWordError for a word with a line
 * break, at which cmd ends the command.
 *
 * - `/d` runs no command from the registry, `/e:on` enables the extensions that the `%` of a word needs, `/v:off` leaves `!` alone, and `/s`
 *   removes the first and the last quote of the line and no others.
 *   https://learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
export function batchCommand(file: string, args: readonly string[], env: Variables): { file: string; args: string[] } {
  const line = [file, ...args].map(quoteWord).join(" ");
  return { file: windowsProgram("cmd.exe", env), args: ["/d", "/e:on", "/v:off", "/s", "/c", `"${line}"`] };
}

/**
 * The quotes hold for cmd, for the batch file that passes its words on (`%*`), and for the program that it starts. Two things are unusual:
 *
 * - A quote is doubled and not escaped by a backslash: programs read both as a quote, but cmd counts quotes, and an even number of them
 *   leaves `&` and its like quoted. https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 * - `%` has no escape on a command line. `%cd:~,%` is the empty part of a variable that always exists; the percent sign before it is then
 *   one without a name, which cmd keeps. https://learn.microsoft.com/windows-server/administration/windows-commands/set_1
 */
function quoteWord(word: string): string {
  if (/[\r\n]/.test(word))
    throw new BatchWordError(
      `Argument ${JSON.stringify(word)} has a line break, which cannot be passed to a batch file. Start its program itself.`,
    );
  if (PLAIN.test(word)) return word;
  const quotes = word.replaceAll(/(\\*)"/g, '$1$1""').replace(/\\+$/, "$&$&");
  return `"${quotes.replaceAll("%", "%%cd:~,%")}"`;
}
