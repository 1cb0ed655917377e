// Reads the challenges of a `WWW-Authenticate` header.
// https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1

export interface Challenge {
  /** In lower case. */
  scheme: string;
  /** By names in lower case. */
  parameters: Readonly<Record<string, string>>;
}

const MAX_HEADER_LENGTH = 8192;
/** A parameter, or the scheme of the next challenge. */
const PART = /[\s,]*(?:([\w!#$%&'*+.^`|~-]{1,64})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([A-Za-z][\w-]{0,31})(?=\s|,|$))/y;

/** The challenges in order. Stops at the first part that is malformed. */
export function parseChallenges(header: string | null): Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  if (header === null || header.length > MAX_HEADER_LENGTH) return [];
  PART.lastIndex = 0;
  for (let match = PART.exec(header); match !== null; match = PART.exec(header)) {
    const [, name, quoted, token, scheme] = match;
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: Object.create(null) as Record<string, string> });
    else if (name !== undefined) {
      const current = challenges.at(-1);
      if (current !== undefined) current.parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, "$1") ?? token ?? "";
    }
  }
  return challenges;
}

/** The challenge for an access token: of the scheme Bearer or DPoP. */
export function tokenChallenge(header: string | null): Challenge | undefined {
  const challenges = parseChallenges(header).filter(({ scheme }) => scheme === "bearer" || scheme === "dpop");
  return challenges.find(({ parameters }) => parameters.error !== undefined || parameters.resource_metadata !== undefined) ?? challenges[0];
}
