// Whom history names for a call.
import type { Context } from "@oarlock/server-kit";

/** The principal of everybody where all share one token. */
const SHARED_TOKEN = "token";

/** The person, where an authorization server names one; else the client program. */
export const authorOf = ({ auth, client }: Pick<Context, "auth" | "client">): string | undefined =>
  auth === undefined || auth.principal === SHARED_TOKEN ? client.name : auth.principal;
