/** Creates a reader of integers from 0, for the `read` of an option. */
export function readInteger(max: number): (text: string) => number {
  return (text) => {
    const isInteger = /^\d{1,10}$/.test(text)
    if (isInteger && Number(text) <= max) return Number(text)
    throw new Error(`It must be an integer from 0 to ${max}.`)
  }
}

/** Reads a port, for the `read` of an option. 0 stands for any free one. */
export const readPort = readInteger(65_535)

/** Keeps the values of all repetitions of an option, for its `read`. */
export function readEach(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text]
}

/**
 * Reads items between commas, for the `read` of an option; those of all repetitions together. An
 * empty list is refused: it may come from a variable that is not set.
 */
export function readList(text: string, earlier: readonly string[] = []): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  const items = parts.filter((part) => part !== '')
  if (items.length === 0) throw new Error('It needs at least one item.')
  return [...earlier, ...items]
}
