import { fieldsOf } from '../../src/contract/json.ts'
import {
  charge,
  check,
  deliver,
  endFields,
  example,
  expectFindingsWith,
  type Json,
  PAYMENT,
  payCode,
  type Step,
  webhook,
} from '../story.ts'
import { CONSISTENT } from './steps.ts'

// A service whose responses show transfers as pending. Only its events say how they end, and these have the id of the
// transfer at another place than the contract.

const TRANSFER: Json = { ...fieldsOf(example('immediatePending').data), amount: '0.01' }
const { id, end_to_end_id } = TRANSFER
const SETTLED = { status: 'settled', ...endFields('settled') }

/** An event about the transfer of the story. */
function transferEvent(data: Json, type = 'transfer.settled'): Step {
  const ids = { id: undefined, transfer: id, end_to_end_id }
  const shown = { amount: '0.01', ...ids, ...data }
  return deliver({ name: 'transferSettledEvent', data: shown, edit: { type } })
}

/** An event about the credit of its payee, so that no other event can mean that. */
const received = transferEvent(
  { payment: { ...PAYMENT, amount: '0.01', end_to_end_id } },
  'transfer.received',
)

/** A code is paid with another amount than its check shows, and events arrive. */
function payOtherAmount(...events: readonly Step[]): Step[] {
  const fixed = check({ final_amount: '35.90', allow_value_change: false })
  return [webhook, charge, fixed, payCode({ data: TRANSFER }, { amount: '0.01' }), ...events]
}

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds another amount that has settled by an event that names the payment',
    story: payOtherAmount(transferEvent(SETTLED)),
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds it by an event in a word of the service, with a status of its own',
    story: payOtherAmount(received, transferEvent({ ...SETTLED, status: 'DONE' }, 'payout.done')),
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in another amount that may still be rejected',
    story: payOtherAmount(),
    finds: [],
  },
  {
    title: 'it finds nothing where an event in a word of the service shows no end',
    story: payOtherAmount(
      received,
      transferEvent({ status: 'DOING', settled_at: '' }, 'payout.created'),
    ),
    finds: [],
  },
  {
    title: 'it finds nothing where an event with the name of an end shows a transfer as pending',
    story: payOtherAmount(transferEvent({ ...SETTLED, status: 'pending' })),
    finds: [],
  },
  {
    title: 'it finds nothing where an event with the name of an end shows why it was rejected',
    story: payOtherAmount(transferEvent({ ...SETTLED, rejection_message: 'AC03' })),
    finds: [],
  },
  {
    title: 'it finds nothing where another payment has settled',
    story: payOtherAmount(
      transferEvent({ ...SETTLED, end_to_end_id: 'E12345678202611021430abcdefghij9' }),
    ),
    finds: [],
  },
  {
    title: 'it finds nothing where an event names two payments, such as one that was paid back',
    story: payOtherAmount(
      transferEvent({ ...SETTLED, paid_back: 'E12345678202611021430abcdefghij9' }),
    ),
    finds: [],
  },
  {
    title: 'it finds nothing where an event that names the payment says that it was rejected',
    story: payOtherAmount(
      transferEvent(SETTLED),
      transferEvent({ status: 'rejected' }, 'transfer.rejected'),
    ),
    finds: [],
  },
])
