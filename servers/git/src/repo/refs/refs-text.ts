// All references as text: what HEAD is, and every branch and tag with its object.
import type { Repository } from "../repository.ts";

/** As much as `most` bytes hold; whole lines. */
export async function refsText(repository: Repository, most: number, signal?: AbortSignal): Promise<{ text: string; cut: boolean }> {
  const { stdout, cut } = await repository.run({ args: ["for-each-ref", "--format=%(objectname) %(refname)"], maxBytes: most, signal });
  const { branch } = repository.head();
  const oid = await repository.headCommit(signal);
  const head = `${oid ?? "(no commits yet)"} HEAD${branch === undefined ? "" : ` -> refs/heads/${branch}`}\n`;
  const whole = cut ? stdout.subarray(0, stdout.lastIndexOf(10) + 1) : stdout;
  return { text: head + whole.toString(), cut };
}
