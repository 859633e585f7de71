import { expect, test } from 'vitest'
import { call, codeOf, create, example, findings, type Row, read, readStory } from './story.ts'

const users = (edit: object, manner: Parameters<typeof call>[3] = {}) =>
  call('GET /partner/user', undefined, { ...example('partnerUsers'), ...edit }, manner)
const check = (edit: object) =>
  call(
    'POST /pix/brcode/emv/',
    { emv: codeOf(1) },
    {
      ...example('immediateCode'),
      tx_id: `T${'1'.padStart(29, '0')}`,
      url: 'pix.example.com/qr/v2/1',
      ...edit,
    },
  )
const user = (edit: object) =>
  call(`GET /partner/user/${example('userWithCustomers').user_id}`, undefined, {
    ...example('userWithCustomers'),
    ...edit,
  })
const look = (dict_key: string) =>
  call('POST /pix/dict/check/', { dict_key: 'beltrana@example.com' }, { ...example('emailKey'), dict_key })

const pay = (edit: object) => {
  const { data, ...shown } = example('keySettled')
  const sent: Record<string, unknown> = { ...example('payKey'), initiation_id: 'ini_1' }
  const look = call(
    'POST /pix/dict/check/',
    { dict_key: sent.dict_key },
    { ...example('emailKey'), initiation_id: 'ini_1' },
  )
  const all = { ...shown, data: { ...(data as object), ...edit } }
  return [look, call('POST /pix/out/', sent, all, { status: 201 })]
}
const rows: readonly Row[] = [
  [
    'a deletion with a body',
    [
      create('webhook'),
      call('DELETE /partner/webhook/00000000-0000-4000-8000-000000000001', undefined, {}, { status: 204 }),
    ],
    ['http-empty@deleteWebhook'],
  ],
  [
    'an invalid request that is accepted',
    [create('webhook', { type: 'none' }, { shows: {} })],
    ['refusals-invalid@createWebhook'],
  ],
  [
    'nothing of an invalid request that is refused',
    [create('webhook', { type: 'none' }, { refused: [400] })],
  ],
  [
    'a code that is not declared',
    [create('webhook', {}, { refused: [422, 'no'] })],
    ['refusals-declared@createWebhook', 'responses-shape@createWebhook'],
  ],
  ['nothing of a response that matches the contract', [users({})]],
  ['a status that is not declared', [users({}, { status: 202 })], ['responses-status@listUsers']],
  ['a field of another type', [users({ user_id: 7 })], ['responses-shape@listUsers']],
  ['a field that is not declared', [users({ color: 'red' })], ['responses-known@listUsers']],
  ['a server error', [users(example('internalError'), { refused: [500] })], ['responses-errors@listUsers']],
  [
    'a secret where it is not issued',
    [create('webhook'), read({ url: `https://a.example/whsec_${'a'.repeat(43)}=` })],
    ['records-shown@getWebhook', 'secrets-hidden@getWebhook'],
  ],
  ['nothing of a check that shows its charge', [create('immediateQrCode'), check({})]],
  [
    'a check that shows another amount',
    [create('immediateQrCode'), check({ original_amount: '1.00', final_amount: '1.00' })],
    ['codes-copied@checkCode', 'money-due@checkCode'],
  ],
  [
    'a check that shows another state than the record has',
    [create('immediateQrCode'), check({ status: 'CONCLUIDA' })],
    ['codes-copied@checkCode'],
  ],
  [
    'a final amount that is another sum',
    [create('immediateQrCode'), check({ interest: '1.00' })],
    ['money-due@checkCode', 'money-sums@checkCode'],
  ],
  [
    'a look-up that names another kind of key',
    [
      call(
        'POST /pix/dict/check/',
        { dict_key: 'beltrana@example.com' },
        { ...example('emailKey'), dict_key_type: 'CPF' },
      ),
    ],
    ['money-keys@checkKey'],
  ],
  [
    'a transfer with another id in data',
    pay({ id: '10c8831e-5542-4eec-9938-78a167deb0bc' }),
    ['money-transfers@createTransfer'],
  ],
  ['a settled transfer that is not settled yet', pay({ settled_at: '' }), ['money-transfers@createTransfer']],
  ['nothing of a look-up that repeats its key', [look('beltrana@example.com')]],
  ['a look-up of another key', [look('fulano@example.com')], ['keys-repeated@checkKey']],
  ['nothing of a user that shows its id', [user({})]],
  [
    'a user that shows another user_id',
    [user({ user_id: example('partnerUsers').user_id })],
    ['users-repeated@getUser'],
  ],
]

for (const [title, steps, expected = []] of rows)
  test(`it finds ${title}`, () => {
    expect(findings(...steps)).toEqual(expected)
  })

test('it cites the node of the contract if no open question marks it', () => {
  const { findings } = readStory([users({ user_id: 7 })])
  expect(findings).toMatchObject([{ kind: 'failure', cites: { pointer: '/components/schemas/Id/type' } }])
})
