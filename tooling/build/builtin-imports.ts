/**
 * Node's own modules by `process.getBuiltinModule` in place of `import`. An import makes Node evaluate every export of the
 * module, lazily loaded parts included: 2 to 3 ms each for `node:fs` and `node:util`, a tenth of a start.
 */

/** Stays an import: stdout-guard.ts patches it, and only imports see that. */
const PATCHED = "node:child_process";

/** For versions of Node without it, so that they get as far as the sentence that they are too old. */
const FALLBACK = 'process.getBuiltinModule ??= (await import("node:module")).createRequire(import.meta.url);\n';

/** The code of an entry, which runs on old versions of Node too. */
export const runsOnOldNode = (code: string): string => code.replace(/^(?=const .* = process\.getBuiltinModule)/m, FALLBACK);

/** Rewrites the import lines that rolldown writes at the top of a chunk. */
export function fastBuiltins(code: string): string {
  return code.replaceAll(/^import ([^"'\n]+) from "(node:[^"]+)";$/gm, (line: string, clause: string, id: string) => {
    if (id === PATCHED) return line;
    const { whole, named } = parts(clause);
    const taken = `process.getBuiltinModule("${id}")`;
    return [...whole.map((name) => `const ${name} = ${taken};`), ...(named === undefined ? [] : [`const ${named} = ${taken};`])].join("\n");
  });
}

/** `a, { b as c }` → whole: a; named: `{ b: c }`. A namespace is the module itself. */
function parts(clause: string): { whole: string[]; named: string | undefined } {
  const named = /\{[^}]*\}/.exec(clause)?.[0];
  const rest = named === undefined ? clause : clause.replace(named, "");
  const whole = rest.split(",").flatMap((part) => part.replace(/^\s*\* as /, "").trim() || []);
  return { whole, named: named?.replaceAll(" as ", ": ") };
}
