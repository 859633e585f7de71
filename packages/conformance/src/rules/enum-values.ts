import type { Finding } from '@partner-payments/validator'
import { valueAt, withValue } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Report } from '../report/report.ts'
import { isWord } from '../report/sightings.ts'

/**
 * Notes whether a service accepted the value of a field that has an enum.
 *
 * @param field A pointer into the body of the request.
 */
export function noteEnumValue(field: string | undefined, exchange: Exchange, report: Report): void {
  if (field === undefined || exchange.sent === undefined) return

  const value = valueAt(exchange.sent, field)
  if (!isWord(value)) return

  const refusal = findEnum(field, exchange)
  if (refusal?.question === undefined) return

  report.saw({
    question: refusal.question,
    at: refusal.contract.slice(0, -'/enum'.length),
    of: exchange.outcome === 'accepted' ? 'accepted' : 'refused',
    seen: value,
  })
}

/** A value that no enum has. */
const VALUE_OF_NO_ENUM = ' '

/** Finds the enum of a field of a request, as the validator names it when it refuses another value. */
function findEnum(field: string, { operation, request, sent }: Exchange): Finding | undefined {
  const body = withValue(sent, field, VALUE_OF_NO_ENUM)
  const findings = operation?.validator.validateRequest({ ...request, body }) ?? []
  return findings.find(({ pointer, keyword }) => pointer === field && keyword === 'enum')
}
