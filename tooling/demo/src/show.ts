// A show: one server, as a list of small steps that run in every revision of the server. A step prints its actions and asserts
// their results; a failed step is printed, and the show continues.
import { names, type Narrator } from "./narrator.ts";

export interface Step<Scene> {
  title: string;
  /** `say` adds a line to the output of the step. */
  play(scene: Scene, say: (line: string) => void): Promise<void>;
}

export interface Show<Scene extends AsyncDisposable> {
  server: string;
  transport: string;
  /** The first revision is printed in full, the others only where they differ. */
  revisions: readonly string[];
  /** Starts the server and connects; what is opened here closes with the scene. */
  open(revision: string): Promise<Scene>;
  steps: readonly Step<Scene>[];
}

/** Plays a show in all its revisions. */
export async function perform<Scene extends AsyncDisposable>(
  show: Show<Scene>,
  narrator: Narrator,
  known: Set<string> = new Set(),
): Promise<void> {
  for (const revision of show.revisions) {
    narrator.heading(`${show.server} · revision ${revision} · over ${show.transport}`);
    const same: string[] = [];
    try {
      await using scene = await show.open(revision);
      for (const step of show.steps) {
        const outcome = await performStep(step, scene, narrator, known);
        if (outcome === "known") same.push(step.title);
      }
    } catch (error) {
      narrator.printFailed("the scene", words(error));
    }
    if (same.length > 0) narrator.printPassed("as before", [`${names(same)}.`], same.length);
  }
}

/** Figures differ every time: numbers, and lists of them. */
const FIGURES = /\d+(?:[,.]\d+)*(?:, \d+(?:[,.]\d+)*)*/g;

/** Plays one step. Returns "known" without printing if its output equals that of an earlier step. */
export async function performStep<Scene>(
  { title, play }: Step<Scene>,
  scene: Scene,
  narrator: Narrator,
  known: Set<string> = new Set(),
): Promise<"printed" | "known"> {
  const lines: string[] = [];
  try {
    await play(scene, (line) => lines.push(line));
  } catch (error) {
    narrator.printFailed(title, [...lines, ...words(error)]);
    return "printed";
  }
  const gist = `${title}: ${lines.join(" ")}`.replaceAll(FIGURES, "#");
  if (known.has(gist)) return "known";
  known.add(gist);
  narrator.printPassed(title, lines);
  return "printed";
}

const words = (error: unknown): string[] => (error instanceof Error ? (error.stack ?? error.message) : String(error)).split("\n");
