/**
 * How Windows turns a command line into words: cmd.exe, the batch file that it starts, and the program that this starts with `%*`. Only the
 * rules that quoting depends on, each with its source.
 */

/** The words that a program gets which a batch file starts with `%*`, when `cmd.exe` is started with these arguments. */
export function wordsThroughBatch(cmdArgs: readonly string[], variables: Readonly<Record<string, string>>): string[] {
  const line = lineOf(cmdArgs);
  const parameters = afterFirstWord(specialCharacters(percents(line, variables)));
  // The batch file has `program %*`. The inserted text is not searched for variables again, but its special characters count.
  // https://ss64.com/nt/syntax-esc.html, https://learn.microsoft.com/windows-server/administration/windows-commands/call (%*)
  return programWords(specialCharacters(parameters));
}

/** `/s /c "…"`: the first and the last quote are removed. https://learn.microsoft.com/windows-server/administration/windows-commands/cmd */
function lineOf(args: readonly string[]): string {
  const rest = args.slice(args.indexOf("/c") + 1).join(" ");
  if (!args.includes("/s") || !rest.startsWith('"')) throw new Error(`Quotes of ${rest} follow other rules`);
  const last = rest.lastIndexOf('"');
  return rest.slice(1, last) + rest.slice(last + 1);
}

/**
 * `%name%`, `%name:~start,length%` and `%name:from=to%` on a command line, also within quotes. A percent sign without a variable stays, and
 * the search goes on behind it. https://learn.microsoft.com/windows-server/administration/windows-commands/set_1,
 * https://ss64.com/nt/syntax-percent.html
 */
function percents(line: string, variables: Readonly<Record<string, string>>): string {
  let result = "";
  for (let at = 0; at < line.length; at++) {
    const [whole = "", name = "", change = ""] = /^%([^%:]+)(:[^%]+)?%/.exec(line.slice(at)) ?? [];
    const value = Object.entries(variables).find(([variable]) => variable.toLowerCase() === name.toLowerCase())?.[1];
    result += value === undefined ? line[at] : changed(value, change);
    if (value !== undefined) at += whole.length - 1;
  }
  return result;
}

/** An empty number counts as 0. */
function changed(value: string, change: string): string {
  const [part, start = "", length = ""] = /^:~(\d*),(\d*)$/.exec(change) ?? [];
  if (part !== undefined) return value.slice(Number(start)).slice(0, Number(length));
  const [, from = "", to = ""] = /^:([^=]+)=(.*)$/.exec(change) ?? [];
  return from === "" ? value : value.replaceAll(from, () => to);
}

/** Outside quotes `^` escapes a character, and others end the command. https://ss64.com/nt/syntax-esc.html */
function specialCharacters(line: string): string {
  let isQuoted = false;
  let result = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    if (/[\r\n]/.test(character)) throw new Error(`The command ends before ${JSON.stringify(line.slice(at))}`);
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && /[&|<>()]/.test(character)) throw new Error(`A second command begins with ${line.slice(at)}`);
    result += !isQuoted && character === "^" ? (line[++at] ?? "") : character;
  }
  return result;
}

const afterFirstWord = (line: string): string => /^(?:"[^"]*"|\S+) ?(.*)$/s.exec(line)?.[1] ?? "";

/** The words of a program. https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments */
export function programWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const [slashes = ""] = /^\\*/.exec(line.slice(at)) ?? [];
    if (slashes !== "" && line[at + slashes.length] === '"') {
      word = (word ?? "") + "\\".repeat(Math.floor(slashes.length / 2));
      at += slashes.length;
      if (slashes.length % 2 === 1) {
        word += '"';
        continue;
      }
    }
    const character = line[at] ?? "";
    if (character === '"') {
      if (isQuoted && line[at + 1] === '"') {
        word = `${word ?? ""}"`;
        at++;
      } else isQuoted = !isQuoted;
      word ??= "";
    } else if (!isQuoted && /[ \t]/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  return word === undefined ? words : [...words, word];
}
