/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Converts a value. */
export type Edit = (value: unknown) => unknown

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Changes the value at a JSON pointer; `*` matches every item of an array. The last field of the pointer may be new. If
 * the path to it does not exist, nothing changes.
 */
export function change(pointer: string, edit: Edit): Edit {
  const steps = pointer.split('/').slice(1)
  return (value) => changeAt(value, steps, edit)
}

export function set(pointer: string, value: unknown): Edit {
  return change(pointer, () => value)
}

function changeAt(value: unknown, steps: readonly string[], edit: Edit): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return edit(value)
  if (Array.isArray(value))
    return value.map((item, i) => (step === '*' || step === String(i) ? changeAt(item, rest, edit) : item))
  if (!isJson(value) || (rest.length > 0 && !(step in value))) return value
  return { ...value, [step]: changeAt(value[step], rest, edit) }
}
