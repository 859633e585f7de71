import { expect, test } from 'vitest'
import { create, findings, list, pass, type Row, readStory, remove } from './story.ts'

const three = [create('immediateQrCode'), create('immediateQrCode'), create('immediateQrCode')]
const page = (query: string, from: number, to: number, next: unknown) =>
  list('immediateQrCode', query, { shown: (all) => all.slice(from, to), next })
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

test('it gives a list time to show a new record', () => {
  const empty = list('webhook', '', { shown: () => [] })
  const early = readStory([create('webhook'), empty], { lagMs: 5_000 })
  const late = readStory([create('webhook'), pass(6_000), empty], { lagMs: 5_000 })
  expect([early, late].map(({ findings }) => findings.length)).toEqual([0, 1])
})

test('it misses no record of an incomplete history', () => {
  const steps = [create('webhook'), list('webhook', '', { shown: () => [] })]
  expect(readStory(steps, { isComplete: false }).findings).toEqual([])
})
