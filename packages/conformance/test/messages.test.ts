import { expect, test } from 'vitest'
import {
  call,
  charge,
  chargeOf,
  check,
  type Manner,
  payCode,
  read,
  readStory,
  type Step,
  webhookOf,
} from './story.ts'

const long = `https://elsewhere.example/${'a'.repeat(200)}`
/** A read of a webhook that does not exist. */
const unknown = (manner: Manner) => [call('GET /partner/webhook/x', undefined, undefined, manner)]

/** The start of a message, and the story that it is of. */
const MESSAGES: readonly (readonly [message: string, steps: readonly Step[]])[] = [
  [
    'checkCode refused a code before its end (422 code_expired), which means: The charge behind the payment code can no longer be paid. By the history, this is not so.',
    [charge, check({}, { refused: 'code_expired' })],
  ],
  [
    'createTransfer refused the amount that the code fixes (422 amount_not_allowed), which means: The amount is zero',
    [charge, payCode({}, { refused: 'amount_not_allowed' })],
  ],
  [
    'createImmediateQrCode shows amount/original of an immediateQrCode as "7.00"; expected "10.00"',
    [chargeOf({ amount: { original: '10.00' } }, { shows: { amount: { original: '7.00' } } })],
  ],
  [
    'getWebhook shows url of a webhook as "…aaaaaaaaaaaaaaaaa?a=2"; expected "…aaaaaaaaaaaaaaaaa?a=1"',
    [webhookOf({ url: `${long}?a=1` }), read({ url: `${long}?a=2` })],
  ],
  [
    'Expected 404 as /status, as that of the response, got 400.',
    unknown({ refused: { code: 'not_found', status: 400 }, status: 404 }),
  ],
  [
    'Expected the content-type application/problem+json with 404, got application/json.',
    unknown({ refused: 'not_found', responds: { 'content-type': 'application/json' } }),
  ],
]

test.each(MESSAGES)('it says: %s', (message, steps) => {
  const messages = readStory(steps).findings.map((it) => it.message)
  expect(messages.join(' ')).toContain(message)
})
