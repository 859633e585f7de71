import type { Requested } from '../causes/cause.ts'
import { isUsedUp, unbound, type Words } from '../causes/once.ts'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import type { Use } from '../model/values.ts'
import type { Cites } from '../report/report.ts'
import { cited, judge, type Reading, type Rule } from './rule.ts'

const { conventions, oneTimeValues, resources } = behaviour
const { initiation, charge } = oneTimeValues
const unique = resources.immediateQrCode.unique['/tx_id']

const onceIssued: Rule = {
  id: 'once-issued',
  says: 'Each response issues an id, a secret, a payment code or a one-time value that no other one issues.',
  advice: 'Draw each of them at random.',
  read(exchange, model, report) {
    for (const { name, pointer: about } of model.values.emptyIn(exchange)) {
      const cites =
        name === 'initiation' ? { fact: 'initiation-sent-back' } : cited(conventions.ids)
      report.failed(exchange, cites, `${exchange.operation?.id} shows an empty ${about}.`, {
        about: `no ${about}`,
      })
    }
    // A service that accepts a unique value again may return the record that has it.
    for (const issued of model.values.isRepeated(exchange) ? [] : model.values.issuedIn(exchange)) {
      const { name, pointer: about } = issued
      const cites = cited(name === 'initiation' ? initiation : conventions.ids)
      const message = `${exchange.operation?.id} shows a ${about} that an earlier response has issued.`
      const isAgain = model.values.isIssued(issued)
      judge(report, exchange, { cites, message: isAgain && message, about, impact: 'high' })
    }
  },
}

const onceUnique: Rule = {
  id: 'once-unique',
  says: 'A unique value is accepted for one record of its partner, however many requests try it at once.',
  advice: 'Let the store keep the value unique, in the transaction that writes the record.',
  read(exchange, model, report) {
    const { values, isComplete } = model
    for (const use of values
      .usesIn(exchange)
      .filter(({ name }) => name === 'tx_id' && exchange.by)) {
      const { pointer } = use
      const known = values.known(use, exchange)
      const cites = cited(unique)
      if (known?.accepted.length)
        expectRefused(cites, [pointer, 'that a record of the partner has'], {
          use,
          exchange,
          report,
        })
      const isFree = !known || known.accepted.length + known.unknown.length === 0
      const isTaken =
        exchange.status === 409 && isFree && isComplete && !isTriedBeside(exchange, use)
      const isOthers = values.isUsed(use)
      const whose = isOthers ? 'only another partner' : 'nobody'
      const message = `${exchange.operation?.id} refused a ${pointer} that ${whose} has used (409).`
      // The rule once-refused judges a value that a refused request has used up.
      if (isTaken && (isOthers || (!known && values.forgotten === 0)))
        report.failed(exchange, cites, message, { about: `${pointer} of others` })
    }
  },
}

const onceUsed: Rule = {
  id: 'once-used',
  says: 'A one-time value works once, in time, for what it was issued for, by the caller it was issued to.',
  advice: 'Mark the value as used in the transaction that does what the request asks for.',
  settles: ['initiation/', 'transfer-repeat/'],
  read(exchange, model, report) {
    const { values, isComplete } = model
    for (const use of values
      .usesIn(exchange)
      .filter(({ name }) => name !== 'tx_id' && exchange.by)) {
      const known = values.known(use, exchange)
      const isInitiation = use.name === 'initiation'
      const at = { use, exchange, report }
      if (known?.issued) {
        const cites = isInitiation ? cited(initiation.used) : cited(charge)
        // The rejection of a payment leaves its charge open. Nothing says so of an initiation_id.
        const impact = isShownAgain({ exchange, model }) ? 'high' : 'critical'
        if (known.accepted.some((it) => isInitiation || isUsedUp(it, model)))
          expectRefused(cites, ['used', 'a second time'], { ...at, impact })
        for (const words of isInitiation ? unbound(known, { exchange, model }) : [])
          expectRefused(cited(initiation), words, at)
        continue
      }
      if (!isInitiation) expectRepeatable(use, { exchange, model, report })
      else if (isComplete && values.forgotten === 0)
        expectRefused(cited(initiation.unissued), ['unissued', 'that no response has issued'], at)
    }
  },
}

/** The earlier transfers that were accepted with a one-time value of this one. */
export function earlierTransfers({ exchange, model: { values } }: Requested): readonly Exchange[] {
  const known = values.usesIn(exchange).map((use) => values.known(use, exchange))
  const accepted = known.flatMap((it) => (it?.issued ? it.accepted : []))
  return accepted.filter(({ completeAt }) => completeAt < exchange.completeAt)
}

/**
 * Whether a response shows such an earlier transfer again, so that it need not have moved money.
 */
export function isShownAgain(requested: Requested): boolean {
  const id = stringAt(requested.exchange.shown, '/id')
  return (
    Boolean(id) && earlierTransfers(requested).some(({ shown }) => stringAt(shown, '/id') === id)
  )
}

interface Tried extends Omit<Reading, 'model'> {
  readonly use: Use
  /** `critical` if money moves twice. Default: `high`. */
  readonly impact?: 'critical' | 'high'
}

/** Only an acceptance is wrong; other rules judge the form of a refusal. */
function expectRefused(
  cites: Cites,
  [about, words]: Words,
  { use, exchange, report, impact = 'high' }: Tried,
): void {
  if (exchange.outcome === 'unknown') return
  const isAccepted = exchange.outcome === 'accepted'
  const message = `${exchange.operation?.id} accepted a ${use.pointer} ${words}.`
  judge(report, exchange, { cites, message: isAccepted && message, about, impact })
}

/**
 * The code of a record whose kind issues no one-time values, such as a static code, works any
 * number of times.
 */
function expectRepeatable({ value, pointer }: Use, { exchange, model, report }: Reading): void {
  const { operation, outcome, status, shown } = exchange
  const isRefused = outcome === 'refused' && stringAt(shown, '/code') === charge.used.refusal
  if (!model.records.withCode(value)[0] || !(isRefused || outcome === 'accepted')) return
  const message = `${operation?.id} refused a ${pointer} that may be used repeatedly (${status}).`
  judge(report, exchange, { cites: cited(charge), message: isRefused && message, about: 'again' })
}

const onceRefused: Rule = {
  id: 'once-refused',
  says: 'A refused request uses no value up: the same value is accepted in a valid request.',
  advice:
    'Mark a value as used in the transaction that does what the request asks for, and nowhere before.',
  settles: ['effects/refused'],
  read(exchange, model, report) {
    const { outcome, operation, shown } = exchange
    const uses = model.isComplete ? model.values.usesIn(exchange) : []
    for (const use of uses.filter((it) => !isTriedBeside(exchange, it))) {
      const { refused = [], accepted = [], unknown = [] } = model.values.known(use, exchange) ?? {}
      if (refused.length === 0 || accepted.length + unknown.length > 0) continue
      const { refusal } = use.name === 'tx_id' ? unique : oneTimeValues[use.name].used
      const isUsedUp =
        outcome === 'refused' && stringAt(shown, '/code') === refusal && isValid(exchange)
      if (outcome !== 'accepted' && !isUsedUp) continue
      const cites = { question: 'effects', statement: 'refused' }
      const message = `${operation?.id} refuses a ${use.pointer} as used, although no request with it was accepted.`
      judge(report, exchange, { cites, message: isUsedUp && message, about: use.pointer })
    }
  },
}

/** Whether another request with the same value is on its way. */
function isTriedBeside({ beside }: Exchange, { value }: Use): boolean {
  return beside.some(({ request: { body = '' } }) => body.includes(value))
}

export const onceRules = [onceIssued, onceUnique, onceUsed, onceRefused]
