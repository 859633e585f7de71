import type { ParsedResponse } from './callers.ts'

/** Repeats a request until it is limited, which must happen soon. */
export async function untilLimited(
  once: (i: number) => Promise<ParsedResponse>,
): Promise<{ limited: ParsedResponse; before: number }> {
  for (let i = 0; i < 1_000; i++) {
    const response = await once(i)
    if (response.status === 429) return { limited: response, before: i }
  }
  throw new Error('no limit applied')
}
