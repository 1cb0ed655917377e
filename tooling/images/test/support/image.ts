// An image without a daemon: follows the instructions of a Dockerfile and gives a root folder with its settings.
import { execFile } from "node:child_process";
import { chownSync, cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { stagesOf, substitute, argumentsIn, type Instruction, type Stage } from "./dockerfile.ts";
import { addDebianPackage, layBase, linkTree } from "./machine-files.ts";

const run = promisify(execFile);

export interface Image {
  readonly root: string;
  labels: Record<string, string>;
  workdir: string;
  user: string;
  stopSignal: string;
  entrypoint: string[];
  healthcheck: { readonly command: string[]; readonly flags: Readonly<Record<string, string>> } | undefined;
}

export interface BuildOptions {
  /** Values of `ARG`, by name. */
  readonly args: Readonly<Record<string, string>>;
  /** Environment of the commands that `RUN` has. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the root folders are made. */
  readonly folder: string;
  /** Where base images are kept, for several builds; on the same disk. */
  readonly bases: string;
}

class Build {
  readonly image: Image;
  readonly #earlier: ReadonlyMap<string, Image>;
  readonly #options: BuildOptions;
  readonly #args: Record<string, string> = {};

  constructor(root: string, earlier: ReadonlyMap<string, Image>, options: BuildOptions) {
    this.image = { root, labels: {}, workdir: "/", user: "0:0", stopSignal: "SIGTERM", entrypoint: [], healthcheck: undefined };
    this.#earlier = earlier;
    this.#options = options;
  }

  /** Each kind of instruction that our Dockerfiles have; another one is an error, so that none is passed over. */
  async follow({ keyword, flags, text }: Instruction): Promise<void> {
    const { image } = this;
    const value = substitute(text, this.#args);
    if (keyword === "ARG") this.#declare(text);
    else if (keyword === "LABEL") Object.assign(image.labels, labelOf(value));
    else if (keyword === "WORKDIR") mkdirSync(join(image.root, (image.workdir = value)), { recursive: true });
    else if (keyword === "USER") image.user = value;
    else if (keyword === "STOPSIGNAL") image.stopSignal = value;
    else if (keyword === "ENTRYPOINT") image.entrypoint = argumentsIn(text);
    else if (keyword === "HEALTHCHECK") image.healthcheck = { command: argumentsIn(text.replace(/^CMD\s+/, "")), flags };
    else if (keyword === "COPY") this.#copy(value.split(/\s+/), flags);
    else if (keyword === "RUN") await this.#run(text);
    else throw new Error(`Instruction ${keyword} is unknown here.`);
  }

  #declare(text: string): void {
    const [name = "", value = ""] = text.split("=");
    this.#args[name] = this.#options.args[name] ?? value;
  }

  #copy(words: string[], { from = "", chown }: Readonly<Record<string, string>>): void {
    const stage = this.#earlier.get(from);
    if (stage === undefined) throw new Error(`COPY names an unknown stage: ${from}.`);
    const to = words.pop() ?? "";
    for (const path of words) {
      const target = join(this.image.root, to.endsWith("/") ? join(to, basename(path)) : to);
      if (chown === undefined) linkTree(join(stage.root, path), target);
      else {
        cpSync(join(stage.root, path), target, { recursive: true, verbatimSymlinks: true });
        own(target, chown);
      }
    }
  }

  /** npm runs as written, in the folder of the stage. A package of Debian comes from this machine. */
  async #run(command: string): Promise<void> {
    const [, packages] = /^apt-get update && apt-get install --yes --no-install-recommends ([\w -]+) && rm -rf \S+$/.exec(command) ?? [];
    if (packages !== undefined) return packages.split(" ").forEach((name) => addDebianPackage(this.image.root, name));
    if (!command.startsWith("npm install ")) throw new Error(`RUN has an unknown command: ${command}`);
    const env = { ...this.#options.env, ...this.#args };
    await run("sh", ["-c", command], { cwd: join(this.image.root, this.image.workdir), env });
  }
}

export async function buildImage(dockerfile: string, options: BuildOptions): Promise<Image> {
  const built = new Map<string, Image>();
  let last: Image | undefined;
  for (const [number, stage] of stagesOf(dockerfile).entries()) {
    last = await buildStage(stage, join(options.folder, `stage-${number}`), built, options);
    built.set(stage.name ?? String(number), last);
  }
  if (last === undefined) throw new Error("The Dockerfile has no FROM.");
  return last;
}

async function buildStage(stage: Stage, root: string, earlier: ReadonlyMap<string, Image>, options: BuildOptions): Promise<Image> {
  layBase(root, stage.base, options.bases);
  const build = new Build(root, earlier, options);
  for (const instruction of stage.instructions) await build.follow(instruction);
  return build.image;
}

function labelOf(text: string): Record<string, string> {
  const [, name = "", value = ""] = /^([\w.]+)="(.*)"$/.exec(text) ?? [];
  return { [name]: value };
}

function own(path: string, owner: string): void {
  const [user = 0, group = 0] = owner.split(":").map(Number);
  chownSync(path, user, group);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) own(join(path, name), owner);
}
