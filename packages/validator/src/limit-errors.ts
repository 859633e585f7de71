/** Maximum number of errors in an array before ajv stops. */
const MAX_ERRORS = 1000

/** Copies the errors so far, each time that a function of ajv returns more. */
const COPIED_ERRORS = /vErrors\.concat\(([\w.]+)\)/g

/** The loop over the items of an array. */
const LOOP_OVER_ITEMS = /for\(let (i\d+)=(\d+); \1<(len\d+); \1\+\+\)/g

/**
 * Changes the code that ajv 8.20 generates, so that a long array of invalid records does not take
 * minutes: appends errors instead of copying them, and stops after a maximum.
 *
 * The code of another version may look different. It would be right all the same, and slow again:
 * `test/limit-errors.test.ts` then fails.
 */
export function limitErrors(code: string): string {
  return code
    .replace(COPIED_ERRORS, '($1.forEach((it) => vErrors.push(it)), vErrors)')
    .replace(LOOP_OVER_ITEMS, `for(let $1=$2, $1e=errors; $1<$3 && errors-$1e<${MAX_ERRORS}; $1++)`)
}
