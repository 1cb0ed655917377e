// Addresses are told without who signs in and the password. The whole of both goes: an "@" may stand in a password too, and what
// comes behind it would be shown as the host. What is asked of the address goes as well: some servers take their tokens there.

/** What stands between the scheme and the last "@" in front of the path. */
const SIGN_IN = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#'"]*@/gi;

/** What an address asks for: `?private_token=…`. */
const QUERY = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#'"]*\?)[^\s'"]+/gi;

/** A text, with the addresses in it. */
export const withoutPasswords = (text: string): string => text.replaceAll(SIGN_IN, "$1").replaceAll(QUERY, "$1…");
