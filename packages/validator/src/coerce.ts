/** A number as JSON writes it (RFC 8259, section 6). */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * The value that a text of a parameter stands for, by the types that its schema admits. Text that is no value of
 * these types stays text, so that the schema finds fault with it: `""`, `" 1"` and `"01"` are no numbers.
 */
export function coerce(text: string, types: readonly string[] | undefined): unknown {
  if (!types || types.includes('string')) return text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('null') && text === '') return null
  const isNumeric = types.includes('number') || types.includes('integer')
  return isNumeric && NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
}
