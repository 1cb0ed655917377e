// Auth: the caller of a request, verified by the transport.

/** A caller with a valid token. */
export interface Auth {
  /** Identifies the caller, the same for all of its tokens; sessions and sealed state are bound to it. */
  readonly principal: string;
  /** Scopes of the token, such as `filesystem:read`; `"*"` grants everything. */
  readonly scopes: readonly string[];
  /** When the token expires, in milliseconds since the Unix epoch: event streams that it has opened end then. Default: never. */
  readonly expiresAt?: number;
  /** Further claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}
