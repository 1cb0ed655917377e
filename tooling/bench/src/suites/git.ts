/** Work on a repository: status, pages of the history, a diff, a blame. The floor is the git command itself. */
import { Client } from "../client.ts";
import { repository } from "../git-fixture.ts";
import { memory } from "../process.ts";
import { timeJobs } from "./jobs.ts";
import { filled, type Suite } from "./suite.ts";

export const git: Suite = {
  about: "status, log, diff and blame on 10,000 files and 5,000 commits (quick: 2,000 and 500)",
  kinds: ["git", "any"],
  rounds: 5,
  quickRounds: 2,
  measure(target, how) {
    const folder = how.quick ? repository(500, 2000) : repository(5000, 10_000);
    return Client.with(filled(target, folder), async (client) => ({
      ...(await timeJobs(client, { kind: "git", target, folder }, how)),
      "peak MiB": memory(client.pid).peak,
    }));
  },
};
