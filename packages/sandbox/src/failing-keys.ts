const NEVER_FOUND_KEY = 'not-found@example.com'
export const RATE_LIMITED_KEY = 'rate-limited@example.com'

/**
 * Keys of a valid form whose look-up always fails, with its response. Nobody can add them to the
 * directory.
 */
export const FAILING_KEYS = [
  { dict_key: NEVER_FOUND_KEY, status: 404, code: 'not_found' },
  { dict_key: RATE_LIMITED_KEY, status: 429, code: 'rate_limited' },
] as const

export function isFailingKey(dict_key: string): boolean {
  return FAILING_KEYS.some((key) => key.dict_key === dict_key)
}
