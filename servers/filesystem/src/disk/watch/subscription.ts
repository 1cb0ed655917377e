// One subscriber's view of one path: where to listen for hints, and whether a hint is news to this subscriber.
import { NotificationThrottle } from "@oarlock/domain-kit";
import type { Area } from "../access/area.ts";
import { DiskError } from "../errors.ts";
import { NOTHING, see, type Sight } from "./file-identity.ts";
import type { NativeWatches } from "./native-watches.ts";

/** Where hints come from, and the largest folder that they are asked for. */
export interface HintSource {
  readonly watches: NativeWatches;
  readonly maxEntries: number;
}

interface Spot {
  readonly path: string;
  readonly folder: boolean;
}

export class Subscription {
  readonly #area: Area;
  readonly #path: string;
  readonly #hints: HintSource;
  readonly #throttle: NotificationThrottle;
  readonly #changed: () => void;
  #sight: Sight | undefined;
  #spots = new Map<string, () => void>();
  /** A change was seen, and is to be told. */
  #seen = false;
  /** A watcher reported something that a look at the path may not show: a write into a file of the folder, or twice in one instant. */
  #hinted = false;
  #stopped = false;

  constructor(area: Area, path: string, changed: () => void, hints: HintSource) {
    this.#area = area;
    this.#path = path;
    this.#changed = changed;
    this.#hints = hints;
    this.#throttle = new NotificationThrottle(() => {
      // What a listener throws is its own affair, and must not end the process.
      this.#tell().catch(() => {});
    });
  }

  /** The first look takes the measure; later ones find out what no watcher reported. */
  async look(): Promise<void> {
    const before = this.#sight;
    const now = await see(this.#area, this.#path, before);
    // Another look may have come in between, and be newer.
    if (this.#stopped || now === undefined || this.#sight !== before) return;
    this.#sight = now;
    if (before !== undefined && now.content !== before.content) {
      this.#seen = true;
      this.#throttle.changed();
    }
    if (before === undefined || now.stamp !== before.stamp) this.#listen();
  }

  stop(): void {
    this.#stopped = true;
    this.#throttle.cancel();
    for (const detach of this.#spots.values()) detach();
    this.#spots.clear();
  }

  async #tell(): Promise<void> {
    await this.look();
    const news = this.#seen || (this.#hinted && this.#sight !== NOTHING);
    this.#seen = false;
    this.#hinted = false;
    // The look may have asked for one more notice: it is this one.
    this.#throttle.cancel();
    if (news && !this.#stopped) this.#changed();
  }

  #listen(): void {
    const wanted = new Map(this.#wanted().map((spot) => [`${spot.folder}:${spot.path}`, spot]));
    for (const [key, detach] of this.#spots) {
      if (wanted.has(key)) continue;
      this.#spots.delete(key);
      detach();
    }
    for (const [key, spot] of wanted) {
      if (this.#spots.has(key)) continue;
      this.#spots.set(
        key,
        this.#hints.watches.attach(spot.path, () => this.#isReal(spot), this.#hint),
      );
    }
  }

  readonly #hint = (child: string | undefined): void => {
    if (child === undefined && this.#sight?.folder) this.#throttle.changed();
    else if (child === undefined || this.#area.shows(child)) {
      this.#hinted = true;
      this.#throttle.changed();
    }
  };

  /** What the path leads to, and, where that is somewhere else, the link that leads there; for what is missing, its name. */
  #wanted(): Spot[] {
    const sight = this.#sight ?? NOTHING;
    const spots: Spot[] = [];
    if (sight.real !== undefined && sight.entries <= this.#hints.maxEntries) spots.push({ path: sight.real, folder: sight.folder });
    try {
      using entry = this.#area.entry(this.#path);
      if (entry.path !== sight.real) spots.push({ path: entry.path, folder: false });
    } catch (error) {
      // A root, or below folders that do not exist yet: the regular look remains.
      if (!(error instanceof DiskError)) throw error;
    }
    return spots;
  }

  /** Still no link to elsewhere, neither the folder itself nor anything above. */
  #isReal({ path, folder }: Spot): boolean {
    try {
      if (folder) return this.#area.look(path).path === path;
      using entry = this.#area.entry(path);
      return entry.path === path;
    } catch (error) {
      return error instanceof DiskError && error.code === "not-found";
    }
  }
}
