// A `git` that writes down every process that it starts, itself and its helpers: what a repository has run shows here, whether or
// not it left a mark.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isObject } from "@oarlock/server-kit/protocol";

/** A process of git, or one that git started. */
export interface Started {
  readonly by: "server" | "git";
  readonly argv: readonly string[];
}

export class TracedGit {
  /** To be given as `--git`. */
  readonly path: string;
  readonly #events: string;

  constructor(folder: string) {
    this.path = join(folder, "traced-git");
    this.#events = join(folder, "events.jsonl");
    writeFileSync(this.path, `#!/bin/sh\nGIT_TRACE2_EVENT='${this.#events}' GIT_TRACE2_EVENT_NESTING=50 exec git "$@"\n`);
    chmodSync(this.path, 0o755);
  }

  /** Forgets what ran so far. */
  forget(): void {
    rmSync(this.#events, { force: true });
  }

  /** Everything that ran. */
  started(): Started[] {
    if (!existsSync(this.#events)) return [];
    return readFileSync(this.#events, "utf8")
      .split("\n")
      .flatMap((line): Started[] => {
        const event: unknown = line.startsWith("{") && line.endsWith("}") ? JSON.parse(line) : undefined;
        if (!isObject(event) || !Array.isArray(event["argv"])) return [];
        const argv = event["argv"].map(String);
        if (event["event"] === "start") return [{ by: "server", argv }];
        return event["event"] === "child_start" || event["event"] === "exec" ? [{ by: "git", argv }] : [];
      });
  }

  /** Programs other than git that git started. */
  otherPrograms(): string[] {
    return this.started()
      .filter(({ by, argv }) => by === "git" && !/^git(?:-[a-z-]+)?$/.test(basename(argv[0] ?? "")))
      .map(({ argv }) => argv.join(" "));
  }
}
