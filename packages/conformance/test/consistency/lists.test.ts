import { expect, test } from 'vitest'
import { ServiceForm } from '../../src/form/service-form.ts'
import { txId } from '../story/values.ts'
import {
  call,
  charge,
  charges,
  create,
  createCharge,
  expectFindingsWith,
  findings,
  type Json,
  type Manner,
  pass,
  readStory,
  type Step,
  signIn,
} from '../story.ts'
import { CONSISTENT, LATER, listForPartner, TEN_CHARGES } from './steps.ts'

const firstFour = <Item>(all: readonly Item[]) => all.slice(0, 4)
const firstPage = charges('?limit=4', { shown: firstFour, next: 'two' })
const againPage = charges('?limit=4&cursor=two', { shown: firstFour, next: 'two' })

const ENDS_AFTER_MS = 600_000
/** A charge that ends after ten minutes, and a list that shows it. */
const ENDING_CHARGES: readonly Step[] = [
  createCharge({ calendar: { expiration: ENDS_AFTER_MS / 1000 } }),
  charges('?limit=10'),
]

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds nothing in a list that shows an expired charge no more',
    story: [
      TEN_CHARGES,
      charges('?limit=10'),
      pass(90_000_000),
      signIn('partner'),
      charges('?limit=20', { shown: () => [] }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a list that shows a charge no more which may just have expired',
    story: [
      ...ENDING_CHARGES,
      pass(ENDS_AFTER_MS - 500),
      signIn('partner'),
      charges('?limit=20', { shown: () => [] }),
    ],
    finds: [],
  },
  {
    title: 'it finds a charge that a list shows no more long before its end',
    story: [
      ...ENDING_CHARGES,
      pass(ENDS_AFTER_MS - 60_000),
      signIn('partner'),
      charges('?limit=20', { shown: () => [] }),
    ],
    finds: ['lists-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a list to which a charge was added during the walk',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=5', { shown: (all) => all.slice(0, 5), next: 'two' }),
      charge,
      charges('?limit=5&cursor=two', { shown: (all) => all.slice(7) }),
    ],
    finds: [],
  },
  {
    title: 'it finds a record that is lost between two pages',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=4', { shown: (all) => all.slice(0, 4), next: 'two' }),
      charges('?limit=4&cursor=two', { shown: (all) => all.slice(5, 9), next: 'three' }),
      charges('?limit=4&cursor=three', { shown: (all) => all.slice(9) }),
    ],
    finds: ['lists-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds a cursor that leads to the same page again, where the list has other records',
    story: [TEN_CHARGES, LATER, charges('?limit=10'), firstPage, againPage],
    finds: ['lists-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a page that comes again where no other record is known',
    story: [TEN_CHARGES, LATER, firstPage, againPage],
    finds: [],
  },
  {
    title: 'it finds nothing in a page that comes again after as many charges were added',
    story: [TEN_CHARGES, LATER, charges('?limit=10'), firstPage, charge, againPage],
    finds: [],
  },
  {
    title: 'it finds nothing in a page of some states that comes again',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=4&status=ATIVA', { shown: firstFour, next: 'two' }),
      charges('?limit=4&status=ATIVA&cursor=two', { shown: firstFour, next: 'two' }),
    ],
    finds: [],
  },
])

/** A list with the cursor at a place of the service. */
function ownPage(query: string, shown: (all: Json[]) => Json[], next: unknown): Step {
  return (story) => {
    const data = shown(story.records.map(({ fields }) => fields).reverse())
    call(`GET /pix/qrcode/dynamic/immediate${query}`, undefined, { data, page: { next } })(story)
  }
}

test.each([
  {
    title: 'finds no shorter list where the given place never shows a cursor',
    place: '/next',
    finds: [],
  },
  {
    title: 'finds a record that is lost between two pages of a given place',
    place: '/page/next',
    finds: ['lists-consistent@listImmediateQrCodes'],
  },
])('it $title', ({ place, finds }) => {
  const form = new ServiceForm({ list: { '/next': place } })
  const story = [
    TEN_CHARGES,
    LATER,
    ownPage('?limit=10', (all) => all, null),
    ownPage('?limit=4', (all) => all.slice(0, 4), 'two'),
    ownPage('?limit=10', (all) => all, null),
    ownPage('?limit=4', (all) => all.slice(0, 4), 'two'),
    ownPage('?limit=4&cursor=two', (all) => all.slice(5), null),
  ]
  expect(findings(story, { ...CONSISTENT, form })).toEqual(finds)
})

const dueDateCode = create('dueDateQrCode')

/** A due-date code, and the list of immediate ones, which shows it with other fields. */
function shownAsImmediate(fields: Json, manner: Manner = {}): Step[] {
  return [
    create('dueDateQrCode', {}, manner),
    (story) => {
      const data = story.records.map((record) => ({ ...record.fields, ...fields }))
      call('GET /pix/qrcode/dynamic/immediate', undefined, { data, next_cursor: null })(story)
    },
  ]
}

test('it warns of a list that shows the codes of another kind', () => {
  const { findings } = readStory([charge, dueDateCode, listForPartner], CONSISTENT)
  expect(findings).toMatchObject([
    {
      rule: 'lists-consistent',
      operation: 'listImmediateQrCodes',
      kind: 'deviation',
      severity: 'warning',
      message: 'listImmediateQrCodes shows a dueDateQrCode that createDueDateQrCode has created.',
    },
  ])
})

test('it does not say that no accepted request has created a code on the list of another kind', () => {
  const again = create(
    'dueDateQrCode',
    { tx_id: txId('dueDateQrCode', 1) },
    { refused: 'tx_id_taken' },
  )
  const rulesFound = findings([dueDateCode, again, listForPartner])
  expect(rulesFound.filter((found) => found.startsWith('records-refused'))).toEqual([])
})

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds nothing in a list of the codes of its own kind',
    story: [dueDateCode, charge, charges()],
    finds: [],
  },
  {
    title: 'it finds nothing in codes of two kinds that have one number as their id',
    story: shownAsImmediate({ emv: 'another code', tx_id: 'T1' }),
    finds: [],
  },
  {
    title: 'it finds nothing in codes of two kinds with one number, if lists show no payment code',
    story: shownAsImmediate({ emv: undefined }),
    finds: [],
  },
  {
    title: 'it finds nothing in codes with one tx_id, which each kind may have once',
    story: shownAsImmediate({ emv: 'another code', id: 'qr_2' }),
    finds: [],
  },
  {
    title: 'it finds nothing in a code of which nobody knows who has created it',
    story: shownAsImmediate({}, { lost: true, acts: true }),
    finds: [],
  },
])
