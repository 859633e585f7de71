import { expect, test } from 'vitest'
import { answers, type Fault, problem, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('malformed-json-refused', { operations: ['checkKey', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds what is no JSON and is answered otherwise than with 400', async () => {
  const fault = answers('checkKey', (reply) => (reply.status === 400 ? problem(422) : reply))
  expect(await run(fault)).toEqual(found('deviation malformed-json-refused checkKey'))
})

test.each(['{', '{"a":}', 'nonsense', '\u0000'])('finds that %j is accepted', async (wrong) => {
  expect(await run(takes((body) => body === wrong))).toEqual(
    found('deviation malformed-json-refused checkKey'),
  )
})

test.each([
  { what: 'without its last brace', form: /^\{"dict_key":"[^"]+"$/ },
  { what: 'with a comma before its last brace', form: /,\}$/ },
  { what: 'with a brace too many', form: /\}\}$/ },
  { what: 'with text behind it', form: / x$/ },
  { what: 'with a comment', form: /^\/\*/ },
  { what: 'with single quotes', form: /^\{'/ },
])('finds an accepted body $what that is accepted too', async ({ form }) => {
  expect(await run(takes((body) => form.test(body)))).toEqual(
    found('deviation malformed-json-refused checkKey'),
  )
})

/** A service that reads some of what is no JSON as a right request. */
function takes(isMeant: (body: string) => boolean): Fault {
  return reads('checkKey', (call) => ({
    ...call,
    body: isMeant(call.body ?? '') ? '{"dict_key":"beltrana@example.com"}' : call.body,
  }))
}
