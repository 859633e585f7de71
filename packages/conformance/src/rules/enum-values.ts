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
  const found = isWord(value) ? findEnum(field, exchange) : undefined
  if (!isWord(value) || found?.question === undefined) return

  report.saw({
    question: found.question,
    at: found.contract.slice(0, -'/enum'.length),
    of: exchange.outcome === 'accepted' ? 'accepted' : 'refused',
    seen: value,
  })
}

/** A value that no enum has. */
const VALUE_OF_NO_ENUM = ' '

/** The finding of the enum about a field of a request: the one that refuses any other value. */
function findEnum(field: string, { operation, request, sent }: Exchange): Finding | undefined {
  const body = withValue(sent, field, VALUE_OF_NO_ENUM)
  const findings = operation?.validator.validateRequest({ ...request, body }) ?? []
  return findings.find(({ pointer, keyword }) => pointer === field && keyword === 'enum')
}
