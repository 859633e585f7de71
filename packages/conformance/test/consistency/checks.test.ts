import { fieldsOf } from '../../src/contract/json.ts'
import {
  charge,
  check,
  codeOf,
  create,
  createCharge,
  example,
  expectFindingsWith,
  type Json,
  lookUp,
  pass,
  type Step,
  txId,
} from '../story.ts'
import { CONSISTENT, checkOfParts, dueWithParts, parts } from './steps.ts'

const KEY_OF_CODE: Json = { dict_key: example('createImmediate').dict_key }

const OF_SOMEBODY: Json = { ...KEY_OF_CODE, owner_document: '***.111.222-**', initiation_id: 'x' }

function dueOn(due_date: string): Step {
  const shows = { ...example('dueDateCode'), tx_id: txId('dueDateQrCode', 1), due_date }
  return check(shows, { emv: codeOf(1, 'dueDateQrCode') })
}

/**
 * The check of a charge that was due on the 15th of December, so many days after its creation.
 *
 * @param others Further parts of its amount, such as a fine.
 */
function afterDays(days: number, shown: Json, others: Json = {}): readonly Step[] {
  return [...dueWithParts('1', others), pass(days * 86_400_000), checkOfParts(shown)]
}

/** The check of a code that shows a key. */
function checkWithKey(dict_key: string): Step {
  const { beneficiary } = example('immediateCode')
  return check({ beneficiary: { ...fieldsOf(beneficiary), dict_key } })
}

/** A due-date charge that has a discount in a modality of the service's own. */
function dueWithDiscount(discount: Json, original = '100.00'): Step {
  return create('dueDateQrCode', {
    amount: { original, discount: { modality: 'value', ...discount } },
  })
}

/** A fine and interest in reais, which are due after the due date. */
const LATE_PARTS: Json = {
  fine: { modality: '1', amount: '2.00' },
  interest: { modality: '1', amount: '0.03' },
}

/** The check of a static code that shows a word as its kind. */
function checkStatic(qrcode_type: string): Step {
  return check({ ...example('staticCode'), qrcode_type }, { emv: codeOf(1, 'staticQrCode') })
}

/** Creates an immediate QR code whose payment code has another checksum. */
const WRONG_CHECKSUM = codeOf(1).slice(0, -4).concat('0000')
const chargeWithWrongChecksum = createCharge({}, { shows: { emv: WRONG_CHECKSUM } })
const REFUSED_CODE = { emv: WRONG_CHECKSUM, refused: 'invalid_code' } as const

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds a static code that has the word for dynamic ones as its kind',
    story: [check({ qrcode_type: 'DYNAMIC' }), checkStatic('DYNAMIC')],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in words of the service for static and dynamic codes',
    story: [
      check({ qrcode_type: 'DYNAMIC' }),
      checkStatic('FIXED'),
      check({ qrcode_type: 'DYNAMIC' }),
    ],
    finds: [],
  },
  {
    title: 'it finds the check of a charge with the tx_id of another one',
    story: [charge, check({ tx_id: `X${'0'.repeat(29)}` })],
    finds: ['money-consistent@checkCode'],
  },
  {
    title:
      'it finds nothing in the check of a charge that shows no whole tx_id, or the same in small letters',
    story: [
      charge,
      check({ tx_id: '***' }),
      check({ tx_id: 'X*******************0002' }),
      check({ tx_id: txId('immediateQrCode', 1).toLowerCase() }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in the check of a charge that was shown without a key and a tx_id',
    story: [createCharge({}, { shows: { dict_key: null, tx_id: null } }), check()],
    finds: [],
  },
  {
    title: 'it finds a created code with a wrong checksum, whose check is refused',
    story: [chargeWithWrongChecksum, check({}, REFUSED_CODE)],
    finds: ['money-consistent@createImmediateQrCode'],
  },
  {
    title: 'it finds nothing in a created code with a wrong checksum, whose check is accepted',
    story: [chargeWithWrongChecksum, check({}, { emv: WRONG_CHECKSUM })],
    finds: [],
  },
  {
    title: 'it finds nothing in the refusal of a wrong checksum that the service has not shown',
    story: [charge, check({}, REFUSED_CODE)],
    finds: [],
  },
  {
    title: 'it finds nothing in the refusal of a code with a right checksum',
    story: [charge, check({}, { refused: 'invalid_code' })],
    finds: [],
  },
  {
    title: 'it finds nothing in the refusal of a check that the caller may not send',
    story: [
      chargeWithWrongChecksum,
      check({}, { emv: WRONG_CHECKSUM, refused: 'forbidden', status: 403 }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in the refusal of a code with a wrong checksum after its end',
    story: [chargeWithWrongChecksum, pass(90_000_000), check({}, REFUSED_CODE)],
    finds: [],
  },
  {
    title: 'it finds nothing in twice the number that a discount in percent has',
    story: parts({ discount: '5.00', final_amount: '90.00' }, '2'),
    finds: [],
  },
  {
    title: 'it finds nothing in an original amount that is less the deduction already',
    story: parts({
      original_amount: '90.00',
      deduction: '10.00',
      discount: '5.00',
      final_amount: '85.00',
    }),
    finds: [],
  },
  {
    title: 'it finds a deduction that is shown and not taken off',
    story: parts({ deduction: '10.00', final_amount: '100.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a deduction in percent that is shown and not taken off',
    story: parts({ deduction: '10.00', final_amount: '100.00' }, '2'),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a deduction in a word of the service that is shown and not taken off',
    story: parts({ deduction: '10.00', final_amount: '100.00' }, 'value'),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in such a deduction that is taken off',
    story: parts({ deduction: '10.00', final_amount: '90.00' }, 'value'),
    finds: [],
  },
  {
    title: 'it finds nothing in such a deduction where a discount may be a rate',
    story: parts({ deduction: '10.00', discount: '5.00', final_amount: '95.00' }, 'value'),
    finds: [],
  },
  {
    title: 'it finds nothing in a rate of less than a centavo that is shown and takes nothing off',
    story: [
      create('dueDateQrCode', {
        amount: { original: '0.05', deduction: { modality: '2', amount: '0.01' } },
      }),
      checkOfParts({ original_amount: '0.05', deduction: '0.01', final_amount: '0.05' }),
    ],
    finds: [],
  },
  {
    title: 'it finds a discount that is shown before its end and not taken off',
    story: parts({ discount: '5.00', final_amount: '100.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a discount that is shown after its end and not taken off',
    story: afterDays(40, { discount: '5.00', final_amount: '100.00' }),
    finds: [],
  },
  {
    title: 'it finds a final amount that no choice of the parts adds up to',
    story: parts({ original_amount: '95.00', discount: '5.00', final_amount: '100.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a deduction that is shown as a rate',
    story: parts({ deduction: '20.00', original_amount: '50.00', final_amount: '40.00' }),
    finds: [],
  },
  {
    title: 'it finds nothing where the parts leave nothing to pay',
    story: parts({ deduction: '100.00', final_amount: '0.01' }),
    finds: [],
  },
  {
    title: 'it finds a code that costs something else than its creation shows',
    story: [charge, check({ original_amount: '0.00', final_amount: '0.00' })],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds an amount with a fraction of a centavo, where the creation shows none',
    story: [charge, check({ final_amount: '35.900000000001' })],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a fine that is shown and not due, long after the due date',
    story: afterDays(60, { fine: '2.00', interest: '1.33', final_amount: '100.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a fine that is shown and not due, where the interest is',
    story: afterDays(60, { fine: '2.00', interest: '1.33', final_amount: '101.33' }, LATE_PARTS),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a fine that may be a rate, where the interest is due',
    story: afterDays(60, { fine: '2.00', interest: '1.33', final_amount: '101.33' }),
    finds: [],
  },
  {
    title: 'it finds nothing in a final amount without the fine, if the interest is as high',
    story: afterDays(60, { fine: '2.00', interest: '2.00', final_amount: '102.00' }, LATE_PARTS),
    finds: [],
  },
  {
    title: 'it finds nothing in a fine that may not be due yet',
    story: afterDays(45, { fine: '2.00', interest: '1.33', final_amount: '100.00' }),
    finds: [],
  },
  {
    title: 'it finds nothing in a fine that is part of the final amount',
    story: afterDays(60, { fine: '2.00', interest: '0', final_amount: '102.00' }),
    finds: [],
  },
  {
    title: 'it finds a code that carries another key than its creation shows',
    story: [charge, checkWithKey('12345678909')],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds the address of another person, which differs in punctuation alone',
    story: [createCharge({ dict_key: 'ana.b@example.com' }), checkWithKey('anab@example.com')],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a telephone without its country',
    story: [createCharge({ dict_key: '+5511987654321' }), checkWithKey('(11) 98765-4321')],
    finds: [],
  },
  {
    title: 'it finds nothing in a key that is written in another way',
    story: [charge, checkWithKey('12.abc.345/01DE-35')],
    finds: [],
  },
  {
    title: 'it finds nothing in a key of which a part is hidden',
    story: [charge, checkWithKey('12***35')],
    finds: [],
  },
  {
    title: 'it finds another due date than the creation shows',
    story: [create('dueDateQrCode'), dueOn('2026-11-19')],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a due date that is written in another way',
    story: [create('dueDateQrCode'), dueOn('2026-11-19T23:59:59-03:00')],
    finds: [],
  },
  {
    title: 'it finds a code whose receiver does not own its key',
    story: [charge, lookUp(OF_SOMEBODY, { sent: KEY_OF_CODE }), check()],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a discount in a word of the service that is shown and not taken off',
    story: parts({ discount: '5.00', final_amount: '100.00' }, 'value'),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a discount in a word of the service that is taken twice',
    story: [
      dueWithDiscount({ fixedDateDiscount: [{ amount: '5.00', date: '2026-11-30' }] }),
      checkOfParts({ discount: '5.00', final_amount: '90.00' }),
    ],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a deduction in a word of the service that is taken twice',
    story: [
      create('dueDateQrCode', {
        amount: { original: '100.00', deduction: { modality: 'value', amount: '10.00' } },
      }),
      checkOfParts({ deduction: '10.00', final_amount: '80.00' }),
    ],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in such a discount that is shown as a percentage',
    story: [
      dueWithDiscount({ fixedDateDiscount: [{ amount: '5.00', date: '2026-11-30' }] }, '200.00'),
      checkOfParts({ original_amount: '200.00', discount: '5.00', final_amount: '190.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a discount for each day that is twice what is shown',
    story: [
      dueWithDiscount({ amount: '5.00' }),
      checkOfParts({ discount: '5.00', final_amount: '90.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in such a discount where a deduction may not be shown',
    story: parts({ discount: '5.00', final_amount: '90.00' }, 'value'),
    finds: [],
  },
  {
    title: 'it finds a discount that is taken twice',
    story: parts({ discount: '5.00', final_amount: '90.00' }),
    finds: ['money-consistent@checkCode'],
  },
])
