// Removes credentials from addresses in a text.

/** User and password, up to the last "@" before the path: a password may hold an "@" itself. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#'"]*@/gi;

/** The query of an address: some servers take tokens there (`?private_token=…`). */
const QUERY = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#'"]*\?)[^\s'"]+/gi;

export const redactCredentials = (text: string): string => text.replaceAll(USER_INFO, "$1").replaceAll(QUERY, "$1…");
