/** Which scripts of a manifest need a POSIX shell: on Windows npm and pnpm run scripts with cmd.exe. */

/** What cmd.exe takes otherwise than sh, or has not at all. */
const POSIX_ONLY: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(?:^|[&|(]\s*)\w+=/, "it sets a variable before a command"],
  [/'/, "it quotes with '"],
  [/[$`]/, "it expands $ or `"],
  [/;/, "it separates commands with ;"],
  [/(?:^|[&|(]\s*)[\w.-]*\//, "it starts a program by a path with /"],
  [/(?:^|[&|(]\s*)(?:ba|z)?sh\b/, "it starts a shell"],
  [/(?:^|[&|(]\s*)(?:cat|chmod|cp|env|export|grep|ls|mkdir|mv|rm|sed|sleep|test|touch|true|which)\b/, "it starts a program of POSIX"],
];

/** Why a script does not run on Windows, in one sentence; undefined if it does. */
export function shellProblem(name: string, script: string): string | undefined {
  const [, what] = POSIX_ONLY.find(([pattern]) => pattern.test(script)) ?? [];
  return what === undefined ? undefined : `Script "${name}" does not run in cmd.exe: ${what}. Do that in a module that node runs.`;
}
