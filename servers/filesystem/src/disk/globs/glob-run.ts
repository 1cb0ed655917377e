// The machine behind one component of a glob: a list of steps, and the test whether a name leads through them to the end.

/** `next` is always the following place unless said otherwise. A name matches when the last place is reached at its end. */
export type Step =
  | { readonly op: "char"; readonly char: string }
  | { readonly op: "one"; readonly test: (char: string) => boolean }
  | { readonly op: "star" }
  | { readonly op: "never" }
  | Split
  | { readonly op: "jump"; to: number }
  /** End of a repeated group: once more from `to`, or on. */
  | { readonly op: "again"; readonly to: number }
  /** `!(…)`: anything (a star at `star`), unless the body and all that follows match to the end of the name. */
  | { readonly op: "not"; star: number };

export interface Split {
  readonly op: "split";
  readonly to: number[];
  /** For a repeated group: the place of its end. */
  again?: number;
}

/**
 * From the end of the name to its start: which places, at this character, lead to the end? Each place needs only the answers of
 * later places at this character and of any place at the next one; only a repeated group looks back, and is gone over until
 * nothing changes. `!(…)` is never inside a repeated group, so its answer is final when it is asked for.
 */
export function run(steps: readonly Step[], name: ArrayLike<string>): boolean {
  const end = steps.length;
  let here = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  for (let i = name.length; i >= 0; i--) {
    here.fill(0);
    here[end] = i === name.length ? 1 : 0;
    const char = i < name.length ? name[i] : undefined;
    for (let place = end - 1; place >= 0; place--) {
      here[place] = reaches(steps[place], place, char, here, next) ? 1 : 0;
      const step = steps[place];
      if (step?.op === "split" && step.again !== undefined) settle(steps, place, step.again, char, here, next);
    }
    [here, next] = [next, here];
  }
  return next[0] === 1;
}

function reaches(step: Step | undefined, place: number, char: string | undefined, here: Uint8Array, next: Uint8Array): boolean {
  switch (step?.op) {
    case "char":
      return char === step.char && next[place + 1] === 1;
    case "one":
      return char !== undefined && next[place + 1] === 1 && step.test(char);
    case "star":
      return here[place + 1] === 1 || (char !== undefined && next[place] === 1);
    case "split":
      return step.to.some((to) => here[to] === 1);
    case "jump":
      return here[step.to] === 1;
    case "again":
      return here[place + 1] === 1 || here[step.to] === 1;
    case "not":
      return here[place + 1] !== 1 && here[step.star] === 1;
    default:
      return false;
  }
}

/** A repeated group whose body was just found to lead on: its end leads on too, and so may more of its body. */
function settle(steps: readonly Step[], start: number, last: number, char: string | undefined, here: Uint8Array, next: Uint8Array): void {
  if (here[start] !== 1 || here[last] === 1) return;
  for (let place = last; place >= start; place--) {
    if (here[place] !== 1 && reaches(steps[place], place, char, here, next)) here[place] = 1;
    const step = steps[place];
    if (place > start && step?.op === "split" && step.again !== undefined) settle(steps, place, step.again, char, here, next);
  }
}
