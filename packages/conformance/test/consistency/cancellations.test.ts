import {
  balances,
  cancel,
  charge,
  charges,
  createCharge,
  example,
  expectFindingsWith,
  type Json,
  PAYMENT,
  payCode,
  type Step,
} from '../story.ts'
import {
  asCreated,
  asPaid,
  CONSISTENT,
  createWithSameId,
  LATER,
  paidFrom,
  SETTLED,
} from './steps.ts'

const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

/** The oldest record alone. */
function asCancelled(newestFirst: Json[]): Json[] {
  return [{ ...newestFirst.at(-1), status: CANCELLED }]
}

function paidWithoutPayment([one]: Json[]): Json[] {
  return [{ ...one, status: 'CONCLUIDA', payment: null }]
}

/** The fields of a record whose status is called `state`. */
const withState = (state: string): Json => ({ status: undefined, state })

/** The creation of the first record again, to which the service responds with the record as it is. */
const repeatedAsCancelled: Step = (story) => {
  const fields = story.records[0]?.fields
  createCharge({ tx_id: fields?.tx_id }, { shows: { ...fields, status: CANCELLED } })(story)
}

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds a code that is paid after its cancellation',
    story: [charge, cancel(), payCode(SETTLED)],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title:
      'it finds a code that is paid after its cancellation by the status in a list, whatever its word',
    story: [
      charge,
      cancel(),
      payCode(),
      charges('', { shown: ([one]) => [{ ...one, status: 'CONCLUIDA' }] }),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in a transfer of a cancelled code that may still be rejected',
    story: [charge, cancel(), payCode()],
    finds: [],
  },
  {
    title: 'it finds nothing in a transfer of a cancelled code that is rejected later',
    story: [
      balances('100.00'),
      charge,
      cancel(),
      payCode(),
      balances('100.00', '100.00', { rejected: [String(example('immediatePending').id)] }),
    ],
    finds: [],
  },
  {
    title: 'it finds a transfer of a cancelled code that has settled by the balances',
    story: [balances('100.00'), charge, cancel(), payCode(), balances('64.10', '135.90')],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing where the balances do not name the account of the transfer',
    story: [
      balances('100.00'),
      charge,
      cancel(),
      paidFrom('00000000-0000-4000-8000-0000000000cc'),
      balances('100.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in the cancellation of a code that was paid before',
    story: [charge, payCode(SETTLED), cancel()],
    finds: [],
  },
  {
    title: 'it finds nothing in the cancellation of a paid code that has no effect',
    story: [
      charge,
      payCode(SETTLED),
      charges('', { shown: asPaid }),
      cancel({ status: 'CONCLUIDA', payment: PAYMENT }),
    ],
    finds: [],
  },
  {
    title: 'it finds a cancelled code that is shown as it was created',
    story: [charge, cancel(), LATER, charges('', { shown: asCreated })],
    finds: ['money-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a cancelled code whose status has a name that is not known',
    story: [
      createCharge({}, { shows: withState('open') }),
      cancel(withState('removed')),
      LATER,
      charges('', { shown: ([one]) => [{ ...one, ...withState('removed') }] }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a code whose id is that of a cancelled code of the other kind',
    story: [charge, createWithSameId(), cancel(), LATER, charges('', { shown: asCreated })],
    finds: [],
  },
  {
    title:
      'it finds nothing in a payment of a code whose id is that of a cancelled code of the other kind',
    story: [charge, createWithSameId(), cancel(), payCode(SETTLED, { of: 0 })],
    finds: [],
  },
  {
    title: 'it finds nothing in a cancelled code whose creation was repeated',
    story: [charge, cancel(), repeatedAsCancelled, LATER, charges('', { shown: asCancelled })],
    finds: [],
  },
  {
    title: 'it finds a code that is cancelled after it was paid',
    story: [charge, payCode(SETTLED), charges('', { shown: asPaid }), cancel()],
    finds: ['money-consistent@cancelImmediateQrCode'],
  },
  {
    title: 'it finds a code that is cancelled after it was paid, where it shows no payment',
    story: [charge, payCode(SETTLED), charges('', { shown: paidWithoutPayment }), cancel()],
    finds: ['money-consistent@cancelImmediateQrCode'],
  },
  {
    title: 'it finds nothing in the cancellation of a code that was not shown as paid',
    story: [charge, payCode(), cancel()],
    finds: [],
  },
])
