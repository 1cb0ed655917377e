// Resources and prompts that pass each request on to those of its scope.
import { resourceNotFound, type Completer, type Context, type ServerFeatures } from "@oarlock/server-kit";
import type { ScopeChoice } from "./choose-scope.ts";
import type { ScopeFeatures, ScopePool } from "./scope-pool.ts";

type Resource = ScopeFeatures["resources"][number];
type Prompt = ScopeFeatures["prompts"][number];
type Completers = Resource["complete"];

/** Finds the definition at a position, which is the same in each scope. */
const at = <T>(list: readonly T[], position: number): T => {
  const found = list[position];
  if (found === undefined) throw new RangeError(`No definition ${position}.`);
  return found;
};

export const scopedResources = (all: readonly Resource[], pool: ScopePool, choice: ScopeChoice): NonNullable<ServerFeatures["resources"]> =>
  all.map((resource, position) => {
    const inScope = <T>(scope: string, { auth }: Context, action: (own: Resource) => T | PromiseLike<T>): Promise<T> =>
      pool.use(scope, auth?.principal, ({ resources }) => action(at(resources, position)));
    return {
      ...resource,
      complete: scopedCompleters(resource.complete, choice, (scope, name, typed, ctx, known) =>
        inScope(scope, ctx, (own) => own.complete[name]?.(typed, ctx, known) ?? []),
      ),
      ...(resource.list !== undefined && {
        list: async (ctx: Context) => {
          const scope = choice.known(ctx);
          return scope === undefined ? [] : await inScope(scope, ctx, (own) => own.list?.(ctx) ?? []);
        },
      }),
      read: async (variables, ctx, uri) => await inScope(await choice.of(ctx), ctx, (own) => own.read(variables, ctx, uri)),
      subscribe(_variables, ctx, uri) {
        const scope = choice.known(ctx);
        if (scope === undefined) throw resourceNotFound(uri);
        return scope;
      },
      async watch(variables, changed, uri, scope) {
        const [{ resources }, release] = await pool.hold(String(scope)); // returned by `subscribe`
        try {
          const stop = await at(resources, position).watch(variables, changed, uri, undefined);
          return () => {
            release();
            stop();
          };
        } catch (error) {
          release();
          throw error;
        }
      },
    };
  });

export const scopedPrompts = (all: readonly Prompt[], pool: ScopePool, choice: ScopeChoice): NonNullable<ServerFeatures["prompts"]> =>
  all.map((prompt, position) => ({
    ...prompt,
    complete: scopedCompleters(prompt.complete, choice, (scope, name, typed, ctx, known) =>
      pool.use(scope, ctx.auth?.principal, ({ prompts }) => at(prompts, position).complete[name]?.(typed, ctx, known) ?? []),
    ),
    get: async (args, ctx) =>
      await pool.use(await choice.of(ctx), ctx.auth?.principal, ({ prompts }) => at(prompts, position).get(args, ctx)),
  }));

type CompleteIn = (scope: string, name: string, ...typed: Parameters<Completer>) => ReturnType<Completer>;

function scopedCompleters(completers: Completers, choice: ScopeChoice, complete: CompleteIn): Completers {
  const names = Object.keys(completers);
  return Object.fromEntries(
    names.map((name) => {
      const completer: Completer = (typed, ctx, known) => {
        const scope = choice.known(ctx);
        return scope === undefined ? [] : complete(scope, name, typed, ctx, known);
      };
      return [name, completer];
    }),
  );
}
