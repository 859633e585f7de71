/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Makes one value of another. */
export type Edit = (value: unknown) => unknown

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Changes what a JSON pointer leads to; `*` is every item of an array. The last member of the pointer may be a new one;
 * where the way to it is not there, nothing changes.
 */
export function change(pointer: string, edit: Edit): Edit {
  const steps = pointer.split('/').slice(1)
  return (value) => changeAt(value, steps, edit)
}

export function set(pointer: string, value: unknown): Edit {
  return change(pointer, () => value)
}

export function drop(pointer: string): Edit {
  // JSON.stringify leaves out what is undefined.
  return set(pointer, undefined)
}

/** What a JSON pointer leads to; undefined where that is nothing. */
export function at(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((node, step) => (node as Json | undefined)?.[step], value)
}

function changeAt(value: unknown, steps: readonly string[], edit: Edit): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return edit(value)
  if (Array.isArray(value))
    return value.map((item, i) => (step === '*' || step === String(i) ? changeAt(item, rest, edit) : item))
  if (!isJson(value) || (rest.length > 0 && !(step in value))) return value
  return { ...value, [step]: changeAt(value[step], rest, edit) }
}
