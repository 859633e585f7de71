/** Why a pattern is no regular expression, such as `unterminated group`; undefined if it is one. */
export function patternError(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    // The end of `Invalid regular expression: /(/u: Unterminated group`.
    const [, reason = ''] = (error as Error).message.match(/: ([^:]+)$/) ?? []
    return reason.toLowerCase()
  }
}
