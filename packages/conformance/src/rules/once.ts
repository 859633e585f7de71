import { stringAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { nameOf } from '../model/identity.ts'
import type { Use, UsedValue } from '../model/values.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { cited, judge, type Rule } from './rule.ts'

export const onceIssued: Rule = {
  id: 'once-issued',
  says: 'No two responses issue the same id, secret, payment code or one-time value.',
  advice: 'Draw each of them at random.',
  read(exchange, model, report) {
    const { conventions = {}, oneTimeValues = {} } = model.contract.behaviour
    // A service that accepts a unique value again may return the record that has it.
    for (const issued of model.values.isRepeated(exchange) ? [] : model.values.issuedIn(exchange)) {
      const isIssued = model.values.isIssued(issued)
      const message = `${exchange.operation?.id} shows a ${issued.pointer} that an earlier response has issued.`
      const cites = issued.name === 'initiation' ? cited(oneTimeValues.initiation) : cited(conventions.ids)
      judge(report, exchange, {
        cites,
        message: isIssued ? message : undefined,
        about: issued.pointer,
        impact: 'high',
      })
    }
  },
}

export const onceUnique: Rule = {
  id: 'once-unique',
  says: 'A unique value is accepted for one record of its partner, however many requests try it at once.',
  advice: 'Let the store keep the value unique, in the transaction that writes the record.',
  read(exchange, model, report) {
    for (const use of model.values.usesIn(exchange).filter(({ kind }) => kind && exchange.by)) {
      const known = model.values.known(use, exchange)
      const cites = cited(use.kind?.resource.unique?.[use.pointer], use.kind?.resource)
      const at = { cites, impact: 'critical' as const, about: use.pointer }
      const again = `${exchange.operation?.id} accepted a ${use.pointer} that a record of the partner has.`
      if (known?.accepted.length) judgeRepeated(exchange, { ...at, message: again }, report)
      const isFree = !known || known.accepted.length + known.perhaps.length === 0
      const isTaken = exchange.status === 409 && isFree && model.isComplete && !isTriedBeside(exchange, use)
      const isOthers = model.values.isUsed(use)
      const whose = isOthers ? 'only another partner' : 'nobody'
      const message = `${exchange.operation?.id} refused a ${use.pointer} that ${whose} has used (409).`
      // The rule once-refused judges a value that a refused request has used up.
      if (isTaken && (isOthers || (!known && model.values.forgotten === 0)))
        report.failed(exchange, cites, message, { about: `${use.pointer} of others` })
    }
  },
}

export const onceUsed: Rule = {
  id: 'once-used',
  says: 'A one-time value works once, in time, for what it was issued for, by the caller it was issued to.',
  advice: 'Mark the value as used in the transaction that does what the request asks for.',
  settles: ['initiation/used', 'transfer-repeat/used'],
  read(exchange, model, report) {
    for (const use of oneTimeUses(exchange, model)) {
      const known = model.values.known(use, exchange)
      const { used, unissued, question } = use.declared ?? {}
      const says = `${exchange.operation?.id} accepted a ${use.pointer}`
      if (!known?.issued) {
        const message = `${says} that no response has issued.`
        expectRepeatable(exchange, { use, model, report })
        if (unissued && model.isComplete && model.values.forgotten === 0)
          judgeRepeated(
            exchange,
            { cites: cited(unissued, { question }), about: 'unissued', message, impact: 'critical' },
            report,
          )
        continue
      }
      // The rejection of a payment leaves its charge open. Nothing says so of an initiation_id.
      const isFreed = (it: Exchange) => use.name !== 'initiation' && !isUsedUp(it, model)
      const before = known.accepted.filter((it) => !isFreed(it))
      const again = { cites: cited(used, { question }), about: 'used', message: `${says} a second time.` }
      if (before.length > 0) judgeRepeated(exchange, { ...again, impact: 'critical' }, report)
      for (const [about, words] of unbound(use, { known, exchange, model }))
        judgeRepeated(
          exchange,
          { cites: cited({ question }), about, message: `${says} ${words}.`, impact: 'critical' },
          report,
        )
    }
  },
}

export const onceRefused: Rule = {
  id: 'once-refused',
  says: 'A refused request uses no value up: the same value is accepted in a valid request.',
  advice: 'Mark a value as used in the transaction that does what the request asks for, and nowhere before.',
  settles: ['effects/refused'],
  read(exchange, model, report) {
    if (!model.isComplete) return
    for (const use of model.values.usesIn(exchange).filter((it) => !isTriedBeside(exchange, it))) {
      const known = model.values.known(use, exchange)
      const refused = known?.refused.length ?? 0
      if (!known || refused === 0 || known.accepted.length + known.perhaps.length > 0) continue
      const cites: Cites = { question: 'effects', statement: 'refused' }
      if (exchange.outcome === 'accepted') report.passed(exchange, cites)
      const code = use.declared?.used.refusal ?? use.kind?.resource.unique?.[use.pointer]?.refusal
      const isUsedUp = exchange.outcome === 'refused' && stringAt(exchange.shown, '/code') === code
      const message = `${exchange.operation?.id} refuses a ${use.pointer} as used, although no request with it was accepted.`
      if (isUsedUp && isValid(exchange)) report.failed(exchange, cites, message, { about: use.pointer })
    }
  },
}

/** Whether another request with the same value is on its way. */
function isTriedBeside({ beside }: Exchange, { value }: Use): boolean {
  return beside.some(({ request: { body = '' } }) => body.includes(value))
}

/** Uses of one-time values. One that responses do not issue, such as a static code, works any number of times. */
function oneTimeUses(exchange: Exchange, model: Model): Use[] {
  return exchange.by ? model.values.usesIn(exchange).filter(({ declared }) => declared) : []
}

/** Whether an accepted transfer keeps its value used. One that is rejected later frees it, as one to itself may be. */
export function isUsedUp({ shown }: Exchange, model: Model): boolean {
  const [id = '', status, payer, payee] = [
    '/id',
    '/status',
    '/data/payer/tax_id',
    '/data/beneficiary/tax_id',
  ].map((it) => stringAt(shown, it))
  const events = model.eventsOf(id)
  if (status === 'rejected' || events.includes('transfer.rejected')) return false
  return status === 'settled' || events.includes('transfer.settled') || (model.isComplete && payer !== payee)
}

interface Judged {
  readonly cites: Cites
  readonly message: string
  readonly about: string
  readonly impact: 'critical'
}

/** Only an acceptance is wrong; other rules judge the form of a refusal. */
function judgeRepeated(exchange: Exchange, { message, ...it }: Judged, report: Report): void {
  if (exchange.outcome === 'unknown') return
  judge(report, exchange, { ...it, message: exchange.outcome === 'accepted' ? message : undefined })
}

interface Tried {
  readonly use: Use
  readonly model: Model
  readonly report: Report
}

/** The code of a record whose kind issues no one-time values, such as a static code, works any number of times. */
function expectRepeatable(exchange: Exchange, { use, model, report }: Tried): void {
  const { used, question } = use.declared ?? {}
  if (!model.records.withCode(use.value)[0] || exchange.outcome === 'unknown') return
  const isRefused = stringAt(exchange.shown, '/code') === used?.refusal
  const message = `${exchange.operation?.id} refused a ${use.pointer} that may be used repeatedly (${exchange.status}).`
  if (isRefused || exchange.outcome === 'accepted')
    judge(report, exchange, {
      cites: cited(used, { question }),
      message: isRefused ? message : undefined,
      about: 'again',
    })
}

interface Issued {
  readonly known: UsedValue
  readonly exchange: Exchange
  readonly model: Model
}

/** How a request departs from what its value was issued for. */
export function unbound(
  { declared }: Use,
  { known: { issued }, exchange, model }: Issued,
): [about: string, words: string][] {
  const { boundTo = [], lifetime } = declared ?? {}
  if (!issued?.by || !exchange.by) return []
  const found: [string, string][] = []
  if (boundTo.includes('caller') && nameOf(issued.by) !== nameOf(exchange.by))
    found.push(['caller', 'that was issued to another caller'])
  for (const pointer of boundTo.filter((it) => it !== 'caller'))
    if (stringAt(issued.sent, pointer) !== stringAt(exchange.sent, pointer))
      found.push([pointer, `with another ${pointer}`])
  const age = model.timeAt(exchange.sentAt) - model.timeOf(issued)
  if (lifetime === 'PT30M' && age > HALF_AN_HOUR) found.push(['expired', 'after its lifetime'])
  return found
}

const HALF_AN_HOUR = 1_800_000
