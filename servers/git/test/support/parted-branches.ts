// A repository in the state before a conflict.
import { world, type World, type WorldOptions } from "./world.ts";

/** Two branches that changed the same line. */
export async function parted(options: WorldOptions = {}): Promise<World> {
  const at = await world({ tree: { "f.txt": "1\n2\n3\n", "g.txt": "g\n" }, allowDiscard: true, ...options });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", { "f.txt": "1\ntheirs\n3\n" });
  repository.commit("aside", { "new.txt": "n\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "f.txt": "1\nours\n3\n" });
  return at;
}

/** What tools report of the line. */
export const CONFLICT = { path: "f.txt", status: "both modified", regions: [{ ours: { start: 3, end: 3 }, theirs: { start: 5, end: 5 } }] };
