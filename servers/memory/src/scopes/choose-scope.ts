// Which scope a request uses: the one that the operator named, that of the user, or that of the folder in which the client works.
import { ClientRoots, type Context, type InteractiveContext, type Root } from "@oarlock/server-kit";
import { scopeOfPrincipal, scopeOfProject } from "./derived-scope.ts";
import { DEFAULT_SCOPE, PRINCIPAL_SCOPE, PROJECT_SCOPE } from "./scope-name.ts";

export interface ScopeChoice {
  /** The scope of a request that may ask the client. */
  of(ctx: InteractiveContext): Promise<string>;
  /** The scope of a list, a completion or a subscription, as far as it is known. Undefined when it is not. */
  known(ctx: Context): string | undefined;
}

/** `scope`: the value of --scope. */
export function scopeChoice(scope: string = DEFAULT_SCOPE): ScopeChoice {
  if (scope === PROJECT_SCOPE) return projectChoice();
  const scopeOf = ({ auth }: Context): string =>
    scope !== PRINCIPAL_SCOPE ? scope : auth === undefined ? DEFAULT_SCOPE : scopeOfPrincipal(auth.principal);
  return { of: async (ctx) => scopeOf(ctx), known: scopeOf };
}

/** The first root counts. A client without roots uses the default memory, or, where it names a user, the user's. */
function projectChoice(): ScopeChoice {
  const clientRoots = new ClientRoots();
  const scopeOf = (roots: readonly Root[] | undefined, { auth }: Context): string => {
    const [first] = roots ?? [];
    if (first !== undefined) return scopeOfProject(first.uri, auth?.principal);
    return auth === undefined ? DEFAULT_SCOPE : scopeOfPrincipal(auth.principal);
  };
  return {
    of: async (ctx) => scopeOf(await clientRoots.current(ctx), ctx),
    known: (ctx) => {
      const roots = clientRoots.known(ctx.client);
      return roots === undefined && ctx.client.can("roots") ? undefined : scopeOf(roots, ctx);
    },
  };
}
