// Redaction: replaces secrets in texts for people and logs.

const REDACTED = "***";

/** Each pattern keeps its first group and replaces the rest. All repeat one class of characters only, so matching takes linear time. */
const SECRETS: readonly RegExp[] = [
  // user:password@ of a URL, whose password may have an @, and a token in place of the user
  /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/"']{0,256}:)[^\s/"']{1,1024}(?=@)/gi,
  /([a-z][a-z0-9+.-]{0,20}:\/\/)(?:gh[a-z]_|github_pat_|glpat-)[^\s@/"']{1,1024}(?=@)/gi,
  // Authorization: Basic …, Bearer …
  /(\b(?:bearer|basic)\s{1,4})[\w+/=.~-]{8,4096}/gi,
  // password=…, --token …, API_KEY: …
  /((?:password|passwd|pwd|secret|token|(?:api|access|private|state|session)[-_]?key)["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"'&,;]{1,4096}/gi,
  /(--(?:password|secret|token|(?:api-|access-|state-)?key)\s{1,4})[^\s-][^\s]{0,4096}/gi,
  // tokens by their form
  /()\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,255}|sk-[\w-]{20,255}|xox[abprs]-[\w-]{10,255}|AKIA[A-Z0-9]{16})\b/g,
  /()\beyJ[\w-]{10,2048}\.[\w-]{2,4096}\.[\w-]{2,1024}/g,
];

/** Replaces passwords in URLs, headers with credentials, values named like secrets, and tokens of known forms by `***`. */
export function redact(text: string): string {
  return SECRETS.reduce((left, pattern) => left.replaceAll(pattern, `$1${REDACTED}`), text);
}

/** At the end of a name: `x-api-key`, `authToken` and `OARLOCK_AUTH_TOKEN` are secrets too. */
const SECRET_NAME =
  /(?:authorization|password|passwd|pwd|passphrase|secret|token|(?:client|api|access|refresh|id|private|state|session)[-_]?(?:secret|token|key))$/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** The value of a member of an object: replaced as a whole where the name says that it is a secret. */
export const redactMember = (name: string, value: string): string => (isSecretName(name) ? REDACTED : redact(value));
