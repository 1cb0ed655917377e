// GIT-07 to GIT-10: repositories inside the allowed area, parts of which lead out of it.
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestRepository } from "../support/repository.ts";
import type { AttackGround } from "./attack-ground.ts";

/** Each makes the repository `r` lead out in another way. */
export const LEADING_OUT: readonly (readonly [title: string, prepare: (own: AttackGround, r: string) => void])[] = [
  [
    "GIT-07 a .git file that names a git directory outside",
    (own, r) => {
      mkdirSync(own.at(r));
      writeFileSync(own.at(`${r}/.git`), `gitdir: ${own.out}/repo/.git\n`);
    },
  ],
  [
    "GIT-07 a .git file that climbs, with CR at its end",
    (own, r) => {
      mkdirSync(own.at(r));
      writeFileSync(own.at(`${r}/.git`), "gitdir: ../../OUT/repo/.git\r\n");
    },
  ],
  [
    "GIT-07 a linked worktree whose common directory is outside",
    (own, r) => void new TestRepository(join(own.out, "repo")).git("worktree", "add", "-q", own.at(r), "-b", "w"),
  ],
  [
    "GIT-07 a git directory inside whose common directory is outside",
    (own, r) => {
      own.repository(r);
      writeFileSync(own.at(`${r}/.git/commondir`), "../../../OUT/repo/.git\n");
    },
  ],
  [
    "GIT-07 a common directory that is reached by a link inside",
    (own, r) => {
      own.repository(r);
      symlinkSync(join(own.out, "repo/.git"), own.at(`${r}-way`));
      writeFileSync(own.at(`${r}/.git/commondir`), `../../${r}-way\n`);
    },
  ],
  [
    "GIT-08 .git is a link to a git directory outside",
    (own, r) => {
      mkdirSync(own.at(r));
      symlinkSync(join(own.out, "repo/.git"), own.at(`${r}/.git`));
    },
  ],
  [
    "GIT-08 .git is a link to a link",
    (own, r) => {
      mkdirSync(own.at(r));
      symlinkSync(join(own.out, "repo/.git"), own.at(`${r}-hop`));
      symlinkSync(`../${r}-hop`, own.at(`${r}/.git`));
    },
  ],
  ...["objects", "refs", "HEAD", "config", "packed-refs", "index", "info", "logs"].map(
    (name) =>
      [
        `GIT-08 ${name} in the git directory is a link to outside`,
        (own: AttackGround, r: string) => {
          own.repository(r);
          rmSync(own.at(`${r}/.git`, name), { recursive: true, force: true });
          symlinkSync(join(own.out, "repo/.git", name), own.at(`${r}/.git`, name));
        },
      ] as const,
  ),
  [
    "GIT-08 the log of a branch is a link to a file outside",
    (own, r) => {
      own.repository(r);
      rmSync(own.at(`${r}/.git/logs/refs/heads/main`));
      symlinkSync(join(own.out, "secret.txt"), own.at(`${r}/.git/logs/refs/heads/main`));
    },
  ],
  ...["COMMIT_EDITMSG", "logs/refs/heads/main", "ORIG_HEAD", "logs/HEAD", "refs/stash"].map(
    (name) =>
      [
        `GIT-08 ${name} is a link to a file outside that is not there yet`,
        (own: AttackGround, r: string) => {
          own.repository(r);
          rmSync(own.at(`${r}/.git`, name), { force: true });
          symlinkSync(join(own.out, "created.txt"), own.at(`${r}/.git`, name));
        },
      ] as const,
  ),
  [
    "GIT-08 a branch with a slash in its name is a link to a file outside",
    (own, r) => {
      own.repository(r);
      mkdirSync(own.at(`${r}/.git/refs/heads/deep`));
      symlinkSync(join(own.out, "repo/.git/refs/heads/main"), own.at(`${r}/.git/refs/heads/deep/er`));
    },
  ],
  [
    "GIT-08 a folder of branches is a link",
    (own, r) => {
      own.repository(r);
      symlinkSync(join(own.out, "repo/.git/refs/heads"), own.at(`${r}/.git/refs/remotes`));
    },
  ],
  ["GIT-09 the work tree is set to be outside", (own, r) => own.repository(r).git("config", "core.worktree", own.out)],
  ["GIT-09 the work tree is set to be outside, by a climb", (own, r) => own.repository(r).git("config", "core.worktree", "../../../OUT")],
  ["GIT-09 the work tree is everything", (own, r) => own.repository(r).git("config", "CORE.workTree", "/")],
  [
    "GIT-09 the work tree is another one inside, which is a link out",
    (own, r) => {
      symlinkSync(own.out, own.at(`${r}-way`));
      own.repository(r).git("config", "core.worktree", own.at(`${r}-way`));
    },
  ],
  [
    "GIT-09 the work tree is set by the configuration of a work tree",
    (own, r) => {
      const repo = own.repository(r);
      repo.git("config", "extensions.worktreeConfig", "0x1");
      repo.git("config", "--file", ".git/config.worktree", "core.worktree", own.out);
    },
  ],
  [
    "GIT-10 alternates name an object store outside",
    (own, r) => {
      own.repository(r);
      writeFileSync(own.at(`${r}/.git/objects/info/alternates`), `${own.out}/repo/.git/objects\n`);
    },
  ],
  [
    "GIT-10 alternates by a climb, behind a comment and blank lines",
    (own, r) => {
      own.repository(r);
      writeFileSync(own.at(`${r}/.git/objects/info/alternates`), "# x\n\n../../../../OUT/repo/.git/objects\n");
    },
  ],
  [
    "GIT-10 alternates in quotes",
    (own, r) => {
      own.repository(r);
      writeFileSync(own.at(`${r}/.git/objects/info/alternates`), `"${own.out}/repo/.git/objects"\n`);
    },
  ],
  [
    "GIT-10 alternates of alternates",
    (own, r) => {
      own.repository(r);
      own.repository(`${r}-between`);
      writeFileSync(own.at(`${r}/.git/objects/info/alternates`), `${own.at(`${r}-between/.git/objects`)}\n`);
      writeFileSync(own.at(`${r}-between/.git/objects/info/alternates`), `${own.out}/repo/.git/objects\n`);
    },
  ],
  [
    "GIT-10 a pack that is a link",
    (own, r) => {
      own.repository(r);
      for (const name of readdirSync(join(own.out, "repo/.git/objects/pack")))
        symlinkSync(join(own.out, "repo/.git/objects/pack", name), own.at(`${r}/.git/objects/pack`, name));
    },
  ],
  [
    "GIT-10 one object that is a link",
    (own, r) => {
      own.repository(r);
      const id = new TestRepository(join(own.out, "repo")).git("rev-parse", "HEAD:canary.txt");
      const [folder, file] = [id.slice(0, 2), id.slice(2)];
      mkdirSync(own.at(`${r}/.git/objects`, folder), { recursive: true });
      symlinkSync(join(own.out, "repo/.git/objects", folder, file), own.at(`${r}/.git/objects`, folder, file));
    },
  ],
  [
    "GIT-10 a folder of objects that is a link",
    (own, r) => {
      own.repository(r);
      const id = new TestRepository(join(own.out, "repo")).git("rev-parse", "HEAD:canary.txt");
      rmSync(own.at(`${r}/.git/objects`, id.slice(0, 2)), { recursive: true, force: true });
      symlinkSync(join(own.out, "repo/.git/objects", id.slice(0, 2)), own.at(`${r}/.git/objects`, id.slice(0, 2)));
    },
  ],
];
