// The error of authorization.

/** Authorization failed. The message has no token, secret or code. */
export class AuthorizationError extends Error {
  /** The error code of the authorization server, such as `access_denied` or `invalid_grant`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.name = "AuthorizationError";
    this.code = code;
  }
}

/** The end of an advice; the command has another way, which does not show in the list of processes. */
export const BY_HEADER = "in the header Authorization: Bearer TOKEN";
