/** Percent-decodes; undefined if the encoding is invalid (RFC 3986, section 2.1). */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
