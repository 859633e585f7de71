/** Why a response cannot be judged in happy-dom, and what to do. */
export const BROKEN_CLONE =
  'happy-dom loses the body of a response that is cloned (capricorn86/happy-dom issue 2353), so the responses were left to the app and are not judged; run this test in the environment node or jsdom'

/**
 * Whether a response can be copied. In happy-dom, the copy and the response itself are empty if a
 * stream of Node feeds the body.
 */
export function isClonable({ body }: Response): boolean {
  if (body === null) return true
  const fields = Object.getOwnPropertySymbols(body).map((symbol) => Reflect.get(body, symbol))
  return !fields.some(isNodeStream)
}

function isNodeStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'pipe' in value && 'readableEnded' in value
}
