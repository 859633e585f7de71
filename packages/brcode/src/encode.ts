import { createWriter } from './apply-rules.ts'
import { bytesOfCode } from './bytes.ts'
import { checksum } from './crc16.ts'
import type { EncodeOptions } from './encode-options.ts'
import { type IssueHandler, refuse } from './error.ts'
import type { BrCodeFields } from './fields.ts'
import { refuseNamed } from './issue.ts'
import {
  checkAmount,
  determineKind,
  requireAccount,
  requireRecurrence,
  STATIC_ONLY,
} from './kind.ts'
import * as rules from './object-rules.ts'
import { rewrite } from './rewrite.ts'
import { type Written, writeObject } from './tlv.ts'

const NAME_OF_PIX = `0014${rules.PIX}`

// The lengths to which the option `fit` truncates.
const NAME_LENGTH = 25
const CITY_LENGTH = 15
/** That of a whole code: the message itself is never truncated. */
const MESSAGE_LENGTH = 512

/**
 * Encodes a Pix BR Code, and refuses everything that {@link decode} would refuse. An amount is
 * written with two decimals, `198` as `198.00`, because banks misread other spellings. `decode`
 * returns the same fields again, but none for a txid `***` or a category `0000`.
 *
 * The result of `decode` is written byte for byte, since it has `objects`. Its fields must agree
 * with them (`kind` and `account` may be absent). To change a field, remove `objects`. The code then
 * loses what no field represents:
 * - unknown objects, also in templates, and templates of other arrangements
 * - the objects in `ignored`, and the order of the objects
 * - the id of a recurrence's template, which becomes 80
 * - the letter case of `br.gov.bcb.pix` and of the checksum
 * - the absence of a txid, which becomes `***`
 *
 * @throws {BrCodeError} if the profile does not accept the code of these fields.
 * @example
 * encode({ key: 'fulano@example.com', amount: '10.50', merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' })
 * @see Manual de Padrões para Iniciação do Pix, 2.6 to 2.8.
 */
export function encode(fields: BrCodeFields, options?: EncodeOptions): string {
  if (!fields || typeof fields !== 'object') refuseNamed('fields', 'value', 'an object', fields)
  if (fields.objects != null) return rewrite(fields, fields.objects, options)

  const accept: IssueHandler = () => {}
  const onTolerable = options?.profile === 'lenient' ? accept : refuse
  const text = compose(fields, onTolerable, options?.fit)
  const bytes = bytesOfCode(text, 4)
  return text + checksum(bytes, bytes.length)
}

/**
 * Writes the objects of a code without its checksum, in the order of the manual's examples. Refuses
 * fields that do not go together.
 */
function compose(fields: BrCodeFields, onTolerable: IssueHandler, fit?: boolean): string {
  const write = createWriter(onTolerable, fit)
  const account = writeAccount(fields, onTolerable, fit)
  const recurrence = writeRecurrence(fields, onTolerable)
  const text =
    '000201' + // The format.
    write(rules.POINT, fields.pointOfInitiation) +
    writeObject(account) +
    write(rules.CATEGORY, fields.merchantCategory) +
    '5303986' + // The currency: reais.
    write(rules.AMOUNT, writeAmount(fields)) +
    '5802BR' + // The country.
    write(rules.NAME, fields.merchantName, NAME_LENGTH) +
    write(rules.CITY, fields.merchantCity, CITY_LENGTH) +
    write(rules.POSTAL_CODE, fields.postalCode) +
    writeObject(writeExtra(fields, onTolerable, fit)) +
    (recurrence ? writeObject(recurrence) : '') +
    '6304' // The head of the checksum.
  requireKind(fields, account, recurrence, onTolerable)
  return text
}

/** The amount as it is written; one that is invalid stays, and is refused by its rule. */
function writeAmount({ amount }: BrCodeFields): string | undefined {
  const isValid = typeof amount === 'string' && rules.isAmount(amount)
  return isValid ? rules.toTwoDecimals(amount) : amount
}

/** The template (26 to 51) with the key or the location to pay to. */
function writeAccount(fields: BrCodeFields, onTolerable: IssueHandler, fit?: boolean): Written {
  const id = fields.account ?? '26'
  if (!isAccountId(id)) refuseNamed('account', 'value', 'an id from "26" to "51"', id)

  const write = createWriter(onTolerable, fit, { id })
  const value =
    NAME_OF_PIX +
    write(rules.KEY, fields.key) +
    write(rules.MESSAGE, fields.message, MESSAGE_LENGTH) +
    write(rules.FACILITATOR, fields.withdrawalFacilitator) +
    write(rules.LOCATION, fields.location)
  return { id, value }
}

/** Whether a value is an id of a template that an account can have. */
function isAccountId(id: unknown): id is string {
  const isTwoDigits = typeof id === 'string' && /^\d\d$/.test(id)
  if (!isTwoDigits) return false

  const { first, last } = rules.ACCOUNT_IDS
  return Number(id) >= first && Number(id) <= last
}

/** The template with the txid. */
function writeExtra({ txid }: BrCodeFields, onTolerable: IssueHandler, fit?: boolean): Written {
  const id = '62'
  const write = createWriter(onTolerable, fit, { id })
  return { id, value: write(rules.TXID, txid) }
}

/** The template of a recurrence; undefined if the fields have none. */
function writeRecurrence(
  { recurrence }: BrCodeFields,
  onTolerable: IssueHandler,
): Written | undefined {
  if (recurrence == null) return undefined

  const id = '80'
  const write = createWriter(onTolerable, false, { id })
  return { id, value: NAME_OF_PIX + write(rules.RECURRENCE, recurrence) }
}

/**
 * Refuses a `kind` that contradicts the fields, and fields that a code of their kind cannot have.
 * Only a static code, which has a key, has an amount, a txid and a message of its own.
 */
function requireKind(
  fields: BrCodeFields,
  account: Written,
  recurrence: Written | undefined,
  onTolerable: IssueHandler,
): void {
  const kind = determineKind(fields, account)
  if (recurrence) requireRecurrence(fields, recurrence)
  requireAccount(fields, account)

  const hasOtherKind = fields.kind != null && fields.kind !== kind
  if (hasOtherKind) refuseNamed('kind', 'conflict', `"${kind}", as the fields say`, fields.kind)

  if (kind === 'static') {
    // The code is not written yet.
    const offset = undefined
    checkAmount(fields, offset, onTolerable)
    return
  }

  for (const { field } of STATIC_ONLY) {
    const value = fields[field]
    if (value) refuseNamed(field, 'conflict', 'nothing without a key', value)
  }
}
