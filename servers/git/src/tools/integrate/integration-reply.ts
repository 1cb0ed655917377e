// What the tools that integrate have in common: the steps of their arguments, and a reply that names conflicts.
import type { Integrated } from "../../repo/worktree/integration.ts";
import { shown } from "../../repo/text/file-names.ts";
import { choice, result, z } from "../../schema.ts";

export const step = () => z._default(choice(["start", "continue", "skip", "abort"], "Begin, go on, leave one out, or give up"), "start");

export const integrateResult = () =>
  result({
    state: z.string(),
    head: z.optional(z.string()),
    conflicts: z.array(z.looseObject({ path: z.string(), status: z.string() })),
  });

export function integrateReply(title: string, { state, head, conflicts, said }: Integrated) {
  const lines = conflicts.map(
    ({ path, status, regions }) =>
      `  ${shown(path)} (${status})${regions.length === 0 ? "" : `, lines ${regions.map(({ ours, theirs }) => `${ours.start - 1}-${theirs.end + 1}`).join(", ")}`}`,
  );
  const stopped =
    state === "conflict"
      ? ["Stopped at conflicts. Resolve them, stage the files with git_add, then call again with step continue (or abort):", ...lines]
      : [];
  return {
    content: [
      state === "aborted" ? `${title} was given up` : state === "done" ? `${title}: done, HEAD is ${head ?? "nothing"}` : title,
      ...stopped,
      ...(said === "" ? [] : [said]),
    ].join("\n"),
    structured: {
      state,
      ...(head !== undefined && { head }),
      conflicts: conflicts.map(({ path, status, regions }) => ({ path, status, regions: regions.map((region) => ({ ...region })) })),
    },
  };
}
