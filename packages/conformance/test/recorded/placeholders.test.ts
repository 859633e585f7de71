import { describe, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { NOTHING_UNKNOWN } from '../../src/report/result.ts'
import { testRows } from './rows.ts'
import {
  BASE,
  changed,
  type HarEntry,
  har,
  lookUp,
  pay,
  payAgain,
  redacted,
  session,
  signIn,
  webhookCycle,
  withContent,
  withHeader,
} from './session.ts'

/** What tools write in place of a value that they hide. */
const PLACEHOLDERS = [
  '[REDACTED]',
  '***',
  '<redacted>',
  'REDACTED',
  '[Filtered]',
  '{{ hidden }}',
  '***MASKED***',
  '[REDACTED: personal data]',
  '__REMOVED__',
  'XXXXXXXX',
  '••••••',
  'REMOVIDO',
  '[oculto]',
  '{{initiation_id}}',
  '«redacted»',
  '---',
  'ini_7Qm2[truncated]',
]

/** What stands in place of a secret alone. */
const SHORTENED_SECRETS = ['ini_***', 'ini_7Qm2…', 'hidden', 'token']

/** What stands in place of a payment code. */
const CODE_PLACEHOLDERS = ['masked', '00020101…']

/** Fields that hold no secret, but that tools may hide. */
const OTHER_FIELDS = [
  'dict_key',
  'description',
  'tax_id',
  'owner_name',
  'url',
  'type',
  'status',
  'amount',
]

describe('a placeholder', () => {
  const twoPayments = (field: string, value: string) =>
    [signIn(), lookUp(2), pay(3), lookUp(5), pay(6)].map((entry) => redacted(entry, field, value))

  /** The payment of a code in place of a key. */
  const changedEmv = (entry: HarEntry, emv: string) =>
    changed(entry, ({ request }) => {
      const body = JSON.stringify({ type: 'emv', emv, amount: '1.25', description: 'Almoço ☕' })
      request.postData = { ...request.postData, text: body }
    })

  /** A look-up whose response shows the `initiation_id` as a `secret` too. */
  const withSecret = (entry: HarEntry) =>
    withContent(entry, (text) => ({
      text: text.replace(/"initiation_id":("[^"]*")/, '$&,"secret":$1'),
    }))

  testRows([
    ...PLACEHOLDERS.map((value) => ({
      title: `${value} in place of initiation_id is unknown, and equal to nothing`,
      entries: twoPayments('initiation_id', value),
      unknown: { values: 4 },
    })),
    ...CODE_PLACEHOLDERS.map((value) => ({
      title: `${value} in place of a payment code is unknown`,
      entries: [signIn(), lookUp(2), changedEmv(pay(3), value), changedEmv(pay(6), value)],
      unknown: { values: 2 },
    })),
    ...SHORTENED_SECRETS.map((value) => ({
      title: `${value} in place of a secret is unknown`,
      entries: twoPayments('initiation_id', value),
      unknown: { values: 4 },
    })),
    {
      title: 'is known by its repetition in fields that hold different secrets',
      entries: session().map((entry) =>
        redacted(redacted(entry, 'initiation_id', 'safe'), 'refresh_token', 'safe'),
      ),
      unknown: { values: 3 },
    },
    {
      title: 'is no initiation_id that the service shows in a field of another secret too',
      entries: [signIn(), withSecret(lookUp()), pay(), payAgain()],
      finds: ['once-used@createTransfer', 'responses-known@checkKey'],
    },
    ...OTHER_FIELDS.map((field) => ({
      title: `in place of ${field} is unknown`,
      entries: session().map((entry) => redacted(entry, field, '[REDACTED]')),
      // A matcher of Vitest has no type of its own.
      unknown: { values: expect.any(Number) as unknown as number },
    })),
    {
      title: 'hides no other field',
      entries: [
        signIn(),
        redacted(lookUp(), 'dict_key', '[REDACTED]'),
        withContent(redacted(pay(), 'dict_key', '[REDACTED]'), (text) => ({
          text: text.replace('Almoço', 'Jantar'),
        })),
      ],
      finds: ['records-shown@createTransfer'],
      unknown: { values: 3 },
    },
    {
      title: 'may stand in headers',
      entries: session().map((entry) =>
        changed(withHeader(entry, 'x-request-id', '[REDACTED]'), ({ request }) => {
          for (const header of request.headers)
            if (header.name === 'authorization') header.value = 'Bearer [REDACTED]'
        }),
      ),
      unknown: { headers: 16 },
    },
    {
      title: 'may stand in the path',
      entries: [
        signIn(),
        ...webhookCycle().map((entry) =>
          changed(entry, ({ request }) => {
            request.url = request.url.replace(/webhook\/.+/, 'webhook/%5BREDACTED%5D')
          }),
        ),
      ],
      unknown: { values: 1 },
    },
    {
      title: 'may stand for a whole body',
      entries: [
        signIn(),
        changed(lookUp(), ({ request, response }) => {
          if (request.postData) request.postData.text = '[REDACTED]'
          if (response) response.content.text = '[REDACTED]'
        }),
      ],
      unknown: { requestBodies: 1, responseBodies: 1 },
    },
    {
      title: 'may stand for a whole body whose size fits, such as one that the service sends',
      entries: [
        signIn(),
        changed(lookUp(), ({ response }) => {
          if (response) response.content = { ...response.content, text: '"***"', size: 5 }
        }),
      ],
      unknown: { responseBodies: 1 },
    },
    {
      title: 'may make JSON invalid',
      entries: [
        signIn(),
        changed(lookUp(), ({ request }) => {
          if (request.postData) request.postData.text = '{"dict_key": [REDACTED]}'
        }),
      ],
      unknown: { requestBodies: 1 },
    },
  ])

  it('is no line of hyphens in a text', () => {
    const text = 'Error\n-----\nno connection'
    const entries = [
      signIn(),
      changed(lookUp(), ({ response }) => {
        if (response) response.content = { ...response.content, text, size: text.length }
      }),
    ].map((entry, index) => (index === 1 ? withHeader(entry, 'content-type', 'text/plain') : entry))
    const { unknown, findings } = checkHar(har(entries), { baseUrl: BASE })
    expect(unknown).toEqual(NOTHING_UNKNOWN)
    expect(findings.map(({ rule }) => rule)).toContain('responses-media-type')
  })

  it('is no masked document, and no description of two characters', () => {
    const entries = [signIn(), lookUp(), redacted(pay(), 'description', '**')]
    const { unknown } = checkHar(har(entries), { baseUrl: BASE })
    expect(unknown).toEqual(NOTHING_UNKNOWN)
  })
})
