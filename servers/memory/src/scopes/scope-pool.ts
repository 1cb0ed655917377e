// ScopePool: the scopes that are open. Each has tools, resources and prompts of its own, which know no other scope.
import type { ServerFeatures } from "@oarlock/server-kit";

/** Unused scopes that stay open. */
const MAX_IDLE = 32;

/** The tools, resources and prompts over one memory. */
export type ScopeFeatures = Required<ServerFeatures>;

/** `person`: for whom the scope is opened, where an authorization server names users. */
type OpenScopeFeatures = (scope: string, person: string | undefined) => Promise<ScopeFeatures>;

interface OpenScope {
  readonly features: Promise<ScopeFeatures>;
  /** Calls and watches that run. */
  users: number;
}

export class ScopePool {
  readonly #open: OpenScopeFeatures;
  /** Those used last are last. */
  readonly #scopes = new Map<string, OpenScope>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(open: OpenScopeFeatures) {
    this.#open = open;
  }

  /** Calls `action` with the features of a scope, which stays open meanwhile. */
  async use<T>(scope: string, person: string | undefined, action: (features: ScopeFeatures) => T | PromiseLike<T>): Promise<T> {
    const [features, release] = await this.hold(scope, person);
    try {
      return await action(features);
    } finally {
      release();
    }
  }

  /** The features of a scope, which stays open until the returned function is called. */
  async hold(scope: string, person?: string): Promise<[features: ScopeFeatures, release: () => void]> {
    await this.#closing.get(scope);
    const known = this.#scopes.get(scope);
    const open: OpenScope = known ?? { features: this.#open(scope, person), users: 0 };
    this.#scopes.delete(scope);
    this.#scopes.set(scope, open);
    open.users++;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      open.users--;
      this.#closeIdle();
    };
    try {
      return [await open.features, release];
    } catch (error) {
      if (this.#scopes.get(scope) === open) this.#scopes.delete(scope);
      throw error;
    }
  }

  #closeIdle(): void {
    const idle = [...this.#scopes].filter(([, { users }]) => users === 0);
    for (const [scope, { features }] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) {
      this.#scopes.delete(scope);
      const closing = features
        .then((one) => one.close())
        .catch(() => undefined)
        .finally(() => this.#closing.delete(scope));
      this.#closing.set(scope, closing);
    }
  }

  async close(): Promise<void> {
    const all = [...this.#scopes.values()];
    this.#scopes.clear();
    await Promise.all([...all.map(async ({ features }) => (await features).close()), ...this.#closing.values()]);
  }
}
