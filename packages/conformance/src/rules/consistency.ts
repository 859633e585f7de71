import { isDeepStrictEqual } from 'node:util'
import type { RequestContext } from '../causes/cause.ts'
import { mayBeExpired } from '../causes/codes.ts'
import { mayHaveExpired } from '../causes/permissions.ts'
import { behaviour } from '../contract/behaviour.ts'
import { fieldName, findKind, type Kind } from '../contract/kinds.ts'
import { hasDeclaredTokenKind, type Treatment, type WholeWalk } from '../model/consistency.ts'
import type { Exchange, Trace } from '../model/exchange.ts'
import { hasConcurrentCreation, hasConcurrentWrite, type KnownRecord } from '../model/records.ts'
import { schemeOf } from '../model/tokens.ts'
import { hasCertainTime } from '../model/unknown.ts'
import { listPagesSoFar, listRecordIds, type Page } from '../model/walks.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { expectConsistentBalances } from './consistency/balances.ts'
import { expectConsistentCancellation } from './consistency/cancellations.ts'
import { expectConsistentCheck } from './consistency/checks.ts'
import { expectConsistentEvents } from './consistency/events.ts'
import { expectNoLargerPayments } from './consistency/larger-payments.ts'
import { expectMaskedEverywhere } from './consistency/masks.ts'
import { expectConsistentPayments } from './consistency/payments.ts'
import { expectNoSettledRefusals } from './consistency/refused-transfers.ts'
import { expectConsistentAccess, expectConsistentImpersonations } from './consistency/rights.ts'
import { expectConsistentSettlements } from './consistency/settlements.ts'
import { expectConsistentTerms } from './consistency/terms.ts'
import { expectConsistentTransfer } from './consistency/transfers.ts'
import {
  ALL_BUT_REQUEST_HEADERS,
  citeEarlier,
  type Rule,
  type RuleContext,
  withArticle,
} from './rule.ts'

// These rules compare what a service does with what it showed or refused before. Most of their cases
// need neither a fact nor an assumption.

const moneyConsistent: Rule = {
  id: 'money-consistent',
  says: 'The service moves no money against its own responses: what it shows, cancels, refuses and pays are one amount, one receiver and one end.',
  advice:
    'Read the state, the amount and the receiver in the transaction that pays, and show responses and events from the same record.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /** Judges each response that shows or moves money by what earlier ones have shown; the rest waits for `end`. */
  read(exchange, model, report) {
    expectConsistentCheck({ exchange, model, report })
    expectConsistentTransfer({ exchange, model, report })
    expectConsistentCancellation({ exchange, model, report })
    expectConsistentTerms({ exchange, model, report })
    expectConsistentPayments({ exchange, model, report })
    expectConsistentBalances({ exchange, model, report })
  },
  end(model, report) {
    expectConsistentSettlements({ model, report })
    expectConsistentEvents({ model, report })
    expectNoSettledRefusals({ model, report })
    expectNoLargerPayments({ model, report })
  },
}

const accessConsistent: Rule = {
  id: 'access-consistent',
  says: 'The service gives access as its own responses say: it refuses a token everywhere or nowhere, finds what it has shown to somebody, and does not show a document that it masks in the same response.',
  advice:
    'Check credentials in one place, before the operation is chosen, and take rights and records from one query.',
  judges: 'refusals',
  read(exchange, model, report) {
    expectWrongCredentialRefused({ exchange, model, report })
    expectConsistentAccess({ exchange, model, report })
    expectMaskedEverywhere({ exchange, model, report })
  },
  end(model, report) {
    expectConsistentImpersonations({ model, report })
  },
}

/**
 * Expects that a service treats a wrong credential in one way: if one operation refuses a refresh token, all must. Does
 * nothing for a right credential, and for one that no earlier request had.
 */
function expectWrongCredentialRefused({ exchange, model, report }: RuleContext): void {
  const { authorization } = exchange.request.headers
  if (authorization === undefined) return
  // The refusal of a customer's token at an operation for partners concerns no credential.
  if (!hasDeclaredTokenKind(exchange)) return

  const fault = describeWrongUse(exchange)
  if (fault === undefined) return

  // What happened to this credential before: the last exchange that accepted it, and the last that refused it.
  const earlier = model.consistency.findTreatment(authorization)
  const contrary = findContraryTreatment(exchange, earlier, model)
  if (contrary) {
    reportContraryTreatment(fault, contrary, report)
    return
  }

  const isRefusedNow = model.consistency.isCredentialRefusal(exchange)
  if (isRefusedNow && earlier.refused)
    report.passed(exchange, citeEarlier(earlier.refused, 'it was refused'))
}

/** An acceptance and a refusal of one credential. Either may be the first. */
interface ContraryTreatment {
  readonly accepted: Exchange
  readonly refused: Trace
}

/**
 * Finds how a response contradicts what happened to its credential before: it is accepted now and was refused
 * with 401 then, or the other way round. Undefined if the two agree, or if the credential is new.
 */
function findContraryTreatment(
  exchange: Exchange,
  earlier: Treatment,
  model: Model,
): ContraryTreatment | undefined {
  if (exchange.outcome === 'accepted') {
    const { refused } = earlier
    return refused && { accepted: exchange, refused }
  }

  if (!model.consistency.isCredentialRefusal(exchange)) return undefined
  // A token that has ended since may be refused for that.
  if (!isWithinLifetime(exchange, model)) return undefined

  const { accepted } = earlier
  return accepted && { accepted, refused: exchange.trace }
}

/** Says what is wrong with a token, whatever the operation; undefined if nothing is. */
function describeWrongUse({ token, authorization }: Exchange): string | undefined {
  if (token?.kind === 'refresh') return 'a refresh token'
  const scheme = schemeOf(authorization)
  return scheme === 'bearer' ? undefined : 'a token in another scheme'
}

/**
 * Whether a token certainly had not ended, so that its refusal contradicts its acceptance. False also if it is
 * not known how long it works, or if a later sign-in may have ended it.
 */
function isWithinLifetime(exchange: Exchange, model: Model): boolean {
  const { token } = exchange
  if (!token || token.expiration === undefined || !hasCertainTime(exchange)) return false

  const isOfLastSignIn = model.tokens.isOfLatest(token)
  return isOfLastSignIn && !mayHaveExpired(token, exchange, model)
}

/**
 * Reports a wrong credential that the service accepted once, and refused another time.
 *
 * @param words What is wrong with it, such as `a refresh token`.
 */
function reportContraryTreatment(
  words: string,
  { accepted, refused }: ContraryTreatment,
  report: Report,
): void {
  const cites = citeEarlier(refused, `${refused.operation} refused the same credential with 401`)
  const message = `${accepted.operation?.id} accepted ${words} that ${refused.operation} refused with 401.`
  report.failed(accepted, cites, message, { about: words })
}

const listsConsistent: Rule = {
  id: 'lists-consistent',
  says: 'A list shows the records of its kind alone. Two walks through it show the same ones, whatever the size of their pages.',
  advice:
    'Select by the kind of the record. Let the cursor name the last record of a page, and begin the next page directly after it.',
  /**
   * Reports a list that shows a record of another kind. Compares a walk through one list, which is a series of pages
   * from the first to the last, with earlier walks through it: it must show each record that they showed, unless the
   * record has changed since.
   */
  read(exchange, model, report) {
    reportOtherKind({ exchange, model, report })
    if (!model.isComplete) return

    const walk = findEndedWalk({ exchange, model })
    if (!walk) return
    // Records may have come into the list, or left it, meanwhile.
    if (isListOfStatus(walk) || mayHaveMoved(walk)) return

    // A walk also ends if the cursor of a page leads to the same page again.
    const lastPage = walk.pages.at(-1)
    if (lastPage && repeatsPrevious(lastPage)) reportHiddenByRepetition(walk, report)

    const hasReachedEnd = lastPage?.isLast === true
    if (!hasReachedEnd) return
    for (const earlier of model.consistency.listWalks(exchange))
      expectNoneMissing(walk, earlier, report)
  },
}

/**
 * Reports a list that shows a record which the creation of another kind has created. The document has a list for each
 * kind of QR codes, but does not say what it shows.
 */
function reportOtherKind({ exchange, model, report }: RuleContext): void {
  for (const shownRecord of exchange.records) {
    const isInList = shownRecord.at !== ''
    const record = isInList ? model.records.findOfOtherKind(shownRecord) : undefined
    if (!record?.created) continue

    const creation = record.created.operation?.id
    const message = `${exchange.operation?.id} shows ${withArticle(record.kind.name)} that ${creation} has created.`
    const cites = citeEarlier(record.created.trace, `${creation} has created it`)
    // A program that adds up both lists counts its money twice.
    report.failed(exchange, cites, message, { about: 'another kind', impact: 'high' })
  }
}

/** A walk through the pages of a list, up to one that ends it. */
interface Walk extends RequestContext {
  readonly kind: Kind
  readonly pages: readonly Page[]
  /** When its first page was requested. */
  readonly sentAt: number
  /** The ids of the records that its pages show. */
  readonly ids: ReadonlySet<string>
}

/**
 * Finds the walk, with all its pages, that ends with the page of this exchange: no page follows, or it repeats the
 * page before. Undefined if the walk goes on, or if the exchange shows no page of a list.
 */
function findEndedWalk({ exchange, model }: RequestContext): Walk | undefined {
  const kind = findKind(exchange.operation?.id)
  const page = model.walks.readPage(exchange)
  if (!kind || !page) return undefined

  const hasEnded = page.isLast || repeatsPrevious(page)
  if (!hasEnded) return undefined

  const pages = listPagesSoFar(page)
  const [first] = pages
  return { exchange, model, kind, pages, sentAt: first.sentAt, ids: listRecordIds(pages) }
}

/** Whether a list is that of one status, which records leave by themselves, as when a payment settles. */
function isListOfStatus({ exchange, kind }: Walk): boolean {
  const { status } = kind.resource
  return status !== undefined && exchange.query.has(fieldName(status))
}

/** Whether a write during a walk may have moved its pages. */
function mayHaveMoved({ model, kind, pages, sentAt }: Walk): boolean {
  const lastWrite = model.records.lastWrite(kind)
  if (lastWrite && lastWrite.completeAt >= sentAt) return true
  return pages.some((page) => hasConcurrentCreation(page, kind, model.contract))
}

/** Whether a page shows just the records of the page before it, whose cursor led to it. */
function repeatsPrevious({ items, previous }: Page): boolean {
  if (!previous || items.length === 0) return false
  const ids = items.map(({ id }) => id)
  const idsOfPrevious = previous.items.map(({ id }) => id)
  return isDeepStrictEqual(ids, idsOfPrevious)
}

/**
 * Reports a list whose cursor leads to the same page again, so that whoever follows it never sees the other
 * records. That there are others must be certain: the list has shown them to the same caller, and nothing has
 * happened to them since.
 */
function reportHiddenByRepetition(walk: Walk, report: Report): void {
  const { exchange, model } = walk
  // A filter hides records too.
  if (isFiltered(exchange)) return
  // The checker has guessed at which place the service shows its cursor, and may be wrong.
  if (model.form.cursorPlace !== undefined) return

  const lists = findListsOfHidden(walk)
  const [list] = lists
  if (!list) return

  const message = `${exchange.operation?.id} shows the same page again for its cursor, and leaves out ${lists.length} records that it has shown.`
  report.failed(exchange, citeEarlier(list, 'the same list shows others'), message, {
    about: 'repeated page',
  })
}

/**
 * Finds the earlier responses of the same list that showed the same caller what a walk does not show: one for each
 * hidden record. A record that may have changed since is left out.
 */
function findListsOfHidden(walk: Walk): readonly Trace[] {
  const { exchange, model, kind } = walk
  const lists: Trace[] = []
  for (const record of model.records.listOfKind(kind)) {
    if (walk.ids.has(record.id)) continue

    // The last response of any list that showed the record to this caller.
    const list = model.consistency.findListing(exchange, record)
    const isSameList = list?.operation === exchange.operation?.id
    if (!list || !isSameList) continue

    if (isUnchangedSince(list, record, walk)) lists.push(list)
  }
  return lists
}

/** Whether the request of a list filters its records. */
function isFiltered({ operation, query }: Exchange): boolean {
  const { cursor, limit } = behaviour.lists[operation?.id ?? '']?.pages ?? {}
  return [...query.keys()].some((name) => name !== cursor && name !== limit)
}

/** Expects that a walk shows each record that an earlier one showed, and to which nothing has happened. */
function expectNoneMissing(walk: Walk, earlier: WholeWalk, report: Report): void {
  const { exchange } = walk
  const missing = listMissing(walk, earlier)
  report.expect(
    missing.length === 0,
    {
      evidence: exchange,
      cites: citeEarlier(earlier.by, `the same list shows them ${describeLimit(earlier)}`),
      about: 'pages',
    },
    () =>
      `${exchange.operation?.id} leaves out ${missing.length} of ${earlier.ids.size} records that the same list shows ${describeLimit(earlier)}.`,
  )
}

/** Lists the records that an earlier walk showed and this one leaves out, although they are unchanged. */
function listMissing(walk: Walk, earlier: WholeWalk): readonly KnownRecord[] {
  // While the clock of the service was moved, records may have expired.
  if (hasClockMoved(walk.exchange, earlier)) return []

  const missing: KnownRecord[] = []
  for (const id of earlier.ids) {
    const record = walk.model.records.find(walk.kind, id)
    if (!record || walk.ids.has(id)) continue

    if (isUnchangedSince(earlier, record, walk)) missing.push(record)
  }
  return missing
}

/**
 * Whether a record is certainly still as it was when its list has shown it: no request has changed or deleted
 * it since, and it has certainly not expired.
 */
function isUnchangedSince(
  earlier: { readonly sentAt: number },
  record: KnownRecord,
  walk: Walk,
): boolean {
  const { exchange, model } = walk
  const mayBeDeleted = record.presence !== 'there'
  if (mayBeDeleted) return false

  const wasChangedSince = record.changedAt >= earlier.sentAt
  if (wasChangedSince || hasConcurrentWrite(exchange, record)) return false
  if (mayBeExpired(record, walk)) return false

  // After a recent change, the list may lag, and leave the record out.
  const mayLag = model.records.isRecent(record, walk)
  return !mayLag
}

/** Milliseconds by which clocks may differ. */
const MARGIN_MS = 1_000

/**
 * Whether the clock of the service was moved between two walks, so that more time has passed there than
 * here.
 */
function hasClockMoved({ completeAt, trace }: Exchange, { by }: WholeWalk): boolean {
  const passedMs = completeAt - by.completeAt
  const passedAtServiceMs = trace.time - by.time
  return Math.abs(passedAtServiceMs - passedMs) > MARGIN_MS
}

function describeLimit({ limit }: WholeWalk): string {
  return limit === null ? 'without a limit' : `with limit ${limit}`
}

export const consistencyRules = [moneyConsistent, accessConsistent, listsConsistent]
