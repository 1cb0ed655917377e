// Redaction: replaces secrets in texts for people, logs and settings of hosts.

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
  const hidden = text.replaceAll(ADDRESS, (_, start: string, query: string) => start + hideParameters(query));
  return SECRETS.reduce((left, pattern) => left.replaceAll(pattern, `$1${REDACTED}`), hidden);
}

/** An address up to its parameters, and these with the fragment. */
const ADDRESS = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'`<>?#]{0,2048})([?#][^\s"'`<>]{1,8192})/gi;

/** Parameters of addresses that hold no secret. Others may, under any name: a signature, a code, the password of a key. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    "application_name channel_binding client_encoding connect_timeout db family gssencmode host keepalives keepalives_count keepalives_idle " +
    "keepalives_interval load_balance_hosts lock_timeout port protocol schema ssl ssl_min_protocol_version sslmode sslnegotiation " +
    "sslrootcert statement_timeout target_session_attrs tcp_user_timeout timezone user version api-version"
  ).split(" "),
);

const isHarmless = (parameter: string): boolean => HARMLESS.has(parameter.replace(/=[^]*$/, "").toLowerCase());

/** Replaces the values of parameters that are not known to be harmless. What ends a sentence stays. */
export const hideParameters = (query: string): string =>
  query.replaceAll(/([?&;#])([^?&;#]+)/g, (all, mark: string, parameter: string) => {
    if (mark !== "#" && isHarmless(parameter)) return all;
    const name = /^[\w.-]{1,64}=/.exec(parameter)?.[0] ?? "";
    let end = parameter.length;
    while (end > 0 && SENTENCE_END.includes(parameter.charAt(end - 1))) end--;
    return `${mark}${name}${REDACTED}${parameter.slice(end)}`;
  });

const SENTENCE_END = ".,:!)]}";

/** The address without its password and without parameters that are not known to be harmless: settings are shown, copied and committed. */
export function withoutSecrets(address: string): string {
  const [start = "", query] = address
    .replace(/^([^:]*:\/\/[^:@/]*):.*@/s, "$1@")
    .replace(/^(https?:\/\/)[^:@/?#]*@/i, (all, scheme: string) => (address.startsWith(all) ? scheme : all))
    .replace(/#.*$/s, "")
    .split(/\?(.*)/s);
  const kept = (query ?? "").split("&").filter(isHarmless);
  return kept.length === 0 ? start : `${start}?${kept.join("&")}`;
}

/** At the end of a name: `x-api-key`, `authToken` and `OARLOCK_AUTH_TOKEN` are secrets too. */
const SECRET_NAME =
  /(?:authorization|password|passwd|pwd|passphrase|secret|token|(?:client|api|access|refresh|id|private|state|session)[-_]?(?:secret|token|key))$/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** The value of a member of an object: replaced as a whole where the name says that it is a secret. */
export const redactMember = (name: string, value: string): string => (isSecretName(name) ? REDACTED : redact(value));
