import { decode, encode } from '@partner-payments/brcode'
import { fieldsOf } from '../src/contract/json.ts'
import {
  cancel,
  charge,
  charges,
  check,
  codeOf,
  create,
  createCharge,
  example,
  expectFindingsWith,
  type Json,
  lookUp,
  PAYMENT,
  pass,
  payCodeAs,
  payCodePending,
  payKey,
  type Step,
} from './story.ts'

// A recording of a few seconds, beside which others write to the service.
const RECORDED = { isComplete: false, lagMs: 5_000 }
const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
/** The code of the first charge, with another city in it. */
const { objects: _, ...code } = decode(codeOf(1))
const respelled = encode({ ...code, merchantCity: 'SAO PAULO' })

/** Two pending payments whose responses end at one time. */
const atOnce: Step = (story) => {
  const start = story.now
  payCodePending('E9999901020261102143000000000001', { ms: 4 })(story)
  story.now = start
  payCodePending('E9999901020261102143000000000002', { ms: 4 })(story)
}

/** A right service whose list shows other fields of its charges. */
const shownAs = (fields: Json) =>
  charges('', { shown: (records) => records.map((record) => ({ ...record, ...fields })) })

/** Credentials that the recorder left out. */
const withoutCredentials =
  (step: Step): Step =>
  (story) => {
    step(story)
    const last = story.events.at(-1)
    if (last?.type !== 'exchange') return
    const { authorization: _, ...headers } = last.request.headers
    const request = { ...last.request, headers, unrecorded: { headers: true as const } }
    story.events[story.events.length - 1] = { ...last, request }
  }

/** A charge that expires after a minute. */
const shortCharge = createCharge({ calendar: { expiration: 60 } })
/** The id of a payment from another institution. */
const ID_ELSEWHERE = 'E9999902920261102143000000000000'

const REJECTED_ID = String(fieldsOf(example('immediatePending').data).end_to_end_id)

const OTHER_ID = { shows: { id: '00000000-0000-4000-8000-000000000009' } }

/** A list that shows this payment of the first charge. */
const shownWithPayment = (end_to_end_id: string) =>
  shownAs({ status: 'CONCLUIDA', revision: 1, payment: { ...PAYMENT, end_to_end_id } })

expectFindingsWith({ isComplete: true, hidesEvents: true }, [
  {
    title: 'it accepts a second payment that a list shows, since the first one may be rejected',
    story: [charge, atOnce, pass(10), shownWithPayment('E9999901020261102143000000000002')],
    finds: [],
  },
  {
    title: 'it finds a second payment of which nothing shows that the first one was rejected',
    story: [charge, atOnce],
    finds: ['once-used@createTransfer'],
  },
])

expectFindingsWith(RECORDED, [
  {
    title: 'it finds a charge that a list shows with another amount, and without a change',
    story: [charge, pass(60_000), shownAs({ amount: { original: '3.59' } })],
    finds: ['money-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it accepts another key of a charge that was paid and may have been changed',
    story: [
      charge,
      pass(10),
      shownAs({ dict_key: '+5561912345678', status: 'CONCLUIDA', revision: 1, payment: PAYMENT }),
    ],
    finds: [],
  },
  {
    title: 'it finds one payment that is shown for two charges',
    story: [
      charge,
      charge,
      pass(10),
      shownAs({ status: 'CONCLUIDA', revision: 1, payment: PAYMENT }),
    ],
    finds: ['money-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds a key that is paid again by its initiation with a space',
    story: [
      lookUp(),
      payKey(),
      payKey({ initiation_id: `${example('payKey').initiation_id} ` }, {}, OTHER_ID),
    ],
    finds: ['once-used@createTransfer', 'responses-agree@createTransfer'],
  },
  {
    title: 'it finds a charge that was cancelled after a transfer of it had settled',
    story: [charge, payCodeAs('settled'), pass(60_000), cancel()],
    finds: ['money-settled@cancelImmediateQrCode', 'records-dated@cancelImmediateQrCode'],
  },
  {
    title: 'it finds a charge that a list shows as paid by a rejected transfer',
    story: [charge, payCodeAs('rejected'), pass(10), shownWithPayment(REJECTED_ID)],
    finds: ['money-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds another due date of a charge without a change',
    story: [
      create('dueDateQrCode'),
      cancel({ calendar: { due_date: '2026-12-24', expiration_days: 30 }, revision: 0 }),
    ],
    finds: ['money-consistent@cancelDueDateQrCode', 'records-dated@cancelDueDateQrCode'],
  },
  {
    title: 'it accepts another amount of a charge that others have changed',
    story: [charge, pass(60_000), shownAs({ amount: { original: '3.59' }, revision: 1 })],
    finds: [],
  },
  {
    title: 'it finds another amount of a paid charge with the same revision',
    story: [
      charge,
      pass(60_000),
      shownAs({ amount: { original: '3.59' }, status: 'CONCLUIDA', payment: PAYMENT }),
    ],
    finds: ['money-consistent@listImmediateQrCodes', 'records-dated@listImmediateQrCodes'],
  },
  {
    title: 'it finds a charge that two requests paid which ended at one time',
    story: [charge, atOnce, pass(10), shownWithPayment('E9999901020261102143000000000001')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds a charge paid twice by two spellings of its code',
    story: [charge, payCodeAs('settled'), payCodeAs('settled', { emv: respelled })],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds that a charge is paid which a list has shown as cancelled',
    story: [charge, shownAs({ status: CANCELLED, revision: 1 }), payCodeAs('settled')],
    finds: ['records-states@createTransfer'],
  },
  {
    title: 'it finds that a charge is paid whose check shows it as cancelled',
    story: [check({ status: CANCELLED }), payCodeAs('settled')],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it accepts the check of a charge that somebody else has paid',
    story: [charge, pass(60_000), check({ status: 'CONCLUIDA', revision: 1 })],
    finds: [],
  },
  {
    title:
      'it accepts a charge that somebody else paid before its end, and that is listed after it',
    story: [
      shortCharge,
      charges(),
      pass(120_000),
      shownAs({
        status: 'CONCLUIDA',
        revision: 1,
        updated_at: '2026-11-02T14:31:00Z',
        payment: { ...PAYMENT, end_to_end_id: ID_ELSEWHERE, paid_at: '2026-11-02T14:31:00Z' },
      }),
    ],
    finds: [],
  },
  {
    title: 'it accepts a charge that somebody else cancelled before its end',
    story: [
      shortCharge,
      charges(),
      pass(120_000),
      shownAs({ status: CANCELLED, revision: 1, updated_at: '2026-11-02T14:31:00Z' }),
    ],
    finds: [],
  },
  {
    title: 'it finds a charge that has expired in a state of its own',
    story: [shortCharge, charges(), pass(120_000), shownAs({ status: 'EXPIRADA' })],
    finds: ['codes-ended@listImmediateQrCodes', 'responses-shape@listImmediateQrCodes'],
  },
  {
    title: 'it accepts that a charge is not cancelled which somebody else may have paid',
    story: [charge, pass(60_000), cancel({}, { refused: 'qrcode_paid' })],
    finds: [],
  },
  {
    title: 'it finds another key in the check of a new code',
    story: [charge, check({ beneficiary: { ...beneficiary(), dict_key: 'mule@example.com' } })],
    finds: ['codes-copied@checkCode', 'money-consistent@checkCode'],
  },
  {
    title: 'it finds that the initiation_id of a key pays another one, without credentials',
    story: [
      withoutCredentials(lookUp({ initiation_id: 'ini_1' })),
      withoutCredentials(payKey({ initiation_id: 'ini_1', dict_key: 'mule@example.com' })),
    ],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds another amount in a list than was paid, without credentials',
    story: [
      withoutCredentials(charge),
      withoutCredentials(payCodeAs('settled')),
      withoutCredentials(
        shownAs({ status: 'CONCLUIDA', revision: 1, payment: { ...PAYMENT, amount: '3.59' } }),
      ),
    ],
    finds: ['money-paid@listImmediateQrCodes'],
  },
  {
    title: 'it finds that a code is paid with another amount than it fixes, without credentials',
    story: [
      withoutCredentials(createCharge()),
      withoutCredentials(payCodeAs('settled', { amount: '3.59' })),
    ],
    finds: ['refusals-causes@createTransfer'],
  },
])

function beneficiary(): Json {
  return fieldsOf(example('immediateCode').beneficiary)
}
