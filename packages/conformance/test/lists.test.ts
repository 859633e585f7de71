import { expect, test } from 'vitest'
import {
  call,
  cancel,
  codeOf,
  create,
  example,
  findings,
  list,
  pass,
  type Row,
  readStory,
  remove,
  update,
} from './story.ts'

const three = [create('immediateQrCode'), create('immediateQrCode'), create('immediateQrCode')]
const page = (query: string, from: number, to: number, next: unknown) =>
  list('immediateQrCode', query, { shown: (all) => all.slice(from, to), next })
const CURRENT = 'lists-current@listWebhooks'
const payer = { tax_id: '52998224725', name: 'Ana', can_change_document: false }

const rows: readonly Row[] = [
  [
    'nothing of pages that are right',
    [...three, page('?limit=2', 0, 2, 'a'), page('?limit=2&cursor=a', 2, 3, null)],
  ],
  [
    'a page with more records than its limit',
    [...three, list('immediateQrCode', '?limit=2')],
    ['lists-paged@listImmediateQrCodes'],
  ],
  [
    'a short page before the last one',
    [...three, page('?limit=2', 0, 1, 'a')],
    ['lists-paged@listImmediateQrCodes'],
  ],
  [
    'a cursor that is no string',
    [...three, list('immediateQrCode', '', { next: 7 })],
    ['lists-paged@listImmediateQrCodes', 'responses-shape@listImmediateQrCodes'],
  ],
  [
    'a cursor that no page had',
    [...three, page('?cursor=b', 0, 0, null)],
    ['lists-paged@listImmediateQrCodes'],
  ],
  [
    'its own cursor refused',
    [...three, page('?limit=2', 0, 2, 'a'), list('immediateQrCode', '?limit=2&cursor=a', { refused: [400] })],
    ['lists-paged@listImmediateQrCodes'],
  ],
  [
    'a record on two pages',
    [...three, page('?limit=2', 0, 2, 'a'), page('?limit=2&cursor=a', 1, 3, null)],
    ['lists-ordered@listImmediateQrCodes'],
  ],
  [
    'the oldest record first',
    [...three, list('immediateQrCode', '', { shown: (all) => all.toReversed() })],
    ['lists-ordered@listImmediateQrCodes'],
  ],
  [
    'nothing of the order of records that were created at once',
    [
      create('webhook', {}, { ms: 4 }),
      create('webhook', {}, { ms: 4 }),
      pass(9),
      list('webhook', '', { shown: (all) => all.toReversed() }),
    ],
  ],
  [
    'a record that the last page should show',
    [...three, page('?limit=2', 0, 2, 'a'), page('?limit=2&cursor=a', 2, 2, null)],
    ['lists-paged@listImmediateQrCodes', 'lists-whole@listImmediateQrCodes'],
  ],
  [
    'a newer record that the first page leaves out',
    [...three, page('?limit=1', 1, 2, 'a')],
    ['lists-whole@listImmediateQrCodes'],
  ],
  [
    'a filter that is ignored',
    [...three, list('immediateQrCode', '?status=CONCLUIDA')],
    ['lists-filtered@listImmediateQrCodes'],
  ],
  [
    'a record that matches the filter and is left out',
    [
      create('immediateQrCode', { payer }),
      list('immediateQrCode', '?tax_id=52998224725', { shown: () => [] }),
    ],
    ['lists-whole@listImmediateQrCodes'],
  ],
  [
    'nothing of a record beside the list',
    [create('webhook', {}, { ms: 5 }), list('webhook', '', { shown: () => [] })],
  ],
  [
    'nothing of a record whose deletion is unknown',
    [create('webhook'), remove({ lost: true }), list('webhook', '', { shown: () => [] })],
  ],
  [
    'a record that is listed twice',
    [create('webhook'), list('webhook', '', { shown: ([it = {}]) => [it, it] })],
    ['lists-ordered@listWebhooks'],
  ],
]

for (const [title, steps, expected = []] of rows)
  test(`it finds ${title}`, () => {
    expect(findings(...steps)).toEqual(expected)
  })

const LAG = 5_000
const none = list('webhook', '', { shown: () => [] })
const url = 'https://elsewhere.example/pix'
const old = {
  shown: ([it = {}]: Record<string, unknown>[]) => [{ ...it, url: 'https://partner.example.com/pix/events' }],
}
const shownStill = (example: Record<string, unknown>) => list('webhook', '', { shown: () => [example] })
const gone = { ...example('webhook'), id: '00000000-0000-4000-8000-000000000001' }

const charge = (revision: number, status: string) =>
  list('immediateQrCode', '', { shown: ([it = {}]) => [{ ...it, revision, status }] })
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

const payCode = call(
  'POST /pix/out/',
  { type: 'emv', amount: '35.90', emv: codeOf(1) },
  example('immediatePending'),
  {
    status: 201,
    by: 'customer',
  },
)

const lagging: readonly Row[] = [
  ['nothing of a new record that a list does not show yet', [create('webhook'), none]],
  ['a new record that a second look shows', [create('webhook'), none, list('webhook')], [CURRENT]],
  [
    'a new record that a second look does not show in time',
    [create('webhook'), none, pass(LAG), none],
    ['lists-whole@listWebhooks'],
  ],
  [
    'an update that a second look shows',
    [create('webhook'), update({ url }), list('webhook', '', old), list('webhook')],
    [CURRENT],
  ],
  [
    'an update that a second look does not show in time',
    [create('webhook'), update({ url }), list('webhook', '', old), pass(LAG), list('webhook', '', old)],
    ['records-kept@listWebhooks'],
  ],
  [
    'a deletion that a second look shows',
    [create('webhook'), remove(), shownStill(gone), list('webhook')],
    [CURRENT],
  ],
  [
    'a deletion that a second look does not show in time',
    [create('webhook'), remove(), shownStill(gone), pass(LAG), shownStill(gone)],
    ['records-gone@listWebhooks'],
  ],
  [
    'a revision that a list shows lower than the cancellation, and still in time',
    [create('immediateQrCode'), cancel(), charge(0, REMOVED), pass(LAG), charge(0, REMOVED)],
    ['records-dated@listImmediateQrCodes', 'records-kept@listImmediateQrCodes'],
  ],
  [
    'nothing of a charge that a list shows as paid',
    [
      create('immediateQrCode'),
      payCode,
      charge(0, 'ATIVA'),
      charge(1, 'CONCLUIDA'),
      pass(LAG),
      charge(1, 'CONCLUIDA'),
    ],
  ],
  [
    'nothing of a list that changes because of a write',
    [create('webhook'), none, create('webhook'), list('webhook')],
  ],
]

for (const [title, steps, expected = []] of lagging)
  test(`it finds ${title}`, () => {
    const { findings } = readStory(steps, { lagMs: LAG })
    expect(findings.map(({ rule, operation }) => `${rule}@${operation}`)).toEqual(expected)
  })

test('it reports a list that lags as a deviation of its own question', () => {
  const { findings } = readStory([create('webhook'), none, list('webhook')], { lagMs: LAG })
  expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'list-lag' } }])
})

test('it misses no record of an incomplete history', () => {
  const steps = [create('webhook'), list('webhook', '', { shown: () => [] })]
  expect(readStory(steps, { isComplete: false }).findings).toEqual([])
})
