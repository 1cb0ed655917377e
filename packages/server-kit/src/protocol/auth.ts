// Who sent a request, as far as a transport has checked it.

/** A caller whose token was good. */
export interface Auth {
  /** Names the caller, the same for every token of theirs: what sessions and sealed state are bound to. */
  readonly principal: string;
  /** What the token is good for, such as `filesystem:read`; `"*"` alone is good for everything. */
  readonly scopes: readonly string[];
  /** What else the token says. */
  readonly claims: Readonly<Record<string, unknown>>;
}
