import { expect, test } from 'vitest'
import {
  call,
  charge,
  check,
  createCharge,
  createWebhook,
  type Manner,
  payCode,
  read,
  readStory,
  type Step,
} from './story.ts'

const long = `https://elsewhere.example/${'a'.repeat(200)}`
/** A read of a webhook that does not exist. */
const readUnknown = (manner: Manner) => [
  call('GET /partner/webhook/x', undefined, undefined, manner),
]

interface Row {
  /** A part of the messages of the story. */
  readonly message: string
  readonly story: readonly Step[]
}

const MESSAGES: readonly Row[] = [
  {
    message:
      'checkCode refused a code before its end (422 code_expired), which means: The charge behind the payment code can no longer be paid. By the history, this is not so.',
    story: [charge, check({}, { refused: 'code_expired' })],
  },
  {
    message:
      'createTransfer refused the amount that the code fixes (422 amount_not_allowed), which means: The amount is zero',
    story: [charge, payCode({}, { refused: 'amount_not_allowed' })],
  },
  {
    message:
      'createImmediateQrCode shows amount/original of an immediateQrCode as "7.00"; expected "10.00"',
    story: [
      createCharge({ amount: { original: '10.00' } }, { shows: { amount: { original: '7.00' } } }),
    ],
  },
  {
    message:
      'getWebhook shows url of a webhook as "…aaaaaaaaaaaaaaaaa?a=2"; expected "…aaaaaaaaaaaaaaaaa?a=1"',
    story: [createWebhook({ url: `${long}?a=1` }), read({ url: `${long}?a=2` })],
  },
  {
    message:
      'getWebhook shows url of a webhook as "…aaaaaaaaaaaaaaaa?a=1"; expected "…aaaaaaaaaaaaaaaa?a=10"',
    story: [createWebhook({ url: `${long}?a=10` }), read({ url: `${long}?a=1` })],
  },
  {
    message: 'Expected 404 as /status, as that of the response, got 400.',
    story: readUnknown({ refused: { code: 'not_found', status: 400 }, status: 404 }),
  },
  {
    message: 'Expected the content-type application/problem+json with 404, got application/json.',
    story: readUnknown({ refused: 'not_found', responds: { 'content-type': 'application/json' } }),
  },
]

for (const { message, story } of MESSAGES) {
  test(`it says: ${message}`, () => {
    const { findings } = readStory(story)
    const messages = findings.map((finding) => finding.message)
    expect(messages.join(' ')).toContain(message)
  })
}
