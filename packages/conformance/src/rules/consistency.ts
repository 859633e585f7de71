import type { Requested } from '../causes/cause.ts'
import { chargeOf, isExpired } from '../causes/codes.ts'
import { isRejected, isSettled } from '../causes/once.ts'
import { customerField } from '../causes/payments.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { declaredKinds, fieldName, type Kind, kindOf } from '../contract/kinds.ts'
import { centavosOf, dayAt, reaisOf } from '../model/amounts.ts'
import { hasDeclaredTokenKind, idsOf, type WholeWalk } from '../model/consistency.ts'
import { walkTo } from '../model/earlier.ts'
import type { Exchange, Trace } from '../model/exchange.ts'
import { isBeside, isCreationBeside, type KnownRecord, sureValue } from '../model/records.ts'
import { schemeOf } from '../model/tokens.ts'
import { chargeUse } from '../model/values.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import type { Reading, Rule } from './rule.ts'

// These rules need neither a fact nor an assumption: they compare what a service does with what it
// showed or refused before.

const moneyConsistent: Rule = {
  id: 'money-consistent',
  says: 'The service moves no money against its own responses: it pays neither what it has cancelled or refuses to check, nor another amount than it showed.',
  advice:
    'Read the state and the amount of the charge in the transaction that pays it, as the check and the cancellation do.',
  read(exchange, model, report) {
    expectAccountOfPayer({ exchange, model, report })
    expectPartsOnce({ exchange, model, report })
  },
  end(model, report) {
    for (const { transfer, record } of settledTransfers(model)) {
      expectNotCancelled(transfer, record, { model, report })
      expectCheckable(transfer, { model, report })
      expectShownAmount(transfer, { model, report })
    }
  },
}

/** What an earlier response showed or refused, as the citation of a finding. */
function citeEarlier({ operation, requestId }: Trace, says: string): Cites {
  return { own: { operation, requestId, says } }
}

type Judging = Omit<Reading, 'exchange'>

interface SettledTransfer {
  readonly transfer: Exchange
  /** The record of the code that it paid. */
  readonly record: KnownRecord
}

/** The transfers of codes that have certainly moved money. */
function settledTransfers(model: Model): SettledTransfer[] {
  const records = declaredKinds.flatMap((kind) => model.records.of(kind))
  return records.flatMap((record) => {
    const emv = sureValue(record, 'emv')
    if (typeof emv !== 'string') return []

    const { accepted = [] } = model.values.known(chargeUse(emv), { by: undefined }) ?? {}
    const settled = accepted
      .filter(isFirstOfId)
      .filter((transfer) => hasPaid(transfer, record, model))
    return settled.map((transfer) => ({ transfer, record }))
  })
}

/** A service may show an earlier transfer again, which moves nothing. */
function isFirstOfId(transfer: Exchange, index: number, transfers: readonly Exchange[]): boolean {
  const idOf = ({ shown }: Exchange) => stringAt(shown, '/id')
  return transfers.findIndex((other) => idOf(other) === idOf(transfer)) === index
}

/** Whether a transfer has settled, or the status of its code has changed since it was cancelled. */
function hasPaid(transfer: Exchange, record: KnownRecord, model: Model): boolean {
  if (isRejected(transfer, model)) return false
  return isSettled(transfer, model) || hasChangedAfterEnd(record, model)
}

function hasChangedAfterEnd(record: KnownRecord, model: Model): boolean {
  const cancelled = model.consistency.cancellationOf(record.id)?.status
  const status = sureValue(record, 'status')
  return cancelled !== undefined && status !== undefined && status !== cancelled
}

function expectNotCancelled(
  transfer: Exchange,
  record: KnownRecord,
  { model, report }: Judging,
): void {
  const cancellation = model.consistency.cancellationOf(record.id)
  if (!cancellation) return

  const { by } = cancellation
  report.expect(
    transfer.sentAt < by.completeAt,
    {
      evidence: transfer,
      cites: citeEarlier(by, `${by.operation} has cancelled the code`),
      about: 'cancelled',
    },
    () => `createTransfer paid a code after ${by.operation} had cancelled it.`,
  )
}

function expectCheckable(transfer: Exchange, { model, report }: Judging): void {
  const refused = model.consistency.refusedCheckOf(transfer)
  if (!refused) return

  report.expect(
    transfer.sentAt < refused.completeAt,
    {
      evidence: transfer,
      cites: citeEarlier(refused, 'checkCode refused the code'),
      about: 'refused check',
    },
    () => 'createTransfer paid a code whose check the service had refused before.',
  )
}

/** The last check says what the code costs that day, and that its payer cannot change that. */
function expectShownAmount(transfer: Exchange, { model, report }: Judging): void {
  const check = model.sources
    .of(transfer)
    .findLast(({ operation }) => operation?.id === 'checkCode')
  if (!check || check.completeAt > transfer.sentAt) return
  if (valueAt(check.shown, '/allow_value_change') !== false) return

  const isSameDay = dayAt(check.trace.time) === dayAt(transfer.trace.time)
  const shown = centavosOf(stringAt(check.shown, '/final_amount'))
  const paid = centavosOf(stringAt(transfer.sent, '/amount'))
  // A code without an amount may be shown as one of zero.
  if (!isSameDay || !shown || paid === undefined) return

  const amount = reaisOf(shown)
  report.expect(
    paid === shown,
    {
      evidence: transfer,
      cites: citeEarlier(check.trace, `checkCode shows ${amount}, which cannot be changed`),
      about: 'amount',
    },
    () =>
      `createTransfer paid a code with ${reaisOf(paid)}, although its check shows final_amount as ${amount} and allow_value_change as false.`,
  )
}

/** The account of a transfer is not that of another customer, as look-ups of users show them. */
function expectAccountOfPayer({ exchange, model, report }: Reading): void {
  const { operation, outcome, by, shown } = exchange
  const isOfCustomer = by?.customer !== undefined
  if (operation?.id !== 'createTransfer' || outcome !== 'accepted' || !isOfCustomer) return
  if (model.values.isRepeated(exchange)) return

  const account = stringAt(shown, '/data/account_id')
  const expected = customerField('account_id', by, model)
  if (!account || expected === undefined) return

  const owner = model.records
    .of({ name: 'customer' })
    .find((customer) => sureValue(customer, 'account_id') === account)
  const lookUp = owner?.fields.get('account_id')?.at(-1)?.by
  // An account that no customer has may be named in another way.
  if (!lookUp) return

  report.expect(
    account === expected,
    {
      evidence: exchange,
      cites: citeEarlier(lookUp, 'it shows whose account that is'),
      about: 'account',
    },
    () => 'createTransfer of a customer pays from the account that another customer has.',
  )
}

/** The parts of an amount that are added, or taken off. */
const PARTS = { deduction: -1n, discount: -1n, fine: 1n, interest: 1n } as const
type Part = keyof typeof PARTS

/** The modality of a part that is a value. Of any other, a service may show the rate. */
const FIXED = '1'

/**
 * No part is counted twice. The original amount may have any of the parts already, since that is an
 * open question.
 */
function expectPartsOnce({ exchange, model, report }: Reading): void {
  const { operation, outcome, sent, shown } = exchange
  if (operation?.id !== 'checkCode' || outcome !== 'accepted') return

  const charge = chargeOf(stringAt(sent, '/emv') ?? '', { exchange, model })
  const isFixed = (part: Part) =>
    part !== 'interest' && valueAt(charge?.created?.sent, `/amount/${part}/modality`) === FIXED

  const original = centavosOf(stringAt(shown, '/original_amount'))
  const final = centavosOf(stringAt(shown, '/final_amount'))
  const parts = partsShown(shown)
  if (original === undefined || final === undefined || parts.length === 0) return

  const explained = sumsOf(original, parts)
  const isExplained = explained.includes(final)
  const twice = parts.find(
    ([name, centavos]) => isFixed(name) && explained.includes(final - centavos),
  )
  if (!isExplained && !twice) return

  report.expect(
    isExplained,
    {
      evidence: exchange,
      cites: citeEarlier(exchange.trace, `it shows the parts of ${reaisOf(final)}`),
      about: `twice ${twice?.[0]}`,
    },
    () => `checkCode shows final_amount as ${reaisOf(final)}, which counts ${twice?.[0]} twice.`,
  )
}

/** The parts that are not zero, with what each adds in centavos. */
function partsShown(shown: unknown): (readonly [name: Part, centavos: bigint])[] {
  const names = Object.keys(PARTS) as Part[]
  return names.flatMap((name) => {
    const centavos = centavosOf(stringAt(shown, `/${name}`)) ?? 0n
    return centavos === 0n ? [] : [[name, PARTS[name] * centavos] as const]
  })
}

/** The amount with each choice of the parts. */
function sumsOf(original: bigint, parts: readonly (readonly [Part, bigint])[]): bigint[] {
  let sums = [original]
  for (const [, centavos] of parts) sums = [...sums, ...sums.map((sum) => sum + centavos)]
  return sums
}

const accessConsistent: Rule = {
  id: 'access-consistent',
  says: 'A credential that the contract accepts nowhere, and that the service has refused, is refused everywhere.',
  advice: 'Check credentials in one place, before the operation is chosen.',
  read(exchange, model, report) {
    const { operation, token, outcome, request } = exchange
    const { authorization } = request.headers
    const words = wrongUseOf(exchange)
    if (!operation || !token || words === undefined || authorization === undefined) return
    if (!hasDeclaredTokenKind(exchange)) return

    const earlier = model.consistency.treatmentOf(authorization)
    if (outcome === 'accepted' && earlier.refused) {
      reportAccepted(words, { exchange, refused: earlier.refused, report })
      return
    }

    if (!model.consistency.isOfCredential(exchange)) return
    const wasAccepted = earlier.accepted !== undefined && isWithinLifetime(exchange, model)
    if (wasAccepted)
      reportAccepted(words, { exchange: earlier.accepted, refused: exchange.trace, report })
    else if (earlier.refused)
      report.passed(exchange, citeEarlier(earlier.refused, 'it was refused'))
  },
}

/** What is wrong with a token, whatever the operation; undefined if nothing is. */
function wrongUseOf({ token, request }: Exchange): string | undefined {
  if (token?.kind === 'refresh') return 'a refresh token'
  const scheme = schemeOf(request.headers.authorization)
  return scheme === 'bearer' ? undefined : 'a token in another scheme'
}

/** Whether a refusal cannot mean that a token has ended since it was accepted. */
function isWithinLifetime({ token, sentAt }: Exchange, model: Model): boolean {
  if (!token || model.timeAt(sentAt) >= token.until) return false
  return model.tokens.isOfLatest(token)
}

interface Treated {
  /** What was accepted. */
  readonly exchange: Exchange
  /** What was refused, before or after it. */
  readonly refused: Trace
  readonly report: Report
}

function reportAccepted(words: string, { exchange, refused, report }: Treated): void {
  const cites = citeEarlier(refused, `${refused.operation} refused the same credential with 401`)
  const message = `${exchange.operation?.id} accepted ${words} that ${refused.operation} refused with 401.`
  report.failed(exchange, cites, message, { about: words })
}

const listsConsistent: Rule = {
  id: 'lists-consistent',
  says: 'Two walks through one list show the same records, whatever the size of their pages.',
  advice:
    'Let the cursor name the last record of a page, and begin the next page directly after it.',
  read(exchange, model, report) {
    const page = model.walks.pageOf(exchange)
    const kind = kindOf(exchange.operation?.id)
    if (page?.next !== null || !kind || !model.isComplete) return

    // A record leaves such a list by itself, as when its payment settles.
    const isByStatus = exchange.query.has(fieldName(kind.resource.status ?? ''))
    const pages = walkTo(page)
    const sentAt = pages[0]?.sentAt ?? page.sentAt
    // What is created during a walk may move its pages.
    const hasMoved = (model.records.lastWrite(kind)?.completeAt ?? 0) >= sentAt
    const isMoving = pages.some((one) => isCreationBeside(one, kind, model.contract))
    if (isByStatus || hasMoved || isMoving) return

    const walk: Walk = { exchange, model, kind, sentAt, ids: idsOf(pages) }
    for (const earlier of model.consistency.walksOf(exchange)) {
      const missing = missingIn(walk, earlier)
      report.expect(
        missing.length === 0,
        {
          evidence: exchange,
          cites: citeEarlier(earlier.by, `the same list shows them ${limitInWords(earlier)}`),
          about: 'pages',
        },
        () =>
          `${exchange.operation?.id} leaves out ${missing.length} of ${earlier.ids.size} records that the same list shows ${limitInWords(earlier)}.`,
      )
    }
  },
}

interface Walk extends Requested {
  readonly kind: Kind
  /** When its first page was requested. */
  readonly sentAt: number
  readonly ids: ReadonlySet<string>
}

/** Records of an earlier walk to which nothing has happened since, and that this one leaves out. */
function missingIn(walk: Walk, earlier: WholeWalk): readonly KnownRecord[] {
  const { exchange, model, kind, ids } = walk
  if (hasClockMoved(exchange, earlier)) return []

  const records = [...earlier.ids].flatMap((id) => model.records.find(kind, id) ?? [])
  return records.filter((record) => {
    if (ids.has(record.id) || record.isGone !== false) return false
    if (record.changedAt >= earlier.sentAt || isBeside(exchange, record)) return false
    return !isExpired(record, walk) && !model.records.isRecent(record, walk)
  })
}

/** Milliseconds by which clocks may differ. */
const MARGIN_MS = 1_000

/** Whether the clock of the service was moved between two walks, after which records expire. */
function hasClockMoved({ completeAt, trace }: Exchange, { by }: WholeWalk): boolean {
  const passed = completeAt - by.completeAt
  const passedThere = trace.time - by.time
  return Math.abs(passedThere - passed) > MARGIN_MS
}

function limitInWords({ limit }: WholeWalk): string {
  return limit === null ? 'without a limit' : `with limit ${limit}`
}

export const consistencyRules = [moneyConsistent, accessConsistent, listsConsistent]
