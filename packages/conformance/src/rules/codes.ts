import type { Copies } from '@partner-payments/spec/behaviour'
import { type RequestContext, readClockMarginMs } from '../causes/cause.ts'
import { calculateExpirationTime, findCharge } from '../causes/codes.ts'
import { isForbidden } from '../causes/index.ts'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { type Comparison, isFilled, isSameValue, stringAt, valueAt } from '../contract/json.ts'
import { declaredKinds, fieldName, findState } from '../contract/kinds.ts'
import { OPEN } from '../contract/words.ts'
import type { Exchange } from '../model/exchange.ts'
import {
  hasChanged,
  hasConcurrentWrite,
  type KnownRecord,
  readCertainValue,
} from '../model/records.ts'
import { compareTaxIds, isSameButMasked } from '../model/tax-ids.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { describeWord, isWord } from '../report/sightings.ts'
import { classifyDifference } from './difference.ts'
import { mayLag, NOTATION_QUESTION } from './fields.ts'
import { ALL_BUT_REQUEST_HEADERS, cite, quote, type Rule, type RuleContext } from './rule.ts'
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

    const isMisshaped =
      differences.some(({ pointer }) => pointer === '/expiration') && !isDateTime(expiration)
    const charge = findCharge(stringAt(exchange.requestBody, '/emv') ?? '', { exchange, model })
    if (!charge || isMisshaped) return

    if (charge.kind.name === 'immediateQrCode') expectExpirationTime(charge, exchange, report)
    else expectNoExpiration(exchange, report)
  },
}

/** Whether a value is a date-time of RFC 3339. One with an offset has not the form of the contract, but is a time. */
function isDateTime(value: unknown): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(String(value))
}

const EXPIRATION_CITES = { question: 'code-expiration' }

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

/** Expects that a check shows when its charge expires, if the history shows that. */
function expectExpirationTime(charge: KnownRecord, check: Exchange, report: Report): void {
  const end = calculateExpirationTime(charge)
  if (end === undefined) return

  const expiration = valueAt(check.responseBody, '/expiration')
  const shownEnd = Date.parse(String(expiration))
  report.expect(
    Math.abs(shownEnd - end) <= ROUNDING_MS + readCreationMs(charge),
    { evidence: check, cites: EXPIRATION_CITES },
    () =>
      `checkCode shows expiration as ${quote(expiration)}; expected ${new Date(end).toISOString()}.`,
  )
}

/**
 * Reads in how many milliseconds around the known time of its creation a charge was created: 0 if its record shows
 * when. Otherwise only the time of the response is known, whose date is in whole seconds.
 */
function readCreationMs({ created, fields }: KnownRecord): number {
  if (!created || fields.has('created_at')) return 0
  return created.completeAt - created.sentAt + ROUNDING_MS
}

const codesEnded: Rule = {
  id: 'codes-ended',
  says: 'A charge that has expired keeps its status.',
  advice: 'Show the status of the charge itself, whatever the time is.',
  /** Expects that an open charge is still shown as open after it has expired. */
  read(exchange, model, report) {
    const { operation, records } = exchange
    if (operation?.effect !== 'read') return

    for (const { kind, id, fields } of records) {
      const charge = model.records.find(kind, id)
      if (!charge || kind.name !== 'immediateQrCode') continue
      if (!isExpiredWhileOpen(charge, { exchange, model })) continue

      const status = stringAt(fields, '/status')
      if (status === undefined || mayHaveEndedUnseen(charge, status, model)) continue

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
 * Whether a charge may have ended before it expired, since somebody whom an incomplete history does not show has
 * paid or cancelled it. A word of the service's own says nothing of that.
 */
function mayHaveEndedUnseen({ kind }: KnownRecord, status: string, { isComplete }: Model): boolean {
  if (isComplete) return false
  return findState(kind, status) !== undefined && status !== OPEN
}

/** Whether an immediate charge was open when it was last shown, and has certainly expired since. */
function isExpiredWhileOpen(charge: KnownRecord, { exchange, model }: RequestContext): boolean {
  const wasOpen = readCertainValue(charge, 'status') === OPEN
  if (!wasOpen || hasConcurrentWrite(exchange, charge)) return false
  if (!hasCertainTime(exchange)) return false

  const end = calculateExpirationTime(charge)
  if (end === undefined) return false
  return model.timeAt(exchange.sentAt) >= end + readClockMarginMs(model)
}

type Copy = Copies[string]

const codesCopied: Rule = {
  id: 'codes-copied',
  says: 'A check, a transfer and a look-up repeat the fields of what they use, as the contract declares.',
  advice: 'Read the fields from the record that the request names.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Compares a response with the earlier responses whose results its request uses (its sources), such
   * as the creation of the code that is checked.
   */
  read(exchange, model, report) {
    // What a response shows to a request that should have been refused is not declared.
    if (exchange.outcome !== 'accepted' || isForbidden({ exchange, model })) return

    for (const source of model.sources.listSources(exchange)) {
      for (const namedCopy of listCopiesBetween(source, exchange))
        expectCopied(namedCopy, { source, exchange, model, report })
    }
  },
}

/** An entry of `copies` in spec/behaviour, with its name, such as `check-shows-charge`. */
type NamedCopy = readonly [name: string, copy: Copy]

/** Lists the declared copies from the operation of one exchange to that of another one. */
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

    const comparison = compareCopied(copy, field, shown)
    if (comparison === 'unknown') continue

    const isSame = comparison === 'same'
    const mayBeChanged = field.maySomebodyElseChange && !model.isComplete
    if (!isSame && mayBeChanged) continue

    reportCopiedField({ name, copy, field, shown, isSame }, context)
  }
}

/**
 * Notes the word that a service shows where the contract repeats a word of its own, such as
 * `QR_STATIC` in the check of a code that is `Static`. An open question asks for these words.
 */
function noteCopiedWord(
  [name, { question }]: NamedCopy,
  { pointer, word }: ExpectedValue,
  { exchange, report }: RuleContext,
): void {
  const isOtherWord = exchange.differences.some(
    (difference) => difference.pointer === pointer && difference.keyword === 'enum',
  )
  if (question === undefined || !isOtherWord || !isWord(word)) return

  const shown = valueAt(exchange.untranslatedBody, pointer)
  const at = `behaviour#/copies/${name}/${word}`
  report.saw({ question, at, of: 'name', seen: describeWord(shown) })
}

/**
 * Whether a field of a response can be compared with the field of an earlier one that it repeats: a service
 * must write both in one form, and the response has the declared shape there.
 */
function isComparable({ pointer, expected }: ExpectedValue, context: CopyContext): boolean {
  const { source, exchange } = context
  if (hasDeduction(pointer, source)) return false

  // The texts of a code are ASCII, so a service writes others in its own way.
  const isNotAscii = /[^ -~]/.test(String(expected))
  if (source.operation?.id === 'createStaticQrCode' && isNotAscii) return false

  const differences = exchange.differences.filter((difference) => difference.pointer === pointer)
  return differences.every((difference) => isOfMasking(difference, exchange.responseBody))
}

interface CopiedField {
  /** The name of the copy in spec/behaviour. */
  readonly name: string
  readonly copy: Copy
  readonly field: ExpectedValue
  readonly shown: unknown
  readonly isSame: boolean
}

/** Reports one field of a response as passed or failed: it has, or lacks, the value of its source. */
function reportCopiedField(
  { name, copy, field, shown, isSame }: CopiedField,
  { source, exchange, model, report }: CopyContext & RuleContext,
): void {
  const { pointer, expected } = field
  const sourceOperation = source.operation?.id ?? ''
  // Each operation whose fields are repeated is an entry of its own, with a verdict of its own.
  const entry = `${findEntryPointer(copy)}/from/${copy.from.indexOf(sourceOperation)}`
  const difference = isSame ? '' : classifyDifference(expected, shown)
  report.expect(
    isSame,
    {
      evidence: exchange,
      cites: difference === 'letters' ? NOTATION_QUESTION : { ...cite(copy), entry },
      about: `${name} ${pointer} ${difference}`,
      impact: 'high',
      mayLag: mayShowEarlierState({ exchange, model }),
    },
    () =>
      `${exchange.operation?.id} shows ${pointer} as ${quote(shown)}; expected ${quote(expected)}, as in ${sourceOperation}.`,
  )
}

/** Whether the code that a request names belongs to a record that was changed just before. */
function mayShowEarlierState({ exchange, model }: RequestContext): boolean {
  const [record] = model.records.findByCode(stringAt(exchange.requestBody, '/emv'))
  return record !== undefined && hasChanged(record) && mayLag(record, { exchange, model })
}

/** Compares a value with the one that it repeats. */
function compareCopied(
  { mayBeMasked }: Copy,
  { pointer, expected }: ExpectedValue,
  shown: unknown,
): Comparison {
  // A word for no value may stand for an empty string. Another rule judges such words.
  const isWordForNothing = typeof shown === 'string' && !isFilled(shown)
  if (expected === '' && isWordForNothing) return 'same'

  if (mayBeMasked) return compareTaxIds(String(expected), String(shown))
  // Another rule reports that a payer is masked. Of an owner, the masks themselves are compared.
  const isMaskedPayer = isOfPayer(pointer) && isSameButMasked(pointer, expected, shown)
  return isMaskedPayer || isSameValue(expected, shown) ? 'same' : 'different'
}

function isOfPayer(pointer: string): boolean {
  return pointer.startsWith('/payer/')
}

/** Whether a deduction may be taken off the shown amount already, which the rule money-due judges. */
function hasDeduction(pointer: string, { requestBody }: Exchange): boolean {
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
 * Lists the fields of a response with the value that each must show, by a copy: one of the earlier
 * request, one of its record as it is now, or a constant. `[{ pointer: '/amount', expected: '10.00' }]`.
 * Fields without a value are left out.
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
    const maySomebodyElseChange = CHANGING_FIELDS.has(from)
    const constant = findConstant(from, context)
    const word = constant === undefined ? expected : repeatValue(copy, constant)
    if (!isEmpty(expected)) expectedValues.push({ pointer, expected, word, maySomebodyElseChange })
  }

  // These may be empty strings.
  for (const [pointer, expected] of Object.entries(always))
    expectedValues.push({ pointer, expected, word: expected })

  return expectedValues
}

/** The value that a copy has for one of its source: the same, or the one that it lists for it. */
function repeatValue({ values }: Copy, value: unknown): unknown {
  return values ? values[String(value)] : value
}

/** Finds the constant that the contract declares where an earlier response shows another value. */
function findConstant(pointer: string, { source, model }: CopyContext): unknown {
  const difference = source.differences.find(
    (one) => one.pointer === pointer && one.keyword === 'const',
  )
  return difference && valueAt(model.contract.document, difference.contract)
}

/** The pointers of the fields of records that change with their state, such as `/status`. */
const CHANGING_FIELDS: ReadonlySet<string> = new Set(listChangingFields())

/** Lists the status and the volatile fields of each kind of records. */
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

  // What is known of a record are its fields. The pointer may lead to a value inside one.
  const name = fieldName(pointer)
  const knownBody = { [name]: readCertainValue(record, name) }
  return valueAt(knownBody, pointer)
}

/** Finds the record that is the whole body of a response; undefined if the body is something else. */
function findRecordOfBody({ records }: Exchange, model: Model): KnownRecord | undefined {
  const [shown] = records
  const isWholeBody = shown?.at === ''
  return isWholeBody ? model.records.find(shown.kind, shown.id) : undefined
}

export const codeRules = [codesExpiration, codesEnded, codesCopied]
