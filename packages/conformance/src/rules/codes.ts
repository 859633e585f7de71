import type { Copies } from '@partner-payments/spec/behaviour'
import { type RequestContext, readClockMarginMs } from '../causes/cause.ts'
import { calculateExpirationTime, findCharge } from '../causes/codes.ts'
import { isForbidden } from '../causes/index.ts'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { type Comparison, isFilled, isSameValue, stringAt, valueAt } from '../contract/json.ts'
import { declaredKinds, fieldName } from '../contract/kinds.ts'
import { OPEN } from '../contract/words.ts'
import type { Exchange } from '../model/exchange.ts'
import { hasChanged, hasConcurrentWrite, readCertainValue } from '../model/records.ts'
import { compareTaxIds } from '../model/tax-ids.ts'
import { classifyDifference } from './difference.ts'
import { mayLag, NOTATION_QUESTION } from './fields.ts'
import { ALL_BUT_REQUEST_HEADERS, cite, quote, type Rule, type RuleContext } from './rule.ts'

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

    const isMisshaped = differences.some(({ pointer }) => pointer === '/expiration')
    const record = findCharge(stringAt(exchange.requestBody, '/emv') ?? '', { exchange, model })
    if (!record || isMisshaped) return

    const cites = { question: 'code-expiration' }
    if (record.kind.name !== 'immediateQrCode') {
      report.expect(
        expiration === null,
        { evidence: exchange, cites },
        () => `checkCode shows expiration as ${quote(expiration)}; expected null.`,
      )
      return
    }

    const end = calculateExpirationTime(record)
    if (end === undefined) return
    report.expect(
      Math.abs(Date.parse(String(expiration)) - end) <= ROUNDING_MS,
      { evidence: exchange, cites },
      () =>
        `checkCode shows expiration as ${quote(expiration)}; expected ${new Date(end).toISOString()}.`,
    )
  },
}

/** Milliseconds by which an end may be rounded. */
const ROUNDING_MS = 1_000

const codesEnded: Rule = {
  id: 'codes-ended',
  says: 'A charge that has expired keeps its status.',
  advice: 'Show the status of the charge itself, whatever the time is.',
  /** Expects that an open charge is still shown as open after it has expired. */
  read(exchange, model, report) {
    const { operation, records } = exchange
    if (operation?.effect !== 'read') return

    for (const { kind, id, fields } of records) {
      const record = model.records.find(kind, id)
      if (!record || kind.name !== 'immediateQrCode') continue

      const end = calculateExpirationTime(record)
      const hasEnded =
        end !== undefined && model.timeAt(exchange.sentAt) >= end + readClockMarginMs(model)
      if (!hasEnded || hasConcurrentWrite(exchange, record)) continue

      const status = stringAt(fields, '/status')
      const wasOpen = readCertainValue(record, 'status') === OPEN
      if (!wasOpen || status === undefined) continue

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

    for (const source of model.sources.listSources(exchange))
      for (const [name, copy] of Object.entries<Copy>(copies)) {
        const isDeclared =
          copy.to === exchange.operation?.id && copy.from.includes(source.operation?.id ?? '')
        if (isDeclared) expectCopied(name, copy, { source, exchange, model, report })
      }
  },
}

interface CopyContext extends RequestContext {
  /** The earlier exchange whose result the request uses, such as the creation of its code. */
  readonly source: Exchange
}

/**
 * Expects that a response repeats the fields of an earlier one (the source) that a copy declares. A copy
 * is an entry of spec/behaviour: the check of a code repeats the amount of its creation.
 */
function expectCopied(name: string, copy: Copy, context: CopyContext & RuleContext): void {
  const { exchange } = context
  for (const field of listExpectedValues(copy, context)) {
    const shown = valueAt(exchange.responseBody, field.pointer)
    if (shown === undefined || !isComparable(field, context)) continue

    const comparison = compareCopied(copy, field.expected, shown)
    if (comparison === 'unknown') continue

    const isSame = comparison === 'same'
    if (!isSame && field.maySomebodyElseChange && !context.model.isComplete) continue

    reportCopiedField({ name, copy, field, shown, isSame }, context)
  }
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

  const isMisshaped = exchange.differences.some((difference) => difference.pointer === pointer)
  return !isMisshaped
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
  const [record] = model.records.findByCode(stringAt(exchange.requestBody, '/emv'))
  report.expect(
    isSame,
    {
      evidence: exchange,
      cites: difference === 'letters' ? NOTATION_QUESTION : { ...cite(copy), entry },
      about: `${name} ${pointer} ${difference}`,
      impact: 'high',
      mayLag: record !== undefined && hasChanged(record) && mayLag(record, { exchange, model }),
    },
    () =>
      `${exchange.operation?.id} shows ${pointer} as ${quote(shown)}; expected ${quote(expected)}, as in ${sourceOperation}.`,
  )
}

/** Compares a value with the one that it repeats. */
function compareCopied({ mayBeMasked }: Copy, expected: unknown, shown: unknown): Comparison {
  // A word for no value may stand for an empty string. Another rule judges such words.
  if (expected === '' && typeof shown === 'string' && !isFilled(shown)) return 'same'

  if (mayBeMasked) return compareTaxIds(String(expected), String(shown))
  return isSameValue(expected, shown) ? 'same' : 'different'
}

/** Whether a deduction may be taken off the shown amount already, which the rule money-due judges. */
function hasDeduction(pointer: string, { requestBody }: Exchange): boolean {
  return pointer === '/original_amount' && valueAt(requestBody, '/amount/deduction') !== undefined
}

interface ExpectedValue {
  /** The place in the response. */
  readonly pointer: string
  readonly expected: unknown
  /** Whether it changes with the state, such as when somebody pays a charge. */
  readonly maySomebodyElseChange?: boolean
}

/**
 * Lists the fields of a response with the value that each must show, by a copy: one of the earlier
 * request, one of its record as it is now, or a constant. `[{ pointer: '/amount', expected: '10.00' }]`.
 * Fields without a value are left out.
 */
function listExpectedValues(copy: Copy, context: CopyContext): ExpectedValue[] {
  const { sent = {}, fields = {}, always = {}, values } = copy

  const fromRequest = Object.entries(sent).map(([from, pointer]) => ({
    pointer,
    expected: valueAt(context.source.requestBody, from),
  }))

  const fromRecord = Object.entries(fields).map(([from, pointer]) => {
    const value = readCurrentValue(from, context)
    return {
      pointer,
      expected: values ? values[String(value)] : value,
      maySomebodyElseChange: CHANGING_FIELDS.has(from),
    }
  })

  const constants = Object.entries(always).map(([pointer, expected]) => ({ pointer, expected }))

  return [...fromRequest, ...fromRecord, ...constants].filter(({ expected, pointer }) => {
    // An empty string is compared where the contract declares it.
    if (expected === '') return pointer in always
    return !isEmpty(expected)
  })
}

/** The fields of records that change with their state. */
const CHANGING_FIELDS: ReadonlySet<string> = new Set(
  declaredKinds.flatMap(({ resource: { status = [], volatile = [] } }) =>
    [status, volatile].flat(),
  ),
)

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return Array.isArray(value) && value.length === 0
}

/**
 * Reads the value that the record of an earlier response has now, at a pointer into that response. If
 * the response showed no record, it reads what it showed. Undefined while the record may change.
 */
function readCurrentValue(pointer: string, { source, exchange, model }: CopyContext): unknown {
  const [sourceRecord] = source.records
  const isWholeBody = sourceRecord?.at === ''
  const record = isWholeBody ? model.records.find(sourceRecord.kind, sourceRecord.id) : undefined
  if (!record) return valueAt(source.responseBody, pointer)
  if (hasConcurrentWrite(exchange, record)) return undefined

  const name = fieldName(pointer)
  const fields = { [name]: readCertainValue(record, name) }
  return valueAt(fields, pointer)
}

export const codeRules = [codesExpiration, codesEnded, codesCopied]
