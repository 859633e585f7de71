/** A JSON number (RFC 8259, section 6). */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * Converts a parameter string to a type that its schema allows. A string that is not a value of these types stays a
 * string, so that validation reports it: `""`, `" 1"` and `"01"` are not numbers.
 */
export function coerce(text: string, types: readonly string[] | undefined): unknown {
  if (!types || types.includes('string')) return text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('null') && text === '') return null
  const isNumeric = types.includes('number') || types.includes('integer')
  return isNumeric && NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
}
