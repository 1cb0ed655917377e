// `PRAGMA table_info(t)` as a SELECT from the table `pragma_table_info`: a PRAGMA itself never reaches the engine.
import { clip } from "@oarlock/domain-kit";
import { refusal } from "../errors.ts";
import { READING_PRAGMAS } from "../policy/allowed-features.ts";
import type { Statement } from "./statement.ts";
import { isName, isSymbol } from "./tokens.ts";

/** A SELECT with the same rows. Refuses pragmas that may do more than read. */
export function pragmaAsSelect({ tokens, verbIndex, isExplain }: Statement): string {
  const hasSchema = isSymbol(tokens[verbIndex + 2], ".");
  const nameIndex = hasSchema ? verbIndex + 3 : verbIndex + 1;
  const name = tokens[nameIndex]?.value.toLowerCase() ?? "";
  const rest = tokens.slice(nameIndex + 1);
  const [open, argument, close] = rest;
  const isCall = rest.length === 3 && isSymbol(open, "(") && isSymbol(close, ")") && (argument?.kind === "number" || isName(argument));
  if (isExplain || !READING_PRAGMAS.has(name) || (rest.length > 0 && !isCall))
    throw refusal(
      name === "foreign_keys"
        ? "PRAGMA foreign_keys is not allowed: foreign keys are enforced for every change. foreign_key_check finds rows that break them."
        : `PRAGMA ${clip(name, 80)} is not allowed: only pragmas that read are, as PRAGMA name(argument), such as table_info, index_list, foreign_key_list and freelist_count.`,
    );
  return `SELECT * FROM pragma_${name}${isCall && argument !== undefined ? `('${argument.value.replaceAll("'", "''")}')` : ""}`;
}
