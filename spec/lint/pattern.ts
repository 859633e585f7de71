/** Why a pattern cannot be compiled, in the words of the engine. */
export function patternError(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    const [, reason = ''] = (error as Error).message.match(/: ([^:]+)$/) ?? []
    return reason.toLowerCase()
  }
}
