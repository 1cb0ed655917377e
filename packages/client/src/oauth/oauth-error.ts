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

// Advice in messages, which the command replaces by what its user can do.

export const BY_HEADER = "in the header Authorization: Bearer TOKEN";
export const BY_CLIENT_OPTION = "Register one there and pass it as the option client.";
