import type { Context } from '../../engine/context.ts'
import type { Violation } from '../../engine/violation.ts'
import { assumptionsIn, isMeaning } from '../../model/assumptions.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import { isSchemaRefusal } from './refusal-kind.ts'
import type { Row } from './refusal-rows.ts'

/** Statuses that do not depend on the content of a request: credentials, timeout, rate limit. */
const OTHER_STATUSES = new Set([401, 408, 429])

/** Judges the response to a variant; the valid request was accepted before. */
export async function judgeVariant(
  context: Context,
  row: Row,
  exchange: Exchange,
  valid: Input = exchange.input,
): Promise<void> {
  const { status } = exchange.response
  const isAccepted = isSuccess(exchange)
  const isRefused = status >= 400 && status < 500 && !OTHER_STATUSES.has(status)
  if ((!isAccepted && !isRefused) || (row.isValid && !row.isRepeat && isOtherConflict(context, exchange)))
    return context.inconclusive()
  const place = placeOf(row)
  const invalid = isRefused ? await invalidPlace(context, row, exchange, valid) : undefined
  const { code, variant, isValid } = row
  if (isRefused && !isValid)
    expectDeclaredRefusal(context, exchange, { code, says: variant.says, place, invalid })
  else
    context.expect(exchange, isAccepted && isValid ? undefined : messageOf(row, status), {
      ...place,
      ...invalid,
    })
}

/** A conflict that the contract does not declare, such as with an earlier request, says nothing about a valid row. */
function isOtherConflict({ behaviour: { refusals = {} } }: Context, { response, body }: Exchange): boolean {
  return response.status === 409 && !Object.hasOwn(refusals, String(nodeOf(body).code))
}

/**
 * The open question about the form of a field that the variant sets, if the service refuses the request as one that does
 * not match its schema. It says nothing about the rule then.
 */
async function invalidPlace(
  context: Context,
  { variant }: Row,
  exchange: Exchange,
  valid: Input,
): Promise<Pick<Violation, 'question'> | undefined> {
  const { view, input } = exchange
  const set = Object.keys(variant.set ?? {})
  if (view?.bodyPointer === undefined || set.length === 0) return undefined
  if (!(await isSchemaRefusal(context, { exchange, valid }))) return undefined
  const [found] = assumptionsIn(context.contract.document, view.bodyPointer, input.body).filter(
    (it) => !isMeaning(it) && set.some((at) => it.at === at || it.at.startsWith(`${at}/`)),
  )
  return found && { question: found.question }
}

function messageOf({ code, variant: { operation, says }, isValid }: Row, status: number): string {
  return isValid
    ? `${operation} refused ${says} (${status}); expected it to be accepted.`
    : `${operation} accepted ${says} (${status}); expected ${code}.`
}

/** A fact has no question: a difference from it is a failure. An accepted edit has the impact that is declared. */
function placeOf({ code, refusal, variant, isValid }: Row): Pick<Violation, 'question' | 'about' | 'impact'> {
  const { question } = variant.fact === undefined && variant.question === undefined ? refusal : variant
  const { impact = refusal.impact } = variant
  return { question, about: `${code} ${variant.says}`, ...(impact && !isValid && { impact }) }
}

interface Expected {
  readonly code: string
  /** Words for what was refused. */
  readonly says: string
  readonly place: Partial<Violation>
  /** The place of a refusal of the form of the request. */
  readonly invalid?: Partial<Violation> | undefined
}

/**
 * Expects the declared status and code of a refusal. With the code of another declared refusal, the service refuses for
 * another reason than assumed; with another status, or a code that is not declared, only the form of errors differs.
 */
export function expectDeclaredRefusal(context: Context, exchange: Exchange, expected: Expected): void {
  const { code, says, place, invalid } = expected
  const { refusals: all = {} } = context.behaviour
  const operation = exchange.view?.id ?? ''
  const declared = all[code]?.responses?.find(({ operations }) => operations.includes(operation))
  const { status } = exchange.response
  const shown = String(nodeOf(exchange.body).code ?? 'no code')
  if (!declared || (declared.status === status && shown === code))
    return void context.expect(exchange, undefined, place)
  const message = `${operation} refused ${says} with ${status} (${shown}); expected ${declared.status} (${code}).`
  const isOtherReason = shown !== code && Object.hasOwn(all, shown)
  // The request was refused, so what its acceptance would put at stake is not.
  const { impact: _, ...reason } = invalid ?? place
  const cited = isOtherReason ? reason : { cites: { convention: 'refusals' } as const }
  context.expect(exchange, message, { ...cited, about: `${code} form` })
}
