// A subscription to one path: which paths to watch for hints, and whether a hint is a change for this subscriber.
import { NotificationThrottle } from "@oarlock/domain-kit";
import type { Sandbox } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { NOTHING, identify, type FileIdentity } from "./file-identity.ts";
import type { NativeWatches } from "./native-watches.ts";

/** The source of hints, and the largest folder that is watched. */
export interface HintSource {
  readonly watches: NativeWatches;
  readonly maxEntries: number;
}

interface WatchedPath {
  readonly path: string;
  readonly folder: boolean;
}

export class Subscription {
  readonly #sandbox: Sandbox;
  readonly #path: string;
  readonly #hints: HintSource;
  readonly #throttle: NotificationThrottle;
  readonly #changed: () => void;
  #identity: FileIdentity | undefined;
  #watched = new Map<string, () => void>();
  /** A change was seen and is not notified yet. */
  #seen = false;
  /** A watcher reported a change that the identity may not show: a write to a file of the folder, or two writes in one instant. */
  #hinted = false;
  #stopped = false;

  constructor(sandbox: Sandbox, path: string, changed: () => void, hints: HintSource) {
    this.#sandbox = sandbox;
    this.#path = path;
    this.#changed = changed;
    this.#hints = hints;
    this.#throttle = new NotificationThrottle(() => {
      // An error of the listener must not crash the process.
      this.#notify().catch(() => {});
    });
  }

  isOf(sandbox: Sandbox, path: string): boolean {
    return sandbox === this.#sandbox && path === this.#path;
  }

  /** The first check records the identity; later ones find changes that no watcher reported. */
  async look(): Promise<void> {
    const before = this.#identity;
    const now = await identify(this.#sandbox, this.#path, before);
    // A newer check may have finished in between.
    if (this.#stopped || now === undefined || this.#identity !== before) return;
    this.#identity = now;
    if (before !== undefined && now.content !== before.content) {
      this.#seen = true;
      this.#throttle.changed();
    }
    if (before === undefined || now.stamp !== before.stamp) this.#listen();
  }

  stop(): void {
    this.#stopped = true;
    this.#throttle.cancel();
    for (const detach of this.#watched.values()) detach();
    this.#watched.clear();
  }

  async #notify(): Promise<void> {
    await this.look();
    const news = this.#seen || (this.#hinted && this.#identity !== NOTHING);
    this.#seen = false;
    this.#hinted = false;
    // The check may have scheduled a notification: it is this one.
    this.#throttle.cancel();
    if (news && !this.#stopped) this.#changed();
  }

  #listen(): void {
    const wanted = new Map(this.#wanted().map((place) => [`${place.folder}:${place.path}`, place]));
    for (const [key, detach] of this.#watched) {
      if (wanted.has(key)) continue;
      this.#watched.delete(key);
      detach();
    }
    for (const [key, place] of wanted) {
      if (this.#watched.has(key)) continue;
      this.#watched.set(
        key,
        this.#hints.watches.attach(place.path, () => this.#isReal(place), this.#hint),
      );
    }
  }

  readonly #hint = (child: string | undefined): void => {
    if (child === undefined && this.#identity?.folder) this.#throttle.changed();
    else if (child === undefined || this.#sandbox.shows(child)) {
      this.#hinted = true;
      this.#throttle.changed();
    }
  };

  /** The real path, and the link that leads there; for a missing object, its name. */
  #wanted(): WatchedPath[] {
    const identity = this.#identity ?? NOTHING;
    const watched: WatchedPath[] = [];
    if (identity.real !== undefined && identity.entries <= this.#hints.maxEntries)
      watched.push({ path: identity.real, folder: identity.folder });
    try {
      using entry = this.#sandbox.entry(this.#path, { inStoredNames: false });
      if (entry.path !== identity.real) watched.push({ path: entry.path, folder: false });
    } catch (error) {
      // A root, or below folders that do not exist yet: the regular check remains.
      if (!(error instanceof DiskError)) throw error;
    }
    return watched;
  }

  /** Whether neither the path nor a directory above it has become a link. */
  #isReal({ path, folder }: WatchedPath): boolean {
    try {
      if (folder) return this.#sandbox.look(path).path === path;
      using entry = this.#sandbox.entry(path, { inStoredNames: false });
      return entry.path === path;
    } catch (error) {
      return error instanceof DiskError && error.code === "not-found";
    }
  }
}
