import type { Finding } from '@partner-payments/validator'
import { listFirstLeaves, listItems, valueAt, withValue } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Report } from '../report/report.ts'
import { isWord } from '../report/sightings.ts'

/**
 * Notes whether a service accepted or refused a value of a request, such as `1` for a modality. An open question asks
 * which values of the field (its `enum`) the service takes. Does nothing if the field has no list, or no question.
 *
 * @param field A pointer into the body of the request.
 */
export function noteEnumValue(field: string | undefined, exchange: Exchange, report: Report): void {
  if (field === undefined || exchange.requestBody === undefined) return

  const value = valueAt(exchange.requestBody, field)
  // Where the contract lists the values of the field, and the question about them.
  const finding = findEnumFinding(field, exchange)
  if (finding?.question === undefined) return

  // The place of the list in the contract, which ends with `/enum`.
  const enumPointer = finding.contract
  const declaredValues = listItems(valueAt(exchange.operation?.validator.document, enumPointer))
  const isAccepted = exchange.outcome === 'accepted'

  // Any other value may be personal, and is not written to a report.
  const isAcceptedAsDeclared = isAccepted && declaredValues.includes(value)
  if (!isWord(value) && !isAcceptedAsDeclared) return

  report.saw({
    question: finding.question,
    at: enumPointer.slice(0, -'/enum'.length),
    of: isAccepted ? 'accepted' : 'refused',
    seen: String(value),
  })
}

/**
 * Notes the modalities in an accepted request: `modality` says how a fine, discount or interest is given, such as
 * `1` for an amount in reais. Their values are an open question.
 */
export function noteModalities(exchange: Exchange, report: Report): void {
  const { outcome, requestBody, intent, isVariant } = exchange
  if (outcome !== 'accepted') return

  const isModality = (_: unknown, name?: string) => name === 'modality'
  for (const [pointer] of listFirstLeaves(requestBody, MAX_MODALITIES, isModality)) {
    // The value that the checker has edited is noted by the rule that judges the edit.
    const isNotedElsewhere = isVariant && pointer === intent?.edit
    if (!isNotedElsewhere) noteEnumValue(pointer, exchange, report)
  }
}

/** A charge has four. Each is validated with the whole body. */
const MAX_MODALITIES = 20

/** A value that no enum has. */
const VALUE_OF_NO_ENUM = ' '

/**
 * Finds the enumeration of a field of a request, by a trick: it gives the field a value that no enumeration has,
 * and the finding of the validator says where the contract lists the right ones. Undefined if the field has no
 * enumeration.
 */
function findEnumFinding(
  field: string,
  { operation, request, requestBody }: Exchange,
): Finding | undefined {
  const body = withValue(requestBody, field, VALUE_OF_NO_ENUM)
  const findings = operation?.validator.validateRequest({ ...request, body }) ?? []
  return findings.find(({ pointer, keyword }) => pointer === field && keyword === 'enum')
}
