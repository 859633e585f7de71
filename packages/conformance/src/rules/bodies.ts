import { hasRepeatedField, stringAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { cited, judge, type Rule } from './rule.ts'

export const httpBodies: Rule = {
  id: 'http-bodies',
  says: 'A body that is missing, is not valid JSON, has another media type or is too large is refused with the status for it.',
  advice: 'Check the size, the media type and the JSON of a body before anything else.',
  settles: ['body-size/refused'],
  read(exchange, model, report) {
    const { operation, outcome, status, intent } = exchange
    const fault = operation && !operation.isAlias ? faultIn(exchange, model) : undefined
    if (!fault || outcome === 'unknown' || model.wasAccepted(intent?.variantOf) !== true) return
    // A conflict says that the body was read.
    if (status === 409 || status === 429) return
    const { words, expected, cites } = fault
    const isAccepted = outcome === 'accepted'
    // The rule refusals-invalid judges it.
    if (isAccepted && cites === undefined) return
    const message = `${operation?.id} ${isAccepted ? 'accepted' : 'refused'} ${words} (${status}); expected ${expected}.`
    judge(report, exchange, {
      cites: cites ?? cited(model.contract.behaviour.conventions?.refusals),
      message: status === expected ? undefined : message,
      about: `${words} ${status}`,
    })
  },
}

export const httpNotations: Rule = {
  id: 'http-notations',
  says: 'A valid request is accepted in every notation that HTTP and JSON allow.',
  advice: 'Parse media types, schemes and JSON by their standards.',
  settles: ['body-size/accepted'],
  read(exchange, model, report) {
    const { operation, outcome, intent, status } = exchange
    if (!operation || operation.isAlias || !intent?.isNotation || outcome === 'unknown') return
    if (model.wasAccepted(intent.variantOf) !== true || faultIn(exchange, model) || !isValid(exchange)) return
    const cites = notationCites(exchange, model)
    if (outcome === 'accepted') return report.passed(exchange, cites)
    const { refusals = {} } = model.contract.behaviour
    const code = stringAt(exchange.shown, '/code')
    const isOfBusiness = status === 422 && (code === undefined || refusals[code] !== undefined)
    if (isOfBusiness || ![400, 401, 406, 411, 413, 415, 422].includes(status)) return
    const message = `${operation.id} refused another notation of a request that it accepts (${status}).`
    report.failed(exchange, cites, message, { about: String(status) })
  },
}

interface Fault {
  readonly words: string
  readonly expected: number
  /** Undefined if the contract says that the request is invalid. */
  readonly cites?: Cites
}

/** Bytes of a body, by the assumption about its size. */
const LARGEST = 65_536

/** What is wrong with a body, apart from its fields. */
function faultIn(
  { operation, request: { body, headers }, sent }: Exchange,
  { contract }: Model,
): Fault | undefined {
  if (!operation || contract.examples(operation.id).length === 0) return undefined
  const { conventions = {} } = contract.behaviour
  if (body === undefined || body === '') return { words: 'no body', expected: 400 }
  if (Buffer.byteLength(body) > LARGEST) {
    const size = { ...cited(conventions.bodySize), statement: 'refused' } as Cites
    return { words: 'a body of more than 64 KB', expected: 413, cites: size }
  }
  const type = headers['content-type']
  if (type === undefined || !/^application\/json *(;|$)/i.test(type))
    return { words: `the media type ${type ?? 'none'}`, expected: 415 }
  if (sent === undefined) return { words: 'a body that is not valid JSON', expected: 400 }
  const repeated = cited(conventions.repeatedFields)
  return hasRepeatedField(body) ? { words: 'a field twice', expected: 400, cites: repeated } : undefined
}

/** The header or the part of the body that is written in another way. */
function notationCites({ request: { body = '', headers } }: Exchange, { contract }: Model): Cites {
  const { conventions = {} } = contract.behaviour
  if (Buffer.byteLength(body) > 10_000)
    return { ...cited(conventions.bodySize), statement: 'accepted' } as Cites
  if (!/^(Bearer|Basic) /.test(headers.authorization ?? '')) return cited(conventions.tokenScheme)
  if (headers.accept !== 'application/json') return { standard: 'RFC 9110, section 12.5.1' }
  if (body !== '' && headers['content-type'] !== 'application/json')
    return { standard: 'RFC 9110, section 8.3.1' }
  return { standard: 'RFC 8259, sections 2, 4 and 7' }
}
