import { type Call, withQuery } from './call.ts'
import { bodyOf, type Json } from './responses.ts'
import type { Next } from './wrap.ts'

/** Reads the records of all pages of a list of the sandbox. */
export async function readEveryRecord(call: Call, next: Next): Promise<readonly Json[]> {
  const records: Json[] = []
  let cursor: string | null = null
  do {
    const body = await bodyOf(await next(withQuery(call, { limit: '100', cursor })))
    if (Array.isArray(body?.data)) records.push(...body.data)
    cursor = typeof body?.next_cursor === 'string' ? body.next_cursor : null
  } while (cursor !== null)
  return records
}
