import { rules } from '../src/rules/index.ts'
import { checkOfParts, dueWithParts } from './consistency/steps.ts'
import {
  charge,
  charges,
  check,
  create,
  createCharge,
  expectFindings,
  expectFindingsWith,
  listUsers,
  lookUp,
  pass,
  payKey,
  type Step,
  setAhead,
  withoutDate,
} from './story.ts'

// A recorder whose clock was set, and a service whose responses have no Date: nobody knows when a request was.
const DAY_MS = 86_400_000
const USERS = listUsers({}, { refused: 'invalid_token' })
const CREATED_AT = '2026-11-02T14:30:00Z'

/** A step after which the recorder says that a day has passed. */
const aDayAhead = (step: Step): Step[] => [setAhead(DAY_MS), withoutDate(step)]

expectFindings([
  {
    title: 'it accepts a payment_date of today, which may be another day by the recorder',
    story: [lookUp(), ...aDayAhead(payKey({ payment_date: '2026-11-02' }))],
    finds: [],
  },
  {
    title: 'it accepts a due date of today, which may be in the past by the recorder',
    story: aDayAhead(
      create(
        'dueDateQrCode',
        {
          amount: { original: '10.00' },
          calendar: { due_date: '2026-11-02', expiration_days: 30 },
        },
        { shows: { created_at: CREATED_AT } },
      ),
    ),
    finds: [],
  },
  {
    title: 'it accepts the check of a charge whose end has come by the recorder alone',
    story: [
      createCharge({ calendar: { expiration: 60 } }),
      ...aDayAhead(check({ expiration: '2026-11-02T14:31:00Z' })),
    ],
    finds: [],
  },
  {
    title: 'it finds another amount than the code of an immediate charge fixes, at any time',
    story: [charge, ...aDayAhead(check({ original_amount: '3.59', final_amount: '3.59' }))],
    finds: ['codes-copied@checkCode', 'money-consistent@checkCode', 'money-due@checkCode'],
  },
  {
    title: 'it accepts that a token is refused, whose lifetime is not over by the recorder alone',
    story: [listUsers(), pass(120_000), withoutDate(USERS)],
    finds: [],
  },
  {
    title: 'it accepts that a token is refused so soon, by the recorder alone, that no unit fits',
    story: [listUsers(), withoutDate(USERS)],
    finds: [],
  },
  {
    title: 'it accepts the time of a creation that the recorder puts on another day',
    story: aDayAhead(createCharge({}, { shows: { created_at: CREATED_AT } })),
    finds: [],
  },
  {
    title: 'it finds nothing in a word for a charge that has expired by the recorder alone',
    story: [
      createCharge({ calendar: { expiration: 60 } }),
      charges(),
      ...aDayAhead(
        charges('', { shown: (all) => all.map((one) => ({ ...one, status: 'PAUSED' })) }),
      ),
    ],
    finds: ['responses-shape@listImmediateQrCodes'],
  },
  {
    title: 'it accepts the end_to_end_id of a payment that the recorder puts on another day',
    story: [lookUp(), ...aDayAhead(payKey())],
    finds: [],
  },
  {
    title: 'it finds an end_to_end_id without the institution of the payer, at any time',
    story: [
      lookUp(),
      ...aDayAhead(payKey({}, { end_to_end_id: 'E000000002026110214320yZ1aB2cD3e' })),
    ],
    finds: ['responses-agree@createTransfer'],
  },
  {
    title: 'it finds an end_to_end_id of no time, at any time',
    story: [
      lookUp(),
      ...aDayAhead(payKey({}, { end_to_end_id: 'E999990102026139914320yZ1aB2cD3e' })),
    ],
    finds: ['responses-agree@createTransfer'],
  },
])

const CONSISTENT = { rules: rules.filter(({ id }) => id === 'money-consistent') }
const DISCOUNT_LEFT_OUT = checkOfParts({ discount: '5.00', final_amount: '100.00' })

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds nothing in a discount that may have ended when its check was recorded',
    story: [...dueWithParts(), withoutDate(DISCOUNT_LEFT_OUT)],
    finds: [],
  },
  {
    title: 'it finds that a discount is left out on a day that the service shows',
    story: [...dueWithParts(), DISCOUNT_LEFT_OUT],
    finds: ['money-consistent@checkCode'],
  },
])
