// The hook by which a client over HTTP gets credentials, and gets new ones when the server refuses them.

/** A request before it is sent. */
export interface AuthorizationRequest {
  method: string;
  url: URL;
  /** The endpoint that the client has connected to. */
  server: URL;
}

/** A response with HTTP status 401 or 403. */
export interface AuthorizationChallenge extends AuthorizationRequest {
  status: number;
  headers: Headers;
  /** The `Authorization` header that was refused. */
  authorization: string | undefined;
  /** How often this request was sent again before. */
  retries: number;
}

export interface Authorization {
  /** The headers that authorize a request, such as `authorization`; none before the first challenge. */
  headers(request: AuthorizationRequest): Promise<Readonly<Record<string, string>>>;
  /** Obtains other credentials. True if the request should be sent again, false if the response is final. */
  answer(challenge: AuthorizationChallenge): Promise<boolean>;
  /** Identifies the user, so that cached private results belong to one user. */
  cacheIdentity(server: URL): Promise<string | undefined>;
}

/** Enough for an expired token, a step-up and a nonce. */
export const MAX_AUTHORIZATION_RETRIES = 3;
