import type { Finding } from '@partner-payments/validator'
import type { Cause, Requested } from '../causes/cause.ts'
import { chargeCauses } from '../causes/charges.ts'
import { codeCauses } from '../causes/codes.ts'
import { keyCauses } from '../causes/keys.ts'
import { transferCauses } from '../causes/transfers.ts'
import { urlCauses } from '../causes/webhooks.ts'
import { behaviour } from '../contract/behaviour.ts'
import { hasRepeatedField, stringAt, valueAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import type { Cites } from '../report/report.ts'
import { cited, judge, REFUSALS, type Rule } from './rule.ts'

const refusalsInvalid: Rule = {
  id: 'refusals-invalid',
  says: 'A request that does not match the contract is refused.',
  advice: 'Validate the request by the contract before anything else.',
  read(exchange, _model, report) {
    const { outcome, operation, request, intent } = exchange
    if (!operation || outcome === 'unknown' || request.method !== operation.method) return
    // Which of the two values counts is an assumption.
    if (request.body !== undefined && hasRepeatedField(request.body)) return
    if (intent?.variantOf !== undefined && !exchange.isVariant) return
    const { requestDifferences: found } = exchange
    const first = found.find(({ question }) => question === undefined) ?? found[0]
    if (!first) return
    const message = `${operation.id} accepted a request whose ${first.place}${first.pointer} is invalid: ${first.message}.`
    const at = { cites: citesOf(first, exchange), about: `${first.contract} ${first.keyword}` }
    judge(report, exchange, { ...at, message: outcome === 'accepted' && message })
  },
}

/**
 * A media type, a header or a repeated parameter is a matter of refusals alone, of which no fact
 * says anything.
 */
function citesOf(
  { question, contract, place, keyword, pointer }: Finding,
  { query }: Exchange,
): Cites {
  if (place === 'query' && query.get(pointer.slice(1)) === '')
    return { standard: 'common practice: a parameter without a value counts as absent' }
  const isRepeated = place === 'query' && keyword === 'type'
  if (place === 'media-type' || place === 'header' || isRepeated) return REFUSALS
  return question === undefined ? { pointer: contract } : { question }
}

const refusalsPlaced: Rule = {
  id: 'refusals-placed',
  says: 'The refusal of an invalid request names each invalid field.',
  advice: 'Send a JSON pointer to each invalid field in errors.',
  read(exchange, _model, report) {
    const { intent, shown, outcome, operation } = exchange
    if (outcome !== 'refused' || stringAt(shown, '/code') !== 'invalid_request') return
    const { edit, edits = edit ? [edit] : [] } = intent ?? {}
    if (edits.length === 0 || !exchange.isVariant) return
    const places = exchange.requestDifferences.map(({ pointer }) => pointer)
    // No standard says which alternative a service takes for the meant one.
    const isTransfer = operation?.id === 'createTransfer'
    if (
      places.length === 0 ||
      places.some((it) => it === '' || (isTransfer && CHOOSING.includes(it)))
    )
      return
    const errors = valueAt(shown, '/errors')
    const named = (Array.isArray(errors) ? errors : []).map((it) => stringAt(it, '/pointer') ?? '')
    const expected =
      edits.length === 1
        ? [places]
        : edits.map((it) => places.filter((place) => isAround(place, it)))
    if (expected.some((it) => it.length === 0)) return
    const missing = expected.find(
      (all) => !all.some((it) => named.some((name) => isAround(name, it))),
    )
    const message =
      missing && `The refusal names ${named.join(', ') || 'no place'}; expected ${missing[0]}.`
    judge(report, exchange, {
      cites: REFUSALS,
      message,
      about: edits.length === 1 ? 'pointer' : 'pointers',
    })
  },
}

/** Fields that say which kind of transfer is meant. */
const CHOOSING = ['/type', '/emv', '/initiation_id', '/dict_key']

/**
 * Whether a pointer names a field, one above it but not the whole body, or one inside it; or a
 * parameter of its name.
 */
function isAround(named: string, pointer: string): boolean {
  const isNear =
    named === pointer ||
    named.startsWith(`${pointer}/`) ||
    (named !== '' && pointer.startsWith(`${named}/`))
  return isNear || named.split(/[/.]/).at(-1) === pointer.slice(1)
}

const refusalsDeclared: Rule = {
  id: 'refusals-declared',
  says: 'A refusal has a code that the contract declares, with the status of that code.',
  advice: 'Take code and status from the error catalogue.',
  read(exchange, _, report) {
    const { operation, outcome, status } = exchange
    const code = stringAt(exchange.shown, '/code')
    if (outcome !== 'refused' || !operation || code === undefined) return
    const declared = behaviour.refusals[code]
    const statuses = declared?.responses?.map((it) => it.status) ?? []
    const words = declared
      ? `expected ${statuses.join(' or ')}`
      : 'which the contract does not declare'
    const message = `${operation.id} refused a request with the code ${code} and ${status}, ${words}.`
    const isRight = statuses.includes(status)
    judge(report, exchange, { cites: REFUSALS, message: !isRight && message, about: code })
  },
}

/**
 * The declared reasons to refuse a request that the history establishes, and those that it
 * excludes.
 */
function causesOf(requested: Requested): readonly Cause[] {
  const { exchange } = requested
  const find = CAUSES[exchange.operation?.id ?? '']
  // Some statuses do not depend on the content of a request.
  const isOther = [401, 403, 405, 408, 413, 415, 429].includes(exchange.status)
  return find && exchange.by && !isOther && isValid(exchange) ? find(requested) : []
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

const refusalsCauses: Rule = {
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
    if (outcome === 'unknown') return
    const isAccepted = outcome === 'accepted'
    for (const cause of causesOf({ exchange, model }).filter(({ applies }) => applies)) {
      // A request that was sent by itself is no case: nothing says that a valid one would be
      // accepted.
      if (isAccepted ? cause.isJudgedElsewhere : !exchange.isVariant) continue
      const message = `${operation?.id} accepted ${cause.says} (${status}); expected ${cause.code}.`
      judge(report, exchange, {
        cites: causeCites(cause),
        message: isAccepted && message,
        about: `${cause.code} ${cause.says}`,
        impact: 'high',
      })
    }
  },
}

function causeCites({ code, question, fact }: Cause): Cites {
  return cited({ fact }, { question }, behaviour.refusals[code])
}

const refusalsCoded: Rule = {
  id: 'refusals-coded',
  says: 'A refusal has the code and the status that the contract declares for its cause.',
  advice: 'Take code and status from the error catalogue, by the rule that the request breaks.',
  read(exchange, model, report) {
    const { operation, outcome, status, shown } = exchange
    if (outcome !== 'refused' || !exchange.isVariant) return
    const causes = causesOf({ exchange, model }).filter(({ applies }) => applies)
    const code = stringAt(shown, '/code')
    const cause = causes.find((it) => it.code === code) ?? causes[0]
    const { responses = [] } = behaviour.refusals[cause?.code ?? ''] ?? {}
    const declared = responses.find((it) => it.operations.includes(operation?.id ?? ''))
    const isTaken = code === 'tx_id_taken' && model.values.isRepeated(exchange)
    if (!cause || !declared || isTaken || isOfForm(code, cause)) return
    const isRight = cause.code === code && declared.status === status
    const isOtherReason = cause.code !== code && Object.hasOwn(behaviour.refusals, code ?? '')
    const message = `${operation?.id} refused ${cause.says} with ${status} (${code ?? 'no code'}); expected ${declared.status} (${cause.code}).`
    judge(report, exchange, {
      cites: isOtherReason ? causeCites(cause) : REFUSALS,
      message: !isRight && message,
      about: `${cause.code} ${cause.says}`,
    })
  },
}

/** Whether a service refuses the form of the request, of which the cause says nothing. */
function isOfForm(code: string | undefined, cause: Cause): boolean {
  const siblings = ['field_missing', 'invalid_charge']
  const areSiblings = [code, cause.code].every((it) => siblings.includes(it ?? ''))
  return code === 'invalid_request' || (code !== cause.code && areSiblings)
}

const refusalsTrue: Rule = {
  id: 'refusals-true',
  says: 'A refusal names a cause that is there: what is within a declared rule is accepted.',
  advice: 'Compare with the declared limit, which is still allowed.',
  read(exchange, model, report) {
    const { operation, outcome, status, shown } = exchange
    const code = stringAt(shown, '/code')
    if (!model.isComplete || outcome === 'unknown') return
    const causes = causesOf({ exchange, model })
    if (causes.some(({ applies }) => applies)) return
    for (const cause of causes.filter((it) => outcome === 'accepted' || it.code === code)) {
      const { when } = behaviour.refusals[cause.code] ?? {}
      const message = `${operation?.id} refused ${cause.says} (${status} ${code}), which means: ${when} By the history, this is not so.`
      const cites = causeCites(cause)
      judge(report, exchange, {
        cites,
        message: outcome === 'refused' && message,
        about: cause.code,
      })
    }
  },
}

export const refusalRules = [
  refusalsInvalid,
  refusalsPlaced,
  refusalsDeclared,
  refusalsCauses,
  refusalsCoded,
  refusalsTrue,
]
