// A show: one server, as a list of small steps that are played in every revision it speaks. A step tells what it does and
// asserts what must come of it; a step that fails is told, and the show goes on.
import type { Narrator } from "./narrator.ts";
import { names } from "./word-lists.ts";

export interface Step<Scene> {
  title: string;
  /** `say` adds a line to what is told of the step. */
  play(scene: Scene, say: (line: string) => void): Promise<void>;
}

export interface Show<Scene extends AsyncDisposable> {
  server: string;
  transport: string;
  /** The first one is told at length, the others where they differ. */
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
        const told = await performStep(step, scene, narrator, known);
        if (told === "known") same.push(step.title);
      }
    } catch (error) {
      narrator.tellFailed("the scene", words(error));
    }
    if (same.length > 0) narrator.tellHeld("as before", [`${names(same)}.`], same.length);
  }
}

/** Figures differ every time: numbers, and lists of them. */
const FIGURES = /\d+(?:[,.]\d+)*(?:, \d+(?:[,.]\d+)*)*/g;

/** Plays one step. It is not told again where it went as one that is known; then the caller is to say so. */
export async function performStep<Scene>(
  { title, play }: Step<Scene>,
  scene: Scene,
  narrator: Narrator,
  known: Set<string> = new Set(),
): Promise<"told" | "known"> {
  const told: string[] = [];
  try {
    await play(scene, (line) => told.push(line));
  } catch (error) {
    narrator.tellFailed(title, [...told, ...words(error)]);
    return "told";
  }
  const gist = `${title}: ${told.join(" ")}`.replaceAll(FIGURES, "#");
  if (known.has(gist)) return "known";
  known.add(gist);
  narrator.tellHeld(title, told);
  return "told";
}

const words = (error: unknown): string[] => (error instanceof Error ? (error.stack ?? error.message) : String(error)).split("\n");
