// Demo of the git server: a repository with two branches and a merge.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import type { ServerDemo } from "./server-demo.ts";

const IDENTITY = ["-c", "user.name=Ilse Marten", "-c", "user.email=ilse@example.com", "-c", "commit.gpgsign=false"];

export const git: ServerDemo = {
  server: "git",
  async prepare(folder) {
    let minute = 0;
    const gitIn = async (...args: string[]): Promise<void> => {
      const date = new Date(Date.UTC(2026, 4, 1, 9, minute++ * 7)).toISOString();
      const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_NOSYSTEM: "1" };
      await outputOf("git", [...IDENTITY, ...args], { cwd: folder, env });
    };
    const commit = async (subject: string, name: string, text: string): Promise<void> => {
      await writeFile(join(folder, name), text);
      await gitIn("add", name);
      await gitIn("commit", "-m", subject);
    };
    await gitIn("init", "-b", "main");
    await commit("Begin the list of boats", "boats.md", "# Boats\n\n- Kittiwake\n- Petrel\n");
    await commit("Add the tide table", "tides.csv", "day,high\n1,4.1\n2,4.4\n3,4.9\n");
    await gitIn("switch", "-c", "moorings");
    await commit("List the moorings", "moorings.md", "# Moorings\n\nBuoy, chain, sinker.\n");
    await gitIn("switch", "main");
    await commit("Correct the third tide", "tides.csv", "day,high\n1,4.1\n2,4.4\n3,4.8\n4,5.0\n");
    await gitIn("merge", "--no-ff", "-m", "Merge the moorings", "moorings");
    await commit("Name the builder of Kittiwake", "boats.md", "# Boats\n\n- Kittiwake, built by Quay & Sons\n- Petrel\n- Gannet\n");
    await writeFile(join(folder, "tides.csv"), "day,high\n1,4.2\n2,4.4\n3,4.8\n4,5.1\n5,4.7\n");
    return {
      args: ["--repository", folder],
      views: [
        { view: "history", title: "History with its graph", tool: "git_log", args: { repo_path: folder } },
        { view: "diff", title: "Diff of the work tree", tool: "git_diff_unstaged", args: { repo_path: folder } },
        { view: "diff", title: "A commit with its changes", tool: "git_show", args: { repo_path: folder, revision: "HEAD" } },
        { view: "blame", title: "Lines with ages and commits", tool: "git_blame", args: { repo_path: folder, path: "tides.csv" } },
      ],
    };
  },
};
