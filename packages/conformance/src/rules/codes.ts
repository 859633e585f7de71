import type { Copies } from '@partner-payments/spec/behaviour'
import { type RequestContext, readClockMarginMs } from '../causes/cause.ts'
import { calculateExpirationTime, findCharge } from '../causes/codes.ts'
import { isForbidden } from '../causes/index.ts'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import {
  type Comparison,
  isFilled,
  isSameValue,
  parseTime,
  stringAt,
  valueAt,
} from '../contract/json.ts'
import { declaredKinds, fieldName, findState } from '../contract/kinds.ts'
import { OPEN } from '../contract/words.ts'
import type { Exchange } from '../model/exchange.ts'
import {
  hasChanged,
  hasConcurrentWrite,
  type KnownRecord,
  readCertainValue,
} from '../model/records.ts'
import { compareTaxIds, isSameButMasked, isTaxIdOfCompany } from '../model/tax-ids.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { describeWord, isWord } from '../report/sightings.ts'
import { classifyDifference } from './difference.ts'
import { findShownTime, mayLag, NOTATION_QUESTION } from './fields.ts'
import {
  ALL_BUT_REQUEST_HEADERS,
  citeStatement,
  quote,
  type Rule,
  type RuleContext,
} from './rule.ts'
import { isOfMasking } from './tax-ids.ts'

const { copies } = behaviour

const codesExpiration: Rule = {
  id: 'codes-expiration',
  says: 'The check of an immediate code shows when it expires, and that of another code shows null.',
  advice: 'Add the seconds of the charge to the time of its creation, in UTC.',
  settles: ['code-expiration/'],
  /**
   * Expects that the check of an immediate code shows when it expires, to the second, and that of any
   * other code shows null.
   */
  read(exchange, model, report) {
    const { operation, outcome, responseBody, differences } = exchange
    const expiration = valueAt(responseBody, '/expiration')
    if (operation?.id !== 'checkCode' || outcome !== 'accepted' || expiration === undefined) return

    // Another rule judges a value that is no time. A time with an offset differs from the contract, and is compared.
    const isAsDeclared = differences.every(({ pointer }) => pointer !== '/expiration')
    if (!isAsDeclared && !isDateTime(expiration)) return

    // Undefined for a static code, which has no charge and does not expire, and for an unknown code.
    const charge = findCharge(stringAt(exchange.requestBody, '/emv') ?? '', { exchange, model })
    if (!charge) return

    if (charge.kind.name === 'immediateQrCode') expectExpirationTime(charge, exchange, report)
    else expectNoExpiration(exchange, report)
  },
}

/** Whether a value is a date-time of RFC 3339. One with an offset has not the form of the contract, but is a time. */
function isDateTime(value: unknown): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(String(value))
}

const EXPIRATION_CITES = { question: 'code-expiration' }

/** Expects that the check of a due-date code shows null, and no time at which the code expires. */
function expectNoExpiration(check: Exchange, report: Report): void {
  const expiration = valueAt(check.responseBody, '/expiration')
  report.expect(
    expiration === null,
    { evidence: check, cites: EXPIRATION_CITES },
    () => `checkCode shows expiration as ${quote(expiration)}; expected null.`,
  )
}

/** Milliseconds by which an end may be rounded. */
const ROUNDING_MS = 1_000

/**
 * Expects that a check shows when its charge expires: its creation and the seconds of `calendar.expiration`.
 * Does nothing if the history does not show these two.
 */
function expectExpirationTime(charge: KnownRecord, check: Exchange, report: Report): void {
  const end = calculateExpirationTime(charge)
  if (end === undefined) return

  const expiration = valueAt(check.responseBody, '/expiration')
  const shownEnd = parseTime(String(expiration))
  // The end may be rounded, and the creation from which it is calculated may be known inexactly.
  const marginMs = ROUNDING_MS + estimateCreationErrorMs(charge)
  report.expect(
    Math.abs(shownEnd - end) <= marginMs,
    { evidence: check, cites: EXPIRATION_CITES },
    () =>
      `checkCode shows expiration as ${quote(expiration)}; expected ${new Date(end).toISOString()}.`,
  )
}

/**
 * Estimates by how many milliseconds the known time of a charge's creation may be wrong: 0 if its record shows
 * `created_at`. Otherwise the time of the response stands for it, whose date is in whole seconds.
 */
function estimateCreationErrorMs({ created, fields }: KnownRecord): number {
  if (!created || fields.has('created_at')) return 0
  return created.completeAt - created.sentAt + ROUNDING_MS
}

const codesEnded: Rule = {
  id: 'codes-ended',
  says: 'A charge that has expired keeps its status.',
  advice: 'Show the status of the charge itself, whatever the time is.',
  /**
   * Expects that an immediate charge that was open when it expired is still shown as open: to expire is no
   * status of the contract. Reads look-ups and lists.
   */
  read(exchange, model, report) {
    const { operation, records } = exchange
    if (operation?.effect !== 'read') return

    for (const { kind, id, fields } of records) {
      const charge = model.records.find(kind, id)
      if (!charge || kind.name !== 'immediateQrCode') continue
      if (!isExpiredWhileOpen(charge, { exchange, model })) continue

      const status = stringAt(fields, '/status')
      if (status === undefined) continue
      // Somebody else may have paid or cancelled it in time.
      if (mayHaveEndedUnseen(charge, status, model)) continue

      report.expect(
        status === OPEN,
        {
          evidence: exchange,
          cites: { question: 'qr-statuses' },
        },
        () => `${operation.id} shows a charge that has expired as ${status}; expected ${OPEN}.`,
      )
    }
  },
}

/**
 * Whether somebody may have paid or cancelled a charge before it expired, without the history showing it: the
 * history is incomplete, and the status is another declared one than open. An undeclared status, such as
 * `EXPIRADA`, says nothing of that.
 */
function mayHaveEndedUnseen({ kind }: KnownRecord, status: string, { isComplete }: Model): boolean {
  if (isComplete) return false
  return findState(kind, status) !== undefined && status !== OPEN
}

/**
 * Whether an immediate charge was open when it was last shown, and has certainly expired since. False also if
 * another request may change it meanwhile, or if it is not known when it expires.
 */
function isExpiredWhileOpen(charge: KnownRecord, { exchange, model }: RequestContext): boolean {
  const wasOpen = readCertainValue(charge, 'status') === OPEN
  if (!wasOpen) return false
  if (hasConcurrentWrite(exchange, charge)) return false
  // A recording may have nothing but the clock of its recorder, which proves no time.
  if (!hasCertainTime(exchange)) return false

  const end = calculateExpirationTime(charge)
  if (end === undefined) return false

  // The clock of the service and that of this machine may differ.
  const certainEnd = end + readClockMarginMs(model)
  return model.timeAt(exchange.sentAt) >= certainEnd
}

type Copy = Copies[string]

const codesCopied: Rule = {
  id: 'codes-copied',
  says: 'A check, a transfer and a look-up repeat the fields of what they use, as the contract declares.',
  advice: 'Read the fields from the record that the request names.',
  settles: [
    'charge-fields/static code',
    'charge-fields/due-date code',
    'owner-masking/person',
    'owner-masking/company',
  ],
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Compares a response with the earlier exchanges whose results its request uses (its sources): the check of
   * a code must show the `tx_id` with which the code was created.
   */
  read(exchange, model, report) {
    if (exchange.outcome !== 'accepted') return
    // A declared rule forbids the request, and nothing says what the response to it shows.
    if (isForbidden({ exchange, model })) return

    for (const source of model.sources.listSources(exchange)) {
      for (const namedCopy of listCopiesBetween(source, exchange))
        expectCopied(namedCopy, { source, exchange, model, report })
    }
  },
}

/** An entry of `copies` in spec/behaviour, with its name, such as `check-shows-charge`. */
type NamedCopy = readonly [name: string, copy: Copy]

/**
 * Lists the declared copies from the operation of one exchange to that of another one: from
 * `createStaticQrCode` to `checkCode`, `[['check-shows-static-code', { sent: … }]]`.
 */
function listCopiesBetween(source: Exchange, exchange: Exchange): NamedCopy[] {
  const operationOfSource = source.operation?.id ?? ''
  const operation = exchange.operation?.id
  return Object.entries<Copy>(copies).filter(
    ([_name, copy]) => copy.to === operation && copy.from.includes(operationOfSource),
  )
}

interface CopyContext extends RequestContext {
  /** The earlier exchange whose result the request uses, such as the creation of its code. */
  readonly source: Exchange
}

/**
 * Expects that a response repeats the fields of an earlier one (the source) that a copy declares. A copy
 * is an entry of spec/behaviour: the check of a code repeats the amount of its creation.
 */
function expectCopied([name, copy]: NamedCopy, context: CopyContext & RuleContext): void {
  const { exchange, model } = context
  for (const field of listExpectedValues(copy, context)) {
    const shown = valueAt(exchange.responseBody, field.pointer)
    if (shown === undefined) continue

    noteCopiedWord([name, copy], field, context)
    if (!isComparable(field, context)) continue

    // Unknown if the masks of a tax ID leave no digit to compare.
    const comparison = compareCopied(copy, field, shown)
    if (comparison === 'unknown') continue

    const isSame = comparison === 'same'
    // In an incomplete history, somebody else may have changed the field since.
    const mayBeChanged = field.maySomebodyElseChange && !model.isComplete
    const isExplained = !isSame && mayBeChanged
    if (isExplained) continue

    reportCopiedField({ name, copy, field, shown, isSame }, context)
  }
}

/**
 * Notes the word of its own that a service shows in place of a declared one: `QR_STATIC`, where the check of a static
 * code should show `Static`. An open question asks for these words; without a question, nothing is noted.
 */
function noteCopiedWord(
  [name, { question }]: NamedCopy,
  { pointer, word }: ExpectedValue,
  { exchange, report }: RuleContext,
): void {
  // The contract lists the words of the field (its `enum`), and the response has none of them.
  const isOtherWord = exchange.differences.some(
    (difference) => difference.pointer === pointer && difference.keyword === 'enum',
  )
  if (question === undefined || !isOtherWord || !isWord(word)) return

  // The checker translates the words of a service into those of the contract. This is what the service wrote.
  const shown = valueAt(exchange.untranslatedBody, pointer)
  const at = `behaviour#/copies/${name}/${word}`
  report.saw({ question, at, of: 'name', seen: describeWord(shown) })
}

/**
 * Whether a field of a response can be compared with the field of an earlier one that it repeats. False where
 * a service may rightly show another value, or shows one that has not the declared form.
 */
function isComparable({ pointer, expected }: ExpectedValue, context: CopyContext): boolean {
  const { source, exchange } = context
  // A check may show the amount with the deduction taken off.
  if (mayBeReduced(pointer, source)) return false

  // The texts of a code are ASCII, so a service writes others in its own way.
  const isNotAscii = /[^ -~]/.test(String(expected))
  if (source.operation?.id === 'createStaticQrCode' && isNotAscii) return false

  // Another rule judges a value of another form. A masked tax ID is one too, but its digits can be compared.
  const formFaults = exchange.differences.filter((difference) => difference.pointer === pointer)
  return formFaults.every((fault) => isOfMasking(fault, exchange.responseBody))
}

interface CopiedField {
  /** The name of the copy in spec/behaviour. */
  readonly name: string
  readonly copy: Copy
  readonly field: ExpectedValue
  readonly shown: unknown
  readonly isSame: boolean
}

/** Reports one field of a response: passed if it shows the value of its source, and else failed. */
function reportCopiedField(
  { name, copy, field, shown, isSame }: CopiedField,
  { source, exchange, model, report }: CopyContext & RuleContext,
): void {
  const { pointer, expected } = field
  const sourceOperation = source.operation?.id ?? ''
  // Each operation whose fields are repeated is an entry of its own, with a verdict of its own.
  const entry = `${findEntryPointer(copy)}/from/${copy.from.indexOf(sourceOperation)}`
  const cites = citeStatement(copy, findStatement(copy, sourceOperation, expected))
  // A word for the kind of difference, such as `letters` if only upper and lower case differ.
  const difference = isSame ? '' : classifyDifference(expected, shown)
  report.expect(
    isSame,
    {
      evidence: exchange,
      cites: difference === 'letters' ? NOTATION_QUESTION : { ...cites, entry },
      about: `${name} ${pointer} ${difference}`,
      impact: 'high',
      mayLag: mayShowEarlierState({ exchange, model }),
    },
    () =>
      `${exchange.operation?.id} shows ${pointer} as ${quote(shown)}; expected ${quote(expected)}, as in ${sourceOperation}.`,
  )
}

/** The statements about the fields of a charge, by the operation that creates its code. */
const CODES_BY_CREATION: Readonly<Record<string, string>> = {
  createStaticQrCode: 'static code',
  createImmediateQrCode: 'immediate code',
  createDueDateQrCode: 'due-date code',
}

/**
 * The statement of its open question that a copied field is a case of: the kind of the code whose charge it shows, or
 * whose tax ID may be masked. Undefined for the other questions, which have no such statements.
 */
function findStatement(
  { question }: Copy,
  sourceOperation: string,
  expected: unknown,
): string | undefined {
  if (question === 'charge-fields') return CODES_BY_CREATION[sourceOperation]
  if (question === 'owner-masking') return isTaxIdOfCompany(String(expected)) ? 'company' : 'person'
  return undefined
}

/** Whether the code that a request names belongs to a record that was changed just before. */
function mayShowEarlierState({ exchange, model }: RequestContext): boolean {
  const [record] = model.records.findByCode(stringAt(exchange.requestBody, '/emv'))
  return record !== undefined && hasChanged(record) && mayLag(record, { exchange, model })
}

/**
 * Compares a shown value with the one that it repeats: `10.0` is the same as `10.00`. Unknown if two masked tax
 * IDs, such as `***.444.777-**` and `111.***.***-35`, show no digit in common.
 */
function compareCopied(
  { mayBeMasked }: Copy,
  { pointer, expected }: ExpectedValue,
  shown: unknown,
): Comparison {
  // A word for no value, such as `n/a`, may stand for an empty string. Another rule judges that.
  const isWordForNothing = typeof shown === 'string' && !isFilled(shown)
  if (expected === '' && isWordForNothing) return 'same'

  if (mayBeMasked) return compareTaxIds(String(expected), String(shown))

  // Another rule reports a masked payer, so masks make no difference here. Of an owner, they do.
  const isMaskedPayer = isOfPayer(pointer) && isSameButMasked(pointer, expected, shown)
  return isMaskedPayer || isSameValue(expected, shown) ? 'same' : 'different'
}

function isOfPayer(pointer: string): boolean {
  return pointer.startsWith('/payer/')
}

/** Whether a shown amount may have a deduction taken off already, which the rule money-due judges. */
function mayBeReduced(pointer: string, { requestBody }: Exchange): boolean {
  return pointer === '/original_amount' && valueAt(requestBody, '/amount/deduction') !== undefined
}

interface ExpectedValue {
  /** The place in the response. */
  readonly pointer: string
  readonly expected: unknown
  /** The word that the contract has for it, even where the source shows another one. */
  readonly word?: unknown
  /** Whether it changes with the state, such as when somebody pays a charge. */
  readonly maySomebodyElseChange?: boolean
}

/**
 * Lists the fields of a response with the value that each must show: one that the earlier request sent (`sent`), one
 * that its record has (`fields`), or a constant (`always`). Fields without a value are left out.
 *
 * @example
 * // With { sent: { '/amount': '/original_amount' }, always: { '/qrcode_type': 'Static' } }:
 * [
 *   { pointer: '/original_amount', expected: '10.00' },
 *   { pointer: '/qrcode_type', expected: 'Static', word: 'Static' },
 * ]
 */
function listExpectedValues(copy: Copy, context: CopyContext): ExpectedValue[] {
  const { sent = {}, fields = {}, always = {} } = copy
  const expectedValues: ExpectedValue[] = []

  for (const [from, pointer] of Object.entries(sent)) {
    const expected = valueAt(context.source.requestBody, from)
    if (!isEmpty(expected)) expectedValues.push({ pointer, expected })
  }

  for (const [from, pointer] of Object.entries(fields)) {
    const value = readCurrentValue(from, context)
    const expected = repeatValue(copy, value)
    if (isEmpty(expected)) continue

    // The word of the contract. Where it declares a constant, the earlier response may show another word.
    const constant = findConstant(from, context)
    const word = constant === undefined ? expected : repeatValue(copy, constant)
    const maySomebodyElseChange = CHANGING_FIELDS.has(from)
    expectedValues.push({ pointer, expected, word, maySomebodyElseChange })
  }

  // A constant counts even if it is an empty string.
  for (const [pointer, expected] of Object.entries(always))
    expectedValues.push({ pointer, expected, word: expected })

  return expectedValues
}

/**
 * The value that a copy has for one of its source: the same, or the one that it lists for it (`values`);
 * undefined if it lists none for it.
 */
function repeatValue({ values }: Copy, value: unknown): unknown {
  return values ? values[String(value)] : value
}

/**
 * Finds the constant that the contract declares at a place where an earlier response shows another value, such
 * as `DueDate` for the kind of a code; undefined if it shows the constant, or if none is declared there.
 */
function findConstant(pointer: string, { source, model }: CopyContext): unknown {
  const difference = source.differences.find(
    (one) => one.pointer === pointer && one.keyword === 'const',
  )
  // `contract` is the pointer of the broken keyword, which has the constant as its value.
  return difference && valueAt(model.contract.document, difference.contract)
}

/** The pointers of the fields of records that change with their state, such as `/status`. */
const CHANGING_FIELDS: ReadonlySet<string> = new Set(listChangingFields())

/** Lists the status and the fields that change by themselves (volatile) of each kind of records: `/revision`. */
function listChangingFields(): readonly string[] {
  const pointers: string[] = []
  for (const { resource } of declaredKinds) {
    const { status, volatile = [] } = resource
    if (status !== undefined) pointers.push(status)
    pointers.push(...volatile)
  }
  return pointers
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/**
 * Reads the value that the record of an earlier response has now, at a pointer into that response. If
 * the response showed no record, it reads what it showed. Undefined while the record may change.
 */
function readCurrentValue(pointer: string, { source, exchange, model }: CopyContext): unknown {
  const record = findRecordOfBody(source, model)
  if (!record) return valueAt(source.responseBody, pointer)
  if (hasConcurrentWrite(exchange, record)) return undefined

  // The model knows whole fields, such as `amount`; the pointer may lead into one: `/amount/original`.
  const name = fieldName(pointer)
  if (mayHaveRisen(name, record)) return undefined

  const knownBody = { [name]: readCertainValue(record, name) }
  return valueAt(knownBody, pointer)
}

/**
 * Whether a field that changes by itself (volatile), such as the revision, may be higher than it was last shown: even a
 * payment that is still pending may have raised it.
 */
function mayHaveRisen(name: string, record: KnownRecord): boolean {
  const isVolatile = record.kind.resource.volatile?.includes(`/${name}`) === true
  return isVolatile && record.changedAt > findShownTime(record, name)
}

/** Finds the record that is the whole body of a response; undefined if the body is something else. */
function findRecordOfBody({ records }: Exchange, model: Model): KnownRecord | undefined {
  const [shown] = records
  const isWholeBody = shown?.at === ''
  return isWholeBody ? model.records.find(shown.kind, shown.id) : undefined
}

export const codeRules = [codesExpiration, codesEnded, codesCopied]
