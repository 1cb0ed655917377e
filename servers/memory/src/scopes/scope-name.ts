// Names of scopes. A scope is a memory of its own beside the default one.

/** The memory that a server without --scope uses. */
export const DEFAULT_SCOPE = "default";
/** A memory for each user whom an authorization server names. */
export const PRINCIPAL_SCOPE = "principal";
/** A memory for each folder that clients work in. */
export const PROJECT_SCOPE = "project";

/** Whether requests choose the scope. */
export const isDynamic = (scope: string | undefined): boolean => scope === PRINCIPAL_SCOPE || scope === PROJECT_SCOPE;

/** Lower case, as file systems may not tell upper case apart, and without what separates paths. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;

export const NAME_RULE = "1 to 48 of a-z, 0-9 and -, beginning and ending with a letter or digit";

export const isScopeName = (name: string): boolean => NAME.test(name);
