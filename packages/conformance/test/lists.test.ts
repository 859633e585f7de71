import { expect, test } from 'vitest'
import {
  cancel,
  charge,
  charges,
  createCharge,
  createWebhook,
  example,
  expectFindings,
  expectFindingsWith,
  type Json,
  PAYMENT,
  pass,
  payCode,
  readStory,
  remove,
  update,
  webhook,
  webhooks,
} from './story.ts'

/** A list that shows no webhook. */
const none = webhooks('', { shown: () => [] })
const three = [charge, charge, charge]
/** A page that shows some of the records, and its cursor. */
const page = (query: string, from: number, to: number, next: unknown) =>
  charges(query, { shown: (all) => all.slice(from, to), next })
/** Two of three records, and a cursor. */
const firstPage = [...three, page('?limit=2', 0, 2, 'a')]
const payer = { tax_id: '52998224725', name: 'Ana', can_change_document: false }

expectFindings([
  {
    title: 'it finds nothing wrong with pages that are right',
    story: [...firstPage, page('?limit=2&cursor=a', 2, 3, null)],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with the order of records that were created at once',
    story: [
      createWebhook({}, { ms: 4 }),
      createWebhook({}, { ms: 4 }),
      pass(9),
      webhooks('', { shown: (all) => all.toReversed() }),
    ],
    finds: [],
  },
  {
    title: 'it calls a whole list in another order that, and says not that it leaves records out',
    story: [
      ...three,
      charges('?limit=2', { shown: (all) => all.toReversed().slice(0, 2), next: 'a' }),
      charges('?limit=2&cursor=a', { shown: (all) => all.toReversed().slice(2), next: null }),
    ],
    finds: ['lists-ordered@listImmediateQrCodes'],
  },
  {
    title: 'it finds a page without a cursor, and says not that it is too short',
    story: [charge, charges('?limit=2', { shows: { next_cursor: undefined } })],
    finds: ['lists-paged@listImmediateQrCodes', 'responses-shape@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing wrong with a record beside the list',
    story: [createWebhook({}, { ms: 5 }), none],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a record whose deletion is unknown',
    story: [webhook, remove({ lost: true }), none],
    finds: [],
  },
  {
    title: 'it finds a page with more records than its limit',
    story: [...three, charges('?limit=2')],
    finds: ['lists-paged@listImmediateQrCodes'],
  },
  {
    title: 'it finds a short page before the last one',
    story: [...three, page('?limit=2', 0, 1, 'a')],
    finds: ['lists-paged@listImmediateQrCodes'],
  },
  {
    title: 'it finds a cursor that no page had',
    story: [...three, page('?cursor=b', 0, 0, null)],
    finds: ['lists-paged@listImmediateQrCodes'],
  },
  {
    title: 'it finds a cursor of another identity',
    story: [...firstPage, charges('?cursor=a', { by: 'customer', shown: () => [] })],
    finds: ['lists-paged@listImmediateQrCodes'],
  },
  {
    title: 'it finds its own cursor refused',
    story: [...firstPage, charges('?limit=2&cursor=a', { refused: 'invalid_request' })],
    finds: ['lists-paged@listImmediateQrCodes'],
  },
  {
    title: 'it blames no cursor for the refusal of a limit that is no number',
    story: [...firstPage, charges('?limit=all&cursor=a', { refused: 'invalid_request' })],
    finds: [],
  },
  {
    title: 'it finds a cursor that is no string',
    story: [...three, charges('', { next: 7 })],
    finds: ['lists-paged@listImmediateQrCodes', 'responses-shape@listImmediateQrCodes'],
  },
  {
    title: 'it finds a record on two pages',
    story: [...firstPage, page('?limit=2&cursor=a', 1, 3, null)],
    finds: ['lists-ordered@listImmediateQrCodes'],
  },
  {
    title: 'it finds the oldest record first',
    story: [...three, charges('', { shown: (all) => all.toReversed() })],
    finds: ['lists-ordered@listImmediateQrCodes'],
  },
  {
    title: 'it finds a record that the last page lacks',
    story: [...firstPage, page('?limit=2&cursor=a', 2, 2, null)],
    finds: ['lists-paged@listImmediateQrCodes', 'lists-whole@listImmediateQrCodes'],
  },
  {
    title: 'it finds a newer record that the first page leaves out',
    story: [...three, page('?limit=2', 1, 3, 'a')],
    finds: ['lists-whole@listImmediateQrCodes'],
  },
  {
    title: 'it finds a record that matches the filter and is left out',
    story: [createCharge({ payer }), charges('?tax_id=52998224725', { shown: () => [] })],
    finds: ['lists-whole@listImmediateQrCodes'],
  },
  {
    title: 'it finds an ignored filter',
    story: [...three, charges('?status=CONCLUIDA')],
    finds: ['lists-filtered@listImmediateQrCodes'],
  },
  {
    title: 'it finds a record that is listed twice',
    story: [webhook, webhooks('', { shown: ([first = {}]) => [first, first] })],
    finds: ['lists-ordered@listWebhooks'],
  },
])

const LAG_MS = 5_000
const LOOKED_AT_AGAIN = { lagMs: LAG_MS }
const url = 'https://elsewhere.example/pix'
/** A list that shows the URL of the first webhook as it was created. */
const old = {
  shown: ([first = {}]: Json[]) => [{ ...first, url: 'https://partner.example.com/pix/events' }],
}
/** A list that shows this webhook, whether it is there or not. */
const shownStill = (record: Json) => webhooks('', { shown: () => [record] })
const gone = { ...example('webhook'), id: '00000000-0000-4000-8000-000000000001' }

/** A list that shows the first charge so. */
const listed = (revision: number, status: string) => {
  const payment = status === 'CONCLUIDA' ? PAYMENT : null
  return charges('', { shown: ([first = {}]) => [{ ...first, revision, status, payment }] })
}
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

expectFindingsWith(LOOKED_AT_AGAIN, [
  {
    title: 'it finds nothing wrong with a charge that a list shows as paid',
    story: [
      charge,
      payCode(),
      listed(0, 'ATIVA'),
      listed(1, 'CONCLUIDA'),
      pass(LAG_MS),
      listed(1, 'CONCLUIDA'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a list that changes because of a write',
    story: [webhook, none, webhook, webhooks()],
    finds: [],
  },
  {
    title: 'it finds a new record that a second look shows',
    story: [webhook, none, webhooks()],
    finds: ['lists-current@listWebhooks'],
  },
  {
    title: 'it finds an update that another look shows',
    story: [webhook, update({ url }), webhooks('', old), webhooks()],
    finds: ['lists-current@listWebhooks'],
  },
  {
    title: 'it finds a deletion that a second look shows',
    story: [webhook, remove(), shownStill(gone), webhooks()],
    finds: ['lists-current@listWebhooks'],
  },
  {
    title: 'it finds a new record that a list does not show, without a second look',
    story: [webhook, none],
    finds: ['lists-whole@listWebhooks'],
  },
  {
    title: 'it finds a new record that a second look does not show in time',
    story: [webhook, none, pass(LAG_MS), none],
    finds: ['lists-whole@listWebhooks'],
  },
  {
    title: 'it finds a paid code whose time of change stays',
    story: [
      charge,
      pass(LAG_MS),
      payCode(),
      listed(1, 'CONCLUIDA'),
      pass(LAG_MS),
      listed(1, 'CONCLUIDA'),
    ],
    finds: ['records-dated@listImmediateQrCodes'],
  },
  {
    title: 'it finds an update that a second look does not show in time',
    story: [webhook, update({ url }), webhooks('', old), pass(LAG_MS), webhooks('', old)],
    finds: ['records-kept@listWebhooks'],
  },
  {
    title: 'it finds a deletion that a second look does not show in time',
    story: [webhook, remove(), shownStill(gone), pass(LAG_MS), shownStill(gone)],
    finds: ['records-gone@listWebhooks'],
  },
  {
    title: 'it finds a revision that a list shows lower than the cancellation, and still in time',
    story: [charge, cancel(), listed(0, REMOVED), pass(LAG_MS), listed(0, REMOVED)],
    finds: ['records-dated@listImmediateQrCodes', 'records-kept@listImmediateQrCodes'],
  },
])

const LAGS = [
  {
    title: 'it reports a list that lags as a deviation of its own question',
    steps: [webhook, none, webhooks()],
  },
  {
    title: 'it reports a list that may lag as a deviation of its own question',
    steps: [webhook, none],
  },
]

for (const { title, steps } of LAGS) {
  test(title, () => {
    const { findings } = readStory(steps, LOOKED_AT_AGAIN)
    expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'list-lag' } }])
  })
}

test('it explains no value that a new record never had by a lag', () => {
  const { findings } = readStory([charge, listed(0, REMOVED)], LOOKED_AT_AGAIN)
  const kept = findings.filter(({ rule }) => rule === 'records-kept')
  expect(kept).toMatchObject([{ cites: { question: 'qr-statuses' } }])
})

const LEFT_OUT = [
  {
    title: 'it calls it a deviation that a list ends before its oldest records',
    kind: 'deviation',
    shown: (records: Json[]) => records.slice(0, 2),
  },
  {
    title: 'it calls it a failure that a list leaves out one between others',
    kind: 'failure',
    shown: ([first = {}, , last = {}]: Json[]) => [first, last],
  },
]

for (const { title, kind, shown } of LEFT_OUT) {
  test(title, () => {
    const steps = [webhook, webhook, webhook, pass(LAG_MS), webhooks('', { shown })]
    const found = readStory(steps).findings.filter(({ rule }) => rule === 'lists-whole')
    expect(found).toMatchObject([{ kind }])
  })
}

test('it misses no record of an incomplete history', () => {
  const steps = [webhook, none]
  expect(readStory(steps, { isComplete: false }).findings).toEqual([])
})

test('it tells a page with more records than its limit from one with fewer', () => {
  const tooLong = charges('?limit=2')
  const tooShort = page('?limit=2', 0, 1, 'a')
  const found = readStory([...three, tooShort, tooLong]).findings.map(({ message }) => message)
  expect(found.filter((message) => message.includes('with limit 2'))).toEqual([
    'listImmediateQrCodes shows 1 records on a page with limit 2 that is not the last one.',
    'listImmediateQrCodes shows 3 records on a page with limit 2.',
  ])
})
