import { expect, test } from 'vitest'
import { createBodyReader } from '../src/contract/bodies.ts'
import type { RecordedExchange } from '../src/history.ts'
import { findUnknownParts } from '../src/model/unknown.ts'

/** An exchange whose response has a list of which so many values were redacted. */
function redacted(count: number): RecordedExchange {
  const body = Array.from({ length: count }, (_, i) => `/data/${i}/access_token`)
  return {
    type: 'exchange',
    sentAt: 0,
    completeAt: 1,
    request: { method: 'GET', path: '/users', headers: {} },
    response: { status: 200, headers: {}, text: '{}', unrecorded: { body } },
  }
}

test.each([
  { count: 5_000, known: 5_000 },
  { count: 5_001, known: 1 },
])('of $count redacted values, the body is unknown in $known places', ({ count, known }) => {
  expect(
    findUnknownParts(redacted(count), undefined, createBodyReader({})).responseBody,
  ).toHaveLength(known)
})
