// Cmd words: arguments of an entry that cmd.exe splits, where a host starts it as `cmd /c npx …`.

/**
 * The first path that cmd would split or change. A host quotes words with blanks only; `&&` and `2>nul` as words of their own are meant for
 * cmd, and `%NAME%` may be.
 */
export function pathSplitByCmd(program: string, args: readonly string[]): string | undefined {
  const start = args.findIndex((word) => /^\/[ck]$/i.test(word));
  if (!/(?:^|[\\/])cmd(?:\.exe)?$/i.test(program) || start === -1) return undefined;
  return args.slice(start + 1).find((word) => /[\\/]/.test(word) && /[&|^]/.test(word) && !/[\s"]/.test(word));
}
