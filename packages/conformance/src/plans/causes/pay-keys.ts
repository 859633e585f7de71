import { fieldsOf, stringAt } from '../../contract/json.ts'
import type { Input } from '../../send/requests.ts'
import { validBody } from '../bodies.ts'
import type { PlanContext } from '../plan.ts'
import { keysToTry } from '../send-valid.ts'
import { EXAMPLE, prepareValidRequest } from '../valid-requests.ts'
import { BENEFICIARY_EDITS } from './beneficiaries.ts'
import {
  BY_CUSTOMER,
  type Edit,
  editsOfField,
  sendEdit,
  sentBy,
  tryEdits,
  type ValidPair,
} from './try-edits.ts'

/** What creates codes, of which each has a key of the partner. */
const CREATE_CODES = ['createStaticQrCode', 'createImmediateQrCode', 'createDueDateQrCode']

/** A transfer to a key. */
const TO_KEY = { example: EXAMPLE.key } as const

/**
 * Pays keys in ways that the service must refuse, such as with another key than was looked up or with
 * a date in the future, and in ways that it may accept, such as by another identity.
 */
export async function payKeys(context: PlanContext): Promise<void> {
  const { clock, uniqueText } = context
  const otherKey = await findOtherKey(context)

  const valid = await tryEdits(context, {
    operation: 'createTransfer',
    options: TO_KEY,
    mustRefuse: (requestToEdit) => [
      ...lookUpEdits(requestToEdit, uniqueText(400)),
      { pointer: '/dict_key', value: otherKey },
      { pointer: '/type', value: 'other' },
      { pointer: '/type', value: undefined },
      { pointer: '/amount', value: '9999999999.99' },
      { pointer: '/amount', value: '0.00' },
      ...BENEFICIARY_EDITS,
      { pointer: '/payment_date', value: clock.day(1) },
      { pointer: '/payment_date', value: clock.day(3) },
      { pointer: '/payment_date', value: clock.day(-1) },
    ],
    mayAccept: [sentBy('other'), BY_CUSTOMER, { pointer: '/payment_date', value: clock.day() }],
  })
  if (!valid) return

  const payments = [payWithTaxIdOfLookUp, payWithLookUpOfCustomer, payOtherKeyOfBeneficiary]
  await context.sideBySide(payments, (pay) => pay(context, valid))
}

/**
 * Edits of the `initiation_id` of a transfer to values that no look-up has issued: one in the form of the issued one,
 * and two others.
 *
 * @param characters Replace those of the issued `initiation_id` in the first edit.
 */
function lookUpEdits({ body }: Input, characters: string): Edit[] {
  const issued = stringAt(body, '/initiation_id') ?? ''
  return editsOfField('/initiation_id', [
    inSameForm(issued, characters),
    'ini_neverissued00000000',
    '00000000-0000-4000-8000-000000000000',
  ])
}

/**
 * Replaces the letters and digits of a value by those of another text, apart from its first four characters:
 * of `ini_7f-3a` and `ABCDEFGHI`, `ini_EF-HI`.
 */
function inSameForm(value: string, characters: string): string {
  const replaced = [...value].map((character, index) => {
    const isKept = index < 4 || !/[A-Za-z0-9]/.test(character)
    return isKept ? character : (characters[index] ?? character)
  })
  return replaced.join('')
}

/**
 * Finds a key that the service knows, other than the key that the example pays: of an example, of a user, or of the
 * codes that it accepts. If it knows none of them, returns that of the second example; undefined if that is the paid one.
 */
export async function findOtherKey(context: PlanContext): Promise<string | undefined> {
  const paidKey = stringAt(validBody(context, 'checkKey'), '/dict_key')
  const keyOfSecondExample = stringAt(validBody(context, 'checkKey', 1), '/dict_key')
  const keysOfCodes = CREATE_CODES.map((create) =>
    stringAt(validBody(context, create), '/dict_key'),
  )
  const keys = [keyOfSecondExample, ...(await keysToTry(context)), ...keysOfCodes]
  for (const dict_key of keys) {
    if (dict_key === undefined || dict_key === paidKey) continue
    const { isAccepted } = await context.send('checkKey', { body: { dict_key } })
    if (isAccepted) return dict_key
  }
  return keyOfSecondExample === paidKey ? undefined : keyOfSecondExample
}

/**
 * Pays a key and names the tax ID of its owner just as the look-up shows it. It may be masked, such as
 * `***.444.777-**`, and the service must take back what it showed. Pays nothing if the look-up shows none.
 *
 * @param valid An accepted payment of a key, of which this one is a variant.
 */
async function payWithTaxIdOfLookUp(context: PlanContext, valid: ValidPair): Promise<void> {
  const input = await prepareValidRequest(context, 'createTransfer', TO_KEY)
  if (!input) return

  const { dict_key } = fieldsOf(input.body)
  const { json } = await context.send('checkKey', { body: { dict_key }, by: input.by })
  const initiation_id = stringAt(json, '/initiation_id')
  const taxId = stringAt(json, '/owner_document')
  if (initiation_id === undefined || taxId === undefined) return

  const requestToEdit = { ...input, body: { ...fieldsOf(input.body), initiation_id } }
  const edit = { pointer: '/beneficiary/tax_id', value: taxId }
  await sendEdit(context, 'createTransfer', { ...valid, requestToEdit }, edit)
}

/**
 * The customer looks up a key, and the partner pays with the `initiation_id` of this look-up.
 *
 * @param valid An accepted payment of a key, of which this one is a variant.
 */
async function payWithLookUpOfCustomer(context: PlanContext, valid: ValidPair): Promise<void> {
  const options = { ...TO_KEY, by: 'customer' } as const
  const requestToEdit = await prepareValidRequest(context, 'createTransfer', options)
  if (!requestToEdit) return
  await sendEdit(context, 'createTransfer', { ...valid, requestToEdit }, sentBy('partner'))
}

/**
 * Looks up one key, and pays another one of the same owner: its tax ID, if that is a key too.
 *
 * @param valid An accepted payment of a key, which shows the tax ID of its owner.
 */
async function payOtherKeyOfBeneficiary(context: PlanContext, valid: ValidPair): Promise<void> {
  const taxId = stringAt(valid.accepted.json, '/data/beneficiary/tax_id')
  if (taxId === undefined) return

  const { isAccepted: isKey } = await context.send('checkKey', { body: { dict_key: taxId } })
  if (!isKey) return

  const requestToEdit = await prepareValidRequest(context, 'createTransfer', TO_KEY)
  if (!requestToEdit) return
  const edit = { pointer: '/dict_key', value: taxId }
  await sendEdit(context, 'createTransfer', { ...valid, requestToEdit }, edit)
}
