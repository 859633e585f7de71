import type { OneTimeValue, Resource, Unique } from '@partner-payments/spec/behaviour'
import type { RequestContext } from '../causes/cause.ts'
import {
  type Departure,
  findDepartures,
  isRejected,
  isShownAgain,
  isShownAsPayment,
  isUsedUp,
} from '../causes/once.ts'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { mayContain } from '../history.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { OF_NO_CONTENT } from '../model/refusals.ts'
import { type IssuedValue, type Use, type UsedValue, worksOnce } from '../model/values.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { expectCode } from './refusal-code.ts'
import { cite, citeStatement, type EndContext, type Rule, type RuleContext } from './rule.ts'

const { conventions, resources } = behaviour
const oneTimeValues: Readonly<Record<string, OneTimeValue>> = behaviour.oneTimeValues

const onceIssued: Rule = {
  id: 'once-issued',
  says: 'Each response issues an id, a secret, a payment code or a one-time value that no other one issues.',
  advice: 'Draw each of them at random.',
  needs: [],
  /**
   * Expects that each value that a response issues, such as the id and the secret of a new webhook, is neither empty
   * nor issued before.
   */
  read(exchange, model, report) {
    for (const issued of model.values.listIssuedEmpty(exchange))
      reportIssuedEmpty(issued, { exchange, report })

    // A service that accepts a unique value again may return the record that has it.
    if (model.values.isRepeated(exchange)) return
    for (const issued of model.values.listIssued(exchange))
      expectNewlyIssued(issued, { exchange, model, report })
  },
}

/** Reports a value that a response should issue, such as an id, and leaves empty. */
function reportIssuedEmpty(
  { name, pointer }: Omit<IssuedValue, 'value'>,
  { exchange, report }: Omit<RuleContext, 'model'>,
): void {
  // Of a value that a later request must send back, a fact says that the response issues it.
  const cites = mustBeSentBack(name) ? { fact: 'initiation-sent-back' } : cite(conventions.ids)
  const message = `${exchange.operation?.id} shows an empty ${pointer}.`
  report.failed(exchange, cites, message, { about: `no ${pointer}` })
}

/** Whether a later request must send back a value that a response issues, such as an `initiation_id`. */
function mustBeSentBack(name: string): boolean {
  return oneTimeValues[name]?.unissued !== undefined
}

/** Expects that no earlier response has issued a value, such as an id or a secret, that this one issues. */
function expectNewlyIssued(issued: IssuedValue, { exchange, model, report }: RuleContext): void {
  const { pointer } = issued
  report.expect(
    !model.values.isIssued(issued),
    {
      evidence: exchange,
      cites: citeNewlyIssued(issued, { exchange, model }),
      about: pointer,
      impact: 'high',
    },
    () => `${exchange.operation?.id} shows a ${pointer} that an earlier response has issued.`,
  )
}

/**
 * Cites what says that a response issues a value that no other one issues: the declaration of an `initiation_id`, the
 * assumption about ids, or a fact if the rotation of a secret keeps the old one.
 */
function citeNewlyIssued(issued: IssuedValue, context: RequestContext): Cites {
  // That a rotation replaces the secret is a fact.
  if (isKeptSecret(issued, context)) return { fact: 'webhooks-managed' }

  // Only a value that a later request must send back has a declaration of its own.
  const { name } = issued
  if (mustBeSentBack(name)) return cite(oneTimeValues[name])
  return cite(conventions.ids)
}

/** Whether the rotation of a webhook's secret returns the secret that the webhook already has. */
function isKeptSecret(
  { pointer, value }: IssuedValue,
  { exchange, model }: RequestContext,
): boolean {
  const { operation, parameters } = exchange
  const isRotation = operation?.id === resources.webhook.operations.rotateSecret
  if (!isRotation || pointer !== '/secret') return false

  const webhook = model.deliveries.webhooks.find(({ id }) => id === parameters.webhook_id)
  const newestSecret = webhook?.secrets.at(-1)?.secret
  return newestSecret === value
}

const onceUnique: Rule = {
  id: 'once-unique',
  says: 'A unique value is accepted for one record of its partner, however many requests try it at once.',
  advice: 'Let the store keep the value unique, in the transaction that writes the record.',
  needs: [],
  /**
   * Judges each unique value of a request, which one record of a partner may have, such as the `tx_id` of a code: it
   * is refused if a record has it, and is not refused as taken if none has.
   */
  read(exchange, model, report) {
    if (!exchange.identity) return

    // The values of the request that work once: `{ name: 'tx_id', scope: 'partner', pointer: '/tx_id', value: 'A1' }`.
    for (const use of model.values.listUses(exchange)) {
      // Another rule judges one-time values, which have no scope.
      if (use.scope === undefined) continue

      // The earlier requests of the partner with the value, by their outcome; undefined if there was none.
      const usesOfPartner = model.values.findUsedValue(use, exchange)
      const isTaken = usesOfPartner !== undefined && usesOfPartner.accepted.length > 0
      if (isTaken) expectTakenRefused(use, usesOfPartner, exchange, report)
      reportRefusedUnused(use, usesOfPartner, { exchange, model, report })
    }
  },
}

/**
 * Expects that a request with a unique value, such as a `tx_id`, is refused with the declared code, `tx_id_taken`,
 * since an earlier request with the value was accepted.
 *
 * @param use The value, and its pointer in the request.
 * @param uses The earlier requests with the value, and the ids of the records that have it.
 */
function expectTakenRefused(use: Use, uses: UsedValue, exchange: Exchange, report: Report): void {
  // A service may return the record of the earlier request instead of a refusal, which is another finding.
  const id = stringAt(exchange.responseBody, '/id')
  const isEarlierRecord = id !== undefined && uses.records.includes(id)
  const about = isEarlierRecord ? `${use.pointer} repeated` : use.pointer
  const declared = findUniqueField(use, exchange)
  expectRefused({ about, words: 'that a record of the partner has' }, use, {
    cites: cite(declared),
    refusal: declared?.refusal,
    exchange,
    report,
  })
}

/**
 * Reports a request that is refused with 409, as if its unique value were taken, although no record of the partner
 * has the value: nobody has used it, or another partner has, whose values do not count.
 *
 * @param use The value, and its pointer in the request.
 * @param usesOfPartner The earlier requests of the partner with the value; undefined if there was none.
 */
function reportRefusedUnused(
  use: Use,
  usesOfPartner: UsedValue | undefined,
  { exchange, model, report }: RuleContext,
): void {
  if (exchange.status !== 409 || !model.isComplete) return
  if (isSentConcurrently(exchange, use)) return

  const user = findUser(use, usesOfPartner, model)
  if (user === 'perhaps this partner') return

  const message = `${exchange.operation?.id} refused a ${use.pointer} that ${user} has used (409).`
  report.failed(exchange, cite(findUniqueField(use, exchange)), message, {
    about: `${use.pointer} of others`,
  })
}

/**
 * Finds who has used a unique value before a partner sends it. `perhaps this partner` if a request of the partner
 * with the value was accepted, has an unknown outcome, or may be forgotten.
 */
function findUser(
  use: Use,
  usesOfPartner: UsedValue | undefined,
  { values }: Model,
): 'perhaps this partner' | 'only another partner' | 'nobody' {
  const { accepted = [], unknown = [] } = usesOfPartner ?? {}
  const mayBeTaken = accepted.length > 0 || unknown.length > 0
  if (mayBeTaken) return 'perhaps this partner'
  if (values.isUsed(use)) return 'only another partner'

  // The rule once-refused judges a value that this partner only sent in refused requests.
  const isUnused = usesOfPartner === undefined && values.forgotten === 0
  return isUnused ? 'nobody' : 'perhaps this partner'
}

/**
 * Finds what spec/behaviour declares of a unique value: `{ scope: 'partner', refusal: 'tx_id_taken' }` of the `/tx_id`
 * with which a code is created. Undefined of a one-time value.
 */
function findUniqueField({ pointer }: Use, { operation }: Exchange): Unique | undefined {
  const created = Object.values<Resource>(resources).find(
    ({ operations }) => operations.create === operation?.id,
  )
  return created?.unique?.[pointer]
}

const onceUsed: Rule = {
  id: 'once-used',
  says: 'A one-time value works once, in time, for what it was issued for, by the caller it was issued to.',
  advice: 'Mark the value as used in the transaction that does what the request asks for.',
  settles: [
    'initiation/caller',
    'initiation/dict_key',
    'initiation/expired',
    'transfer-repeat/initiation',
    'transfer-repeat/charge',
  ],
  needs: [],
  /**
   * Judges each one-time value of a request: the `initiation_id` of a transfer, which a look-up issues, or the
   * payment code that it pays. A request is refused if its value was used before, or was not issued for it.
   */
  read(exchange, model, report) {
    for (const oneTimeUse of listOneTimeUses(exchange, model)) {
      const context = { exchange, model, report }
      // The response that issued the value, and the earlier requests that used it; undefined if there was neither.
      const uses = model.values.findUsedValue(oneTimeUse.use, exchange)
      if (uses) judgeKnownValue(oneTimeUse, uses, context)

      const wasIssued = uses?.issued !== undefined
      if (!wasIssued) judgeUnissuedValue(oneTimeUse, context)
    }
  },
  /**
   * Judges the second uses of one-time values that were accepted while the first use, a transfer, was pending. At the
   * end, it is known whether the first one has settled, so that the second use should have been refused.
   */
  end(model, report) {
    // Those that `read` has noted.
    for (const secondUse of secondUses.get(model) ?? []) {
      const { oneTimeUse, uses, exchange } = secondUse
      // Whether one of the uses before has paid, as an event after it may have shown.
      const isUsed = wasUsed(oneTimeUse, uses, model)
      if (isUsed) expectSecondUseRefused(oneTimeUse, { exchange, model, report })
      else if (model.isComplete) expectFirstRejected(secondUse, { model, report })
    }
  },
}

/** Lists the one-time values that a request uses. Unique values, such as a `tx_id`, are left to another rule. */
function listOneTimeUses(exchange: Exchange, { values }: Model): OneTimeUse[] {
  const oneTimeUses: OneTimeUse[] = []
  for (const use of values.listUses(exchange)) {
    const declared = oneTimeValues[use.name]
    // A unique value has a scope: the records among which it is unique.
    const isUnique = use.scope !== undefined
    if (!isUnique && declared) oneTimeUses.push({ use, declared })
  }
  return oneTimeUses
}

/**
 * Judges the use of a one-time value that no response of the history has issued. An `initiation_id` is refused then.
 * A payment code may be paid: it is not that of a known charge, so it may be that of a static code.
 */
function judgeUnissuedValue(oneTimeUse: OneTimeUse, context: RuleContext): void {
  // Of a request without a known sender, a refusal may be one of its token.
  if (!context.exchange.identity) return

  const mustBeIssued = oneTimeUse.declared.unissued !== undefined
  if (mustBeIssued) expectUnissuedRefused(oneTimeUse, context)
  else expectRepeatable(oneTimeUse, context)
}

/**
 * Judges the use of a one-time value that was used or issued before: the request is refused if the value is used up,
 * or if the request differs from what it was issued for, such as by another `dict_key`.
 *
 * @param uses The exchange that issued the value, and the earlier uses by their outcome.
 */
function judgeKnownValue(oneTimeUse: OneTimeUse, uses: UsedValue, context: RuleContext): void {
  const { exchange, model } = context
  // Of a request without a known sender, a refusal may be one of its token.
  const mayBeRefusedForToken = exchange.identity === undefined && exchange.outcome !== 'accepted'
  if (mayBeRefusedForToken) return

  const isUsed = wasUsed(oneTimeUse, uses, model)
  if (isUsed) {
    expectSecondUseRefused(oneTimeUse, context)
  } else if (mayBeSecondUse(oneTimeUse, uses, exchange)) {
    // Only the end shows whether an earlier transfer that is pending has used the value.
    noteSecondUse({ oneTimeUse, uses, exchange }, model)
  }

  if (uses.issued) expectDeparturesRefused(oneTimeUse, { uses, isUsed }, context)
}

/** A use of a one-time value, and what is declared of it. */
interface OneTimeUse {
  readonly use: Use
  readonly declared: OneTimeValue
}

/** An accepted second use of a value, when nobody knew whether the first one would be rejected. */
interface SecondUse {
  readonly oneTimeUse: OneTimeUse
  /** The uses before it. */
  readonly uses: UsedValue
  readonly exchange: Exchange
}

/** The second uses of each history, which its end decides. */
const secondUses = new WeakMap<Model, SecondUse[]>()
const MAX_SECOND_USES = 1_000

/** Whether a value that works once was accepted again, so that the service may have been wrong to do so. */
function mayBeSecondUse({ use }: OneTimeUse, uses: UsedValue, exchange: Exchange): boolean {
  const isSecond = exchange.outcome === 'accepted' && uses.accepted.length > 0
  return isSecond && worksOnce(use, uses)
}

/**
 * Notes an accepted second use of a one-time value, to be judged at the end of the history, when it is
 * known whether the first use has paid.
 */
function noteSecondUse(secondUse: SecondUse, model: Model): void {
  const noted = secondUses.get(model) ?? []
  if (noted.length < MAX_SECOND_USES) noted.push(secondUse)
  secondUses.set(model, noted)
}

/**
 * Whether a value that works once was certainly used by an earlier accepted transfer. A rejected transfer leaves its
 * charge open, but it uses up an `initiation_id`, which is bound to what it was issued for (`unbound`).
 */
function wasUsed({ use, declared }: OneTimeUse, uses: UsedValue, model: Model): boolean {
  if (!worksOnce(use, uses)) return false
  return uses.accepted.some((transfer) => declared.unbound || isUsedUp(transfer, model))
}

/**
 * Expects that the first use of a value was rejected, since the second one was accepted. If nothing shows that it
 * was, the money may have moved twice.
 */
function expectFirstRejected(
  { oneTimeUse, uses, exchange }: SecondUse,
  { model, report }: EndContext,
): void {
  // A transfer that was rejected has not used the value.
  const areAllRejected = uses.accepted.every((transfer) => isRejected(transfer, model))
  if (areAllRejected) return

  // The response may only show the first transfer again.
  if (isShownAgain({ exchange, model })) return
  // If the code shows the second transfer as its payment, the first one has not paid it.
  if (isShownAsPayment(exchange, model.records)) return
  // A second transfer that was rejected too has moved nothing.
  if (isRejected(exchange, model)) return

  const message = `createTransfer accepted a ${oneTimeUse.use.pointer} a second time; expected that the first transfer was rejected, which nothing shows.`
  report.failed(exchange, citeSecondUse(oneTimeUse), message, {
    about: 'perhaps used',
    impact: 'high',
  })
}

/** Expects that a request with a one-time value that was used before is refused. */
function expectSecondUseRefused(oneTimeUse: OneTimeUse, context: RuleContext): void {
  const { use, declared } = oneTimeUse
  const { exchange, report } = context
  const result = classifySecondUse(context)
  expectRefused({ about: result, words: 'a second time' }, use, {
    cites: citeSecondUse(oneTimeUse),
    refusal: declared.used.refusal,
    exchange,
    report,
    impact: result === 'used' ? 'critical' : 'high',
  })
}

/** Cites that a one-time value works once. The second use may have an open question of its own. */
function citeSecondUse({ use, declared }: OneTimeUse): Cites {
  const { used } = declared
  const source = used.question ? used : declared
  return citeStatement(source, use.name, used)
}

/**
 * Says in a word what a second use of a one-time value led to: the service showed the first transfer again
 * (`repeated`), rejected the second one later (`rejected`), or may have moved money twice (`used`).
 */
function classifySecondUse({ exchange, model }: RequestContext): 'repeated' | 'rejected' | 'used' {
  if (isShownAgain({ exchange, model })) return 'repeated'
  return isRejected(exchange, model) ? 'rejected' : 'used'
}

/**
 * Expects that a request is refused for each departure from what its one-time value was issued for: it comes from another
 * caller, with another field, or too late. Such as `{ about: '/dict_key', words: 'with another /dict_key' }`.
 */
function expectDeparturesRefused(
  { use, declared }: OneTimeUse,
  { uses, isUsed }: { readonly uses: UsedValue; readonly isUsed: boolean },
  { exchange, model, report }: RuleContext,
): void {
  for (const departure of findDepartures(declared, uses, { exchange, model })) {
    const isLate = departure.about === 'expired'
    const declaredRefusal = isLate ? declared.expired?.refusal : declared.unbound?.refusal
    // The open question has a statement for each departure, such as `dict_key` for `/dict_key`.
    const statement = departure.statement ?? departure.about.replace('/', '')
    expectRefused(departure, use, {
      cites: citeStatement(declared, statement),
      // If it was used before too, the refusal may have the code for that.
      refusal: isUsed ? undefined : declaredRefusal,
      exchange,
      report,
    })
  }
}

/**
 * Expects that a request is refused if no response has issued its one-time value, such as an `initiation_id` that
 * somebody made up. Does nothing if a response that the history does not show may have issued it.
 */
function expectUnissuedRefused(
  { use, declared }: OneTimeUse,
  { exchange, model, report }: RuleContext,
): void {
  const { forgotten, mayIssueUnseen } = model.values
  const isCertain = model.isComplete && forgotten === 0 && !mayIssueUnseen
  if (!isCertain) return

  expectRefused({ about: 'unissued', words: 'that no response has issued' }, use, {
    cites: cite(declared.unissued),
    refusal: declared.unissued?.refusal,
    exchange,
    report,
  })
}

interface ExpectedRefusal extends Omit<RuleContext, 'model'> {
  readonly cites: Cites
  /** The code of the refusal; undefined if another fault may come first. */
  readonly refusal: string | undefined
  /** `critical` if money moves twice. Default: `high`. */
  readonly impact?: 'critical' | 'high'
}

/**
 * Expects that a request is refused for the fault of one of its values, and with the declared code.
 *
 * @param departure What is wrong with the value, such as `a second time` (`words`).
 * @param use The value, and its pointer in the request.
 */
function expectRefused({ about, words }: Departure, use: Use, expected: ExpectedRefusal): void {
  const { cites, refusal, exchange, report, impact = 'high' } = expected
  if (exchange.outcome === 'unknown') return

  report.expect(
    exchange.outcome !== 'accepted',
    {
      evidence: exchange,
      cites,
      about,
      impact,
    },
    () => `${exchange.operation?.id} accepted a ${use.pointer} ${words}.`,
  )
  if (concernsValues(exchange))
    expectCode(refusal, `a ${use.pointer} ${words}`, { cites, exchange, report })
}

/** Whether a refusal concerns what the values of a request mean, and not its form or its token. */
function concernsValues(exchange: Exchange): boolean {
  const hasAccessToken = exchange.token?.kind === 'access'
  return hasAccessToken && isValid(exchange) && !OF_NO_CONTENT.includes(exchange.status)
}

/**
 * Expects that the payment of a static code is not refused as a second use: a static code may be paid any number of
 * times. Does nothing if no response of the history has shown the code, or if the refusal has another code.
 */
function expectRepeatable(
  { use, declared }: OneTimeUse,
  { exchange, model, report }: RuleContext,
): void {
  const { operation, outcome, status, responseBody } = exchange
  const [record] = model.records.findByCode(use.value)
  if (!record) return

  // The declared code for a second use, such as `code_paid`.
  const codeOfSecondUse = declared.used.refusal
  const code = stringAt(responseBody, '/code')
  const isRefusedAsUsed = outcome === 'refused' && code === codeOfSecondUse
  // Any other refusal says nothing of the value.
  if (outcome !== 'accepted' && !isRefusedAsUsed) return

  report.expect(
    !isRefusedAsUsed,
    {
      evidence: exchange,
      cites: cite(declared),
      // Groups the refusals of static codes as one finding.
      about: 'again',
    },
    () => `${operation?.id} refused a ${use.pointer} that may be used repeatedly (${status}).`,
  )
}

const onceRefused: Rule = {
  id: 'once-refused',
  says: 'A refused request leaves its values unused: the same value is accepted in a valid request.',
  advice:
    'Mark a value as used in the transaction that does what the request asks for, and nowhere before.',
  settles: ['effects/refused'],
  /**
   * Expects that a request is not refused as a second use of its value, such as a `tx_id`, if all earlier requests
   * with the value were refused: a refused request uses nothing up.
   */
  read(exchange, model, report) {
    if (!model.isComplete) return

    for (const use of model.values.listUses(exchange)) {
      const uses = model.values.findUsedValue(use, exchange)
      if (!uses || isSentConcurrently(exchange, use)) continue

      const { refused, accepted, unknown } = uses
      const mayBeUsed = accepted.length > 0 || unknown.length > 0
      if (refused.length === 0 || mayBeUsed) continue

      const isRefused = isRefusedAsUsed(use, exchange)
      // Any other refusal says nothing of the value.
      if (exchange.outcome !== 'accepted' && !isRefused) continue

      report.expect(
        !isRefused,
        {
          evidence: exchange,
          cites: { question: 'effects', statement: 'refused' },
          about: use.pointer,
        },
        () =>
          `${exchange.operation?.id} refuses a ${use.pointer} as used, although no request with it was accepted.`,
      )
    }
  },
}

/** Whether a valid request is refused with the code that says that its value was used. */
function isRefusedAsUsed(use: Use, exchange: Exchange): boolean {
  if (exchange.outcome !== 'refused' || !isValid(exchange)) return false

  const declared = findUniqueField(use, exchange) ?? oneTimeValues[use.name]?.used
  return stringAt(exchange.responseBody, '/code') === declared?.refusal
}

/** Whether another request with the same value is on its way at the same time. */
function isSentConcurrently({ beside }: Exchange, { value }: Use): boolean {
  return beside.some(({ request }) => mayContain(request, value))
}

export const onceRules = [onceIssued, onceUnique, onceUsed, onceRefused]
