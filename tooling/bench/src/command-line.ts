/** Targets given by hand: a command line, split the way a shell would. */
import type { Target } from "./target.ts";

/** A target from `NAME=COMMAND`, or from a command only. */
export function targetOf(text: string, name: string): Target {
  const [, given = name, command = text] = /^([\w.+@-]+)=(?!=)(.*)$/s.exec(text) ?? [];
  return { name: given, product: given, role: "ours", kind: "any", command: words(command) };
}

/** A command line split the way a shell would, without running one. */
export function words(line: string): string[] {
  const parts = line.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+))(\s*)/gs);
  const out: string[] = [];
  let joined = false;
  for (const [, double, single, bare, space] of parts) {
    const text = single ?? (double ?? bare ?? "").replaceAll(/\\(.)/gs, "$1");
    if (joined) out.push((out.pop() ?? "") + text);
    else out.push(text);
    joined = space === "";
  }
  return out;
}
