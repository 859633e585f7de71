/** A decoded name with its raw value. */
export type Pair = readonly [name: string, value: string]

/** The pairs of a query or of a form. */
export function pairsOf(query: string): Pair[] {
  const text = query.startsWith('?') ? query.slice(1) : query
  const pairs = text.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return [decode(name), rest.join('=')]
  })
}

/** Percent-decodes; keeps an invalid encoding, as the URL Standard says. */
export function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
