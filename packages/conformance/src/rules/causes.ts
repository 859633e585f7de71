import type { Cause, Requested } from '../causes/cause.ts'
import { chargeCauses } from '../causes/charges.ts'
import { codeCauses } from '../causes/codes.ts'
import { keyCauses, urlCauses } from '../causes/others.ts'
import { transferCauses } from '../causes/transfers.ts'
import { stringAt } from '../contract/json.ts'
import { isValid } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { cited, judge, type Rule } from './rule.ts'

/** The declared reasons to refuse a request that the history establishes, and those that it excludes. */
function causesOf(requested: Requested): readonly Cause[] {
  const { exchange } = requested
  const find = CAUSES[exchange.operation?.id ?? '']
  return find && exchange.by && isValid(exchange) ? find(requested) : []
}

/** Whether a declared rule forbids a request. */
export function isForbidden(requested: Requested): boolean {
  return causesOf(requested).some(({ applies }) => applies)
}

const CAUSES: Readonly<Record<string, (requested: Requested) => Cause[]>> = {
  checkCode: codeCauses,
  checkKey: keyCauses,
  createTransfer: transferCauses,
  createImmediateQrCode: chargeCauses,
  createDueDateQrCode: chargeCauses,
  createStaticQrCode: chargeCauses,
  createWebhook: urlCauses,
  updateWebhook: urlCauses,
}

/** Statuses that do not depend on the content of a request. */
const OTHER = [401, 403, 405, 408, 413, 415, 429]

export const refusalsCauses: Rule = {
  id: 'refusals-causes',
  says: 'A request that a declared rule forbids is refused.',
  advice: 'Refuse the request before any work, or change the rule in spec/behaviour.',
  settles: [
    'code-forms/',
    'key-forms/',
    'transfer-beneficiary/',
    'transfer-scheduling/',
    'insufficient-funds/',
  ],
  read(exchange, model, report) {
    const { operation, outcome, status } = exchange
    if (outcome === 'unknown' || OTHER.includes(status)) return
    for (const cause of causesOf({ exchange, model }).filter(({ applies }) => applies)) {
      const { impact = 'high' } = model.contract.behaviour.refusals?.[cause.code] ?? {}
      const message = `${operation?.id} accepted ${cause.says} (${status}); expected ${cause.code}.`
      const isAccepted = outcome === 'accepted'
      if (isAccepted && cause.isJudgedElsewhere) continue
      if (!isAccepted && !isVariant(exchange.intent?.variantOf, model)) continue
      judge(report, exchange, {
        cites: citesOf(cause, model),
        message: isAccepted ? message : undefined,
        about: `${cause.code} ${cause.says}`,
        impact: cause.impact ?? impact,
      })
    }
  },
}

export const refusalsCoded: Rule = {
  id: 'refusals-coded',
  says: 'A refusal has the code and the status that the contract declares for its cause.',
  advice: 'Take code and status from the error catalogue, by the rule that the request breaks.',
  read(exchange, model, report) {
    const { operation, outcome, status, shown, intent } = exchange
    if (outcome !== 'refused' || OTHER.includes(status) || !isVariant(intent?.variantOf, model)) return
    const causes = causesOf({ exchange, model }).filter(({ applies }) => applies)
    const code = stringAt(shown, '/code')
    const cause = causes.find((it) => it.code === code) ?? causes[0]
    const { refusals = {}, conventions = {} } = model.contract.behaviour
    const declared = refusals[cause?.code ?? '']?.responses?.find((it) =>
      it.operations.includes(operation?.id ?? ''),
    )
    if (!cause || !declared || isOfForm(code, cause)) return
    const isRight = cause.code === code && declared.status === status
    const isOtherReason = cause.code !== code && Object.hasOwn(refusals, code ?? '')
    const message = `${operation?.id} refused ${cause.says} with ${status} (${code ?? 'no code'}); expected ${declared.status} (${cause.code}).`
    judge(report, exchange, {
      cites: isOtherReason ? citesOf(cause, model) : cited(conventions.refusals),
      message: isRight ? undefined : message,
      about: `${cause.code} ${cause.says}`,
    })
  },
}

export const refusalsTrue: Rule = {
  id: 'refusals-true',
  says: 'A refusal names a cause that is there: what is within a declared rule is accepted.',
  advice: 'Compare with the declared limit, which is still allowed.',
  read(exchange, model, report) {
    const code = stringAt(exchange.shown, '/code')
    if (!model.isComplete || exchange.outcome === 'unknown' || OTHER.includes(exchange.status)) return
    const causes = causesOf({ exchange, model })
    const isExplained = causes.some(({ applies }) => applies)
    for (const cause of isExplained ? [] : causes) {
      const message = `${exchange.operation?.id} refused ${cause.says} (${exchange.status} ${code}).`
      const isNamed = exchange.outcome === 'refused' && cause.code === code
      if (exchange.outcome === 'accepted' || isNamed)
        judge(report, exchange, {
          cites: citesOf(cause, model),
          message: isNamed ? message : undefined,
          about: cause.code,
        })
    }
  },
}

/** Whether a service refuses the form of the request, of which the cause says nothing. */
function isOfForm(code: string | undefined, cause: Cause): boolean {
  const siblings = ['field_missing', 'invalid_charge']
  return (
    code === 'invalid_request' ||
    (code !== cause.code && [code, cause.code].every((it) => siblings.includes(it ?? '')))
  )
}

/** A request that was sent by itself is judged too: nothing says that a valid one would be refused. */
function isVariant(variantOf: number | undefined, model: Model): boolean {
  return variantOf !== undefined && model.wasAccepted(variantOf) === true
}

function citesOf({ code, question, fact }: Cause, { contract }: Model): Cites {
  return cited(
    fact === undefined ? undefined : { fact },
    question === undefined ? undefined : { question },
    contract.behaviour.refusals?.[code],
  )
}
