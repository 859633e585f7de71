import type { Finding } from '@partner-payments/validator'
import { leavesOf, listItems, valueAt, withValue } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Report } from '../report/report.ts'
import { isWord } from '../report/sightings.ts'

/**
 * Notes whether a service accepted or refused the value of a field for which the contract declares an
 * enumeration by assumption. Which values a service takes is an open question.
 *
 * @param field A pointer into the body of the request.
 */
export function noteEnumValue(field: string | undefined, exchange: Exchange, report: Report): void {
  if (field === undefined || exchange.requestBody === undefined) return

  const value = valueAt(exchange.requestBody, field)
  const finding = findEnumFinding(field, exchange)
  if (finding?.question === undefined) return

  const keywordPointer = finding.contract
  const declaredValues = listItems(valueAt(exchange.operation?.validator.document, keywordPointer))
  const isAccepted = exchange.outcome === 'accepted'
  // Any other value may be personal.
  const isNoted = isWord(value) || (isAccepted && declaredValues.includes(value))
  if (!isNoted) return

  report.saw({
    question: finding.question,
    at: keywordPointer.slice(0, -'/enum'.length),
    of: isAccepted ? 'accepted' : 'refused',
    seen: String(value),
  })
}

/** Notes the modalities of the amounts that an accepted request has, apart from one that was edited. */
export function noteModalities(exchange: Exchange, report: Report): void {
  const { outcome, requestBody, intent, isVariant } = exchange
  if (outcome !== 'accepted') return

  for (const [pointer] of leavesOf(requestBody)) {
    // The rules that judge an edit of an accepted request note its value.
    const isNotedElsewhere = isVariant && pointer === intent?.edit
    if (pointer.endsWith('/modality') && !isNotedElsewhere) noteEnumValue(pointer, exchange, report)
  }
}

/** A value that no enum has. */
const VALUE_OF_NO_ENUM = ' '

/**
 * Finds the enumeration of a field of a request: the finding of the validator about the keyword `enum`
 * when the field has a value that no enumeration has. Undefined if the field has no enumeration.
 */
function findEnumFinding(
  field: string,
  { operation, request, requestBody }: Exchange,
): Finding | undefined {
  const body = withValue(requestBody, field, VALUE_OF_NO_ENUM)
  const findings = operation?.validator.validateRequest({ ...request, body }) ?? []
  return findings.find(({ pointer, keyword }) => pointer === field && keyword === 'enum')
}
