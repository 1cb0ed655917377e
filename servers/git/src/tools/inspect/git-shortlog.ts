// git_shortlog: how many commits each author has.
import { tool } from "@oarlock/server-kit";
import { counted, escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { countByAuthor, type AuthorCount } from "../../repo/history/shortlog.ts";
import { items, z, result, repo_path, paths, optionalWord, object, count } from "../../schema.ts";
import { takeLines, toObjects } from "../structured.ts";

const DEFAULT_LIMIT = 200;
/** An author in text and structured content. */
const ENTRY_BYTES = 600;

export const gitShortlog = (deps: Dependencies) =>
  tool({
    name: "git_shortlog",
    title: "Commits by author",
    description: "Count the commits of each author, most first.",
    toolset: "integrate",
    input: () =>
      object({
        repo_path,
        revision: optionalWord("Branch, commit or a..b"),
        start_timestamp: optionalWord("Not before"),
        end_timestamp: optionalWord("Not after"),
        paths,
        limit: count(`Default ${DEFAULT_LIMIT}`),
      }),
    output: () => result({ authors: items(), commits: z.int() }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: repoPath, revision = "HEAD", start_timestamp: since, end_timestamp: until, paths: only, limit }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const all = await countByAuthor(repository, { revision, paths: only, since, until, signal: ctx.signal });
      const most = Math.min(limit ?? DEFAULT_LIMIT, Math.floor(deps.maxResultBytes / ENTRY_BYTES));
      const authors = takeLines(all.slice(0, most), limit, authorLine);
      const commits = all.reduce((sum, author) => sum + author.commits, 0);
      const truncated = authors.length < all.length;
      const title = `${counted(commits, "commit")} by ${counted(all.length, "author")}`;
      const notice = truncated ? [`[truncated: ${all.length - authors.length} more authors; a higher limit lists them]`] : [];
      return {
        content: all.length === 0 ? "No commits" : [title, ...authors.map(authorLine), ...notice].join("\n"),
        structured: { authors: toObjects(authors), commits, truncated },
      };
    },
  });

const authorLine = ({ name, email, commits }: AuthorCount): string => `${commits}\t${escapeControls(name)} <${escapeControls(email)}>`;
