// What a commit lacks because hooks and signers do not run: a client gets each such notice once in a session. A stateless client gets it
// with each commit that lacks something, as nothing tells a new conversation from the one before.
import type { Context } from "@oarlock/server-kit";
import type { Repository } from "../../repo/repository.ts";
import { skippedPrograms } from "../../repo/worktree/commit.ts";
import type { ProgramPolicy } from "../../repo/worktree/hooks-and-signing.ts";

/** Of one client; then notices may come again. */
const MAX_NOTICES = 1000;

/** In the stateless era each request has a client of its own. */
const sent = new WeakMap<Context["client"], Set<string>>();

/** The notices that this session has not had yet. */
export function newSkippedPrograms(client: Context["client"], repository: Repository, policy: ProgramPolicy, amends: boolean): string[] {
  let known = sent.get(client);
  if (known === undefined || known.size > MAX_NOTICES) sent.set(client, (known = new Set()));
  const notices = skippedPrograms(repository, policy, amends).filter((notice) => !known.has(`${repository.state.gitDir}\n${notice}`));
  for (const notice of notices) known.add(`${repository.state.gitDir}\n${notice}`);
  return notices;
}
