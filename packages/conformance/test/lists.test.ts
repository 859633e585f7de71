import { expect, test } from 'vitest'
import {
  cancel,
  charge,
  chargeOf,
  charges,
  example,
  expectFindings,
  expectFindingsWith,
  pass,
  payCode,
  readStory,
  remove,
  update,
  webhook,
  webhookOf,
  webhooks,
} from './story.ts'

const none = webhooks('', { shown: () => [] })
const three = [charge, charge, charge]
const page = (query: string, from: number, to: number, next: unknown) =>
  charges(query, { shown: (all) => all.slice(from, to), next })
/** Two of three records, and a cursor. */
const firstPage = [...three, page('?limit=2', 0, 2, 'a')]
const payer = { tax_id: '52998224725', name: 'Ana', can_change_document: false }

expectFindings({
  nothing: {
    'pages that are right': [...firstPage, page('?limit=2&cursor=a', 2, 3, null)],
    'the order of records that were created at once': [
      webhookOf({}, { ms: 4 }),
      webhookOf({}, { ms: 4 }),
      pass(9),
      webhooks('', { shown: (all) => all.toReversed() }),
    ],
    'a record beside the list': [webhookOf({}, { ms: 5 }), none],
    'a record whose deletion is unknown': [webhook, remove({ lost: true }), none],
  },
  'lists-paged@listImmediateQrCodes': {
    'a page with more records than its limit': [...three, charges('?limit=2')],
    'a short page before the last one': [...three, page('?limit=2', 0, 1, 'a')],
    'a cursor that no page had': [...three, page('?cursor=b', 0, 0, null)],
    'a cursor of another caller': [
      ...firstPage,
      charges('?cursor=a', { by: 'customer', shown: () => [] }),
    ],
    'its own cursor refused': [
      ...firstPage,
      charges('?limit=2&cursor=a', { refused: 'invalid_request' }),
    ],
  },
  'lists-paged@listImmediateQrCodes responses-shape@listImmediateQrCodes': {
    'a cursor that is no string': [...three, charges('', { next: 7 })],
  },
  'lists-ordered@listImmediateQrCodes': {
    'a record on two pages': [...firstPage, page('?limit=2&cursor=a', 1, 3, null)],
    'the oldest record first': [...three, charges('', { shown: (all) => all.toReversed() })],
  },
  'lists-paged@listImmediateQrCodes lists-whole@listImmediateQrCodes': {
    'a record that the last page lacks': [...firstPage, page('?limit=2&cursor=a', 2, 2, null)],
  },
  'lists-whole@listImmediateQrCodes': {
    'a newer record that the first page leaves out': [...three, page('?limit=1', 1, 2, 'a')],
    'a record that matches the filter and is left out': [
      chargeOf({ payer }),
      charges('?tax_id=52998224725', { shown: () => [] }),
    ],
  },
  'lists-filtered@listImmediateQrCodes': {
    'an ignored filter': [...three, charges('?status=CONCLUIDA')],
  },
  'lists-ordered@listWebhooks': {
    'a record that is listed twice': [webhook, webhooks('', { shown: ([it = {}]) => [it, it] })],
  },
})

const LAG = 5_000
const LOOKED_AT_AGAIN = { lagMs: LAG }
const url = 'https://elsewhere.example/pix'
const old = {
  shown: ([it = {}]: Record<string, unknown>[]) => [
    { ...it, url: 'https://partner.example.com/pix/events' },
  ],
}
const shownStill = (example: Record<string, unknown>) => webhooks('', { shown: () => [example] })
const gone = { ...example('webhook'), id: '00000000-0000-4000-8000-000000000001' }

const listed = (revision: number, status: string) =>
  charges('', { shown: ([it = {}]) => [{ ...it, revision, status }] })
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

expectFindingsWith(LOOKED_AT_AGAIN, {
  nothing: {
    'a charge that a list shows as paid': [
      charge,
      payCode(),
      listed(0, 'ATIVA'),
      listed(1, 'CONCLUIDA'),
      pass(LAG),
      listed(1, 'CONCLUIDA'),
    ],
    'a list that changes because of a write': [webhook, none, webhook, webhooks()],
  },
  'lists-current@listWebhooks': {
    'a new record that a second look shows': [webhook, none, webhooks()],
    'an update that another look shows': [webhook, update({ url }), webhooks('', old), webhooks()],
    'a deletion that a second look shows': [webhook, remove(), shownStill(gone), webhooks()],
  },
  'lists-whole@listWebhooks': {
    'a new record that a list does not show, without a second look': [webhook, none],
    'a new record that a second look does not show in time': [webhook, none, pass(LAG), none],
  },
  'records-dated@listImmediateQrCodes': {
    'a paid code whose time of change stays': [
      ...[charge, pass(LAG), payCode(), listed(1, 'CONCLUIDA'), pass(LAG), listed(1, 'CONCLUIDA')],
    ],
  },
  'records-kept@listWebhooks': {
    'an update that a second look does not show in time': [
      webhook,
      update({ url }),
      webhooks('', old),
      pass(LAG),
      webhooks('', old),
    ],
  },
  'records-gone@listWebhooks': {
    'a deletion that a second look does not show in time': [
      webhook,
      remove(),
      shownStill(gone),
      pass(LAG),
      shownStill(gone),
    ],
  },
  'records-dated@listImmediateQrCodes records-kept@listImmediateQrCodes': {
    'a revision that a list shows lower than the cancellation, and still in time': [
      charge,
      cancel(),
      listed(0, REMOVED),
      pass(LAG),
      listed(0, REMOVED),
    ],
  },
})

test.each([
  ['that lags', [webhook, none, webhooks()]],
  ['that may lag', [webhook, none]],
])('it reports a list %s as a deviation of its own question', (_, steps) => {
  const { findings } = readStory(steps, LOOKED_AT_AGAIN)
  expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'list-lag' } }])
})

test('it explains no value that a new record never had by a lag', () => {
  const { findings } = readStory([charge, listed(0, REMOVED)], LOOKED_AT_AGAIN)
  expect(findings.map(({ rule, cites }) => [rule, cites])).toContainEqual([
    'records-kept',
    { question: 'qr-statuses' },
  ])
})

test.each([
  ['deviation', 'ends before its oldest records', (all: object[]) => all.slice(0, 2)],
  ['failure', 'leaves out one between others', ([first, , last]: object[]) => [first, last]],
])('it calls it a %s that a list %s', (kind, _, shown) => {
  const steps = [webhook, webhook, webhook, pass(LAG), webhooks('', { shown: shown as never })]
  const found = readStory(steps).findings.filter(({ rule }) => rule === 'lists-whole')
  expect(found).toMatchObject([{ kind }])
})

test('it misses no record of an incomplete history', () => {
  const steps = [webhook, none]
  expect(readStory(steps, { isComplete: false }).findings).toEqual([])
})
