// The git server: a table of what it offers.
import { defineServer, type Server, type ToolDefinition } from "@oarlock/server-kit";
import { Areas, type RootsMode } from "./areas.ts";
import { lean } from "./lean.ts";
import type { Parts } from "./parts.ts";
import { findGit } from "./repo/binary.ts";
import { Repositories } from "./repo/repositories.ts";
import { wallsOf, type Walls } from "./repo/start.ts";
import { realFolder } from "./repo/walls.ts";
import { commitMessage } from "./prompts/commit-message.ts";
import { releaseNotes } from "./prompts/release-notes.ts";
import { resolveConflicts } from "./prompts/resolve-conflicts.ts";
import { reviewChanges } from "./prompts/review-changes.ts";
import { summarizeHistory } from "./prompts/summarize-history.ts";
import { Watcher } from "./repo/watch.ts";
import { commit, diff } from "./resources/history.ts";
import { blob, tree } from "./resources/objects.ts";
import { refs, status } from "./resources/state.ts";
import { gitAdd } from "./tools/git-add.ts";
import { gitBlame } from "./tools/git-blame.ts";
import { gitBranch } from "./tools/git-branch.ts";
import { gitCheckout } from "./tools/git-checkout.ts";
import { gitClone } from "./tools/git-clone.ts";
import { gitCommit } from "./tools/git-commit.ts";
import { gitCreateBranch } from "./tools/git-create-branch.ts";
import { gitDiff, gitDiffStaged, gitDiffUnstaged } from "./tools/git-diff.ts";
import { gitGrep } from "./tools/git-grep.ts";
import { gitInit } from "./tools/git-init.ts";
import { gitLog } from "./tools/git-log.ts";
import { gitMerge } from "./tools/git-merge.ts";
import { gitCherryPick, gitRevert } from "./tools/git-pick.ts";
import { gitRebase } from "./tools/git-rebase.ts";
import { gitReflog } from "./tools/git-reflog.ts";
import { gitRemote } from "./tools/git-remote.ts";
import { gitReset } from "./tools/git-reset.ts";
import { gitRestore } from "./tools/git-restore.ts";
import { gitShow } from "./tools/git-show.ts";
import { gitStash } from "./tools/git-stash.ts";
import { gitStatus } from "./tools/git-status.ts";
import { gitTag } from "./tools/git-tag.ts";
import { gitFetch, gitPull, gitPush } from "./tools/git-transfer.ts";
import { gitWorktree } from "./tools/git-worktree.ts";

export interface Options {
  /** Repositories by their top folders. */
  repositories?: readonly string[];
  /** Folders whose repositories are all served. */
  repositoriesRoots?: readonly string[];
  /** Its repository is served where nothing is named. Default: that of the process. */
  cwd?: string;
  /** What the client's roots do to them. Default `narrow`. */
  roots?: RootsMode;
  /** Hooks of the repository run. Default false. */
  runHooks?: boolean;
  /** Commits and tags are signed, as the user's own configuration says. Default false. */
  sign?: boolean;
  /** What discards work or deletes needs no yes from the user. Default false. */
  allowDiscard?: boolean;
  /** Folders whose repositories are opened though another user owns them or their configuration names programs. */
  trust?: readonly string[];
  /** Protocols that the toolset `remote` may use. Default https, http and ssh. */
  protocols?: readonly string[];
  /** The git program. Default: the one at its usual place, then that of PATH. */
  git?: string | undefined;
  /** No text stands twice in a reply, and the list of tools has no schemas of results. Default false. */
  lean?: boolean;
  /** The most that one reply may weigh, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
  /** Whose home folder and names count. Default: that of the process. */
  env?: Readonly<Record<string, string | undefined>>;
}

export const version = "0.0.0";

const INSTRUCTIONS =
  "Work with git repositories. repo_path may be left out where one repository is served; paths of files are relative to its top. Replies that had to be cut say how to go on (cursor). Nothing that a repository brings along is run.";

/**
 * Makes the server; `walls` say what is served and what could not be.
 * @example
 * const { server } = await createServer({ repositories: ["/home/me/project"] });
 */
export async function createServer(options: Options): Promise<{ server: Server; walls: Walls; git: string | undefined }> {
  const { repositories: named = [], repositoriesRoots = [], cwd = process.cwd(), roots = "narrow", env = process.env } = options;
  const walls = wallsOf({ repositories: named, roots: repositoriesRoots, cwd });
  const git = options.git ?? findGit(env["PATH"]);
  const trusted = (options.trust ?? []).flatMap((path) => {
    const folder = realFolder(path);
    return "real" in folder ? folder.real : [];
  });
  const repositories = new Repositories({ git, walls: walls.walls, trusted });
  const watcher = new Watcher();
  const parts: Parts = {
    areas: new Areas(walls.walls, roots),
    repositories,
    maxResultBytes: options.maxResultBytes ?? 2_500_000,
    allowDiscard: options.allowDiscard ?? false,
    runHooks: options.runHooks ?? false,
    sign: options.sign ?? false,
    git,
    network: { protocols: options.protocols?.length ? options.protocols : ["https", "http", "ssh"], env },
    env,
  };
  const tools: ToolDefinition[] = [
    gitStatus(parts),
    gitDiffUnstaged(parts),
    gitDiffStaged(parts),
    gitDiff(parts),
    gitCommit(parts),
    gitAdd(parts),
    gitReset(parts),
    gitLog(parts),
    gitCreateBranch(parts),
    gitCheckout(parts),
    gitShow(parts),
    gitBranch(parts),
    gitBlame(parts),
    gitGrep(parts),
    gitStash(parts),
    gitWorktree(parts),
    gitTag(parts),
    gitRestore(parts),
    gitFetch(parts),
    gitPull(parts),
    gitPush(parts),
    gitClone(parts),
    gitRemote(parts),
    gitMerge(parts),
    gitRebase(parts),
    gitCherryPick(parts),
    gitRevert(parts),
    gitReflog(parts),
    gitInit(parts),
  ];
  const server = defineServer({
    name: "oarlock-git",
    title: "Git",
    version,
    instructions: INSTRUCTIONS,
    followsRoots: roots !== "ignore",
    tools: options.lean === true ? tools.map(lean) : tools,
    resources: [status(parts, watcher), refs(parts, watcher), commit(parts), diff(parts), blob(parts), tree(parts)],
    prompts: [commitMessage(parts), reviewChanges(parts), summarizeHistory(parts), releaseNotes(parts), resolveConflicts(parts)],
    async close() {
      await watcher.close();
      repositories.close();
    },
  });
  return { server, walls, git };
}
