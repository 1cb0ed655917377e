// `PRAGMA table_info(t)` as the table it also is. A PRAGMA never reaches the engine as such, as preparing one may apply it.
import { refused, shown } from "../errors.ts";
import { READING_PRAGMAS } from "../policy/allowed-features.ts";
import { isMark, isName, type Statement } from "./statement.ts";

/** A SELECT with the same rows; refuses what may be more than reading. */
export function asTable({ tokens, at, explain }: Statement): string {
  const from = isMark(tokens[at + 2], ".") ? at + 3 : at + 1;
  const name = tokens[from];
  const pragma = name?.value.toLowerCase() ?? "";
  const rest = tokens.slice(from + 1);
  const [open, argument, close] = rest;
  const called = rest.length === 3 && isMark(open, "(") && isMark(close, ")") && (argument?.kind === "number" || isName(argument));
  if (explain || !READING_PRAGMAS.has(pragma) || (rest.length > 0 && !called))
    throw refused(
      `This PRAGMA is not run: ${shown(pragma)}. Settings are the operator's; these only tell something, as PRAGMA name(argument) or as tables pragma_name: ${[...READING_PRAGMAS].join(", ")}`,
    );
  return `SELECT * FROM pragma_${pragma}${called && argument !== undefined ? `('${argument.value.replaceAll("'", "''")}')` : ""}`;
}
