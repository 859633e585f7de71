/** The longest payment code. What is longer is an image, which no reader can read. */
const MAX_CHARACTERS = 512
const SHOWN_CHARACTERS = 24

/**
 * A value of JSON in which long strings, such as an image, are cut: the beginning, and the length.
 */
export function withShortStrings(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value)
  if (Array.isArray(value)) return value.map(withShortStrings)
  if (typeof value !== 'object' || value === null) return value

  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, child]) => [name, withShortStrings(child)]))
}

function shorten(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  return `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`
}
