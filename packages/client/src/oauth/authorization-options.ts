// The options of every authorization, and of a login.
import type { CredentialStore } from "./credential-store.ts";

export interface AuthorizationOptions {
  /** Where tokens and registrations are kept. Default: in memory. */
  store?: CredentialStore;
  /** Draft SEP-1932: binds tokens to a key of this process, where the authorization server supports it. Default false. */
  draftDpop?: boolean;
}

export interface LoginRequest {
  /** Logs in although there are tokens. Default false. */
  force?: boolean;
  /** Requests these scopes only. Default: all that the server publishes, those of its challenge, and those of earlier logins. */
  scopes?: readonly string[];
  /** Ends the login. */
  signal?: AbortSignal;
}
