import type { Behaviour, Refusal, Variant } from '@partner-payments/spec/behaviour'
import type { Context } from '../engine/context.ts'
import type { Rule } from '../engine/rule.ts'
import type { Violation } from '../engine/violation.ts'
import { nodeOf } from '../model/document.ts'
import type { Exchange, Identity } from '../model/exchange.ts'
import { isSuccess } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import { doBefore, editedRequest, isLater, validRequest } from './variant-request.ts'

/** Sends requests that a declared rule forbids: each is an edit of a request that was just accepted. */
export const refusals: Rule = {
  id: 'refusals',
  phase: 'records',
  cites: 'contract',
  stateful: true,
  impact: 'high',
  waits: 'lists',
  title: 'A request that a declared rule forbids is refused, and one at the edge of the rule is accepted.',
  advice: 'Refuse the request before any work, or change the rule in spec/behaviour.',
  run: (context) => tryRows(context, ({ variant }) => !isLater(variant)),
}

const { waits: _, ...atOnce } = refusals

/** The edits that need more time than a run waits for. */
export const refusalsLater: Rule = {
  ...atOnce,
  id: 'refusals-later',
  phase: 'later',
  needsSandboxControl: true,
  title: 'A request that a declared rule forbids after some time is refused then, and not before.',
  run: (context) => tryRows(context, ({ variant }) => isLater(variant)),
}

/** A request that is refused with a code, or one at the edge of the rule that is accepted. */
export interface Row {
  readonly code: string
  readonly refusal: Refusal
  readonly variant: Variant
  readonly isValid: boolean
}

function rowsOf({ refusals: all = {} }: Behaviour): Row[] {
  return Object.entries(all).flatMap(([code, refusal]) => {
    const row = (isValid: boolean) => (variant: Variant) => ({ code, refusal, variant, isValid })
    return [...(refusal.variants ?? []).map(row(false)), ...(refusal.valid ?? []).map(row(true))]
  })
}

/** Refusals by a business rule, to learn their form: one request for each of two codes. */
export async function businessRefusals(context: Context, view: OperationView): Promise<Exchange[]> {
  const rows = rowsOf(context.behaviour).filter(
    (row) => !row.isValid && row.variant.operation === view.id && !row.variant.after && canTry(context, row),
  )
  const first = [...Map.groupBy(rows, ({ code }) => code).values()].flatMap(([row]) => row ?? []).slice(0, 2)
  const sent: Exchange[] = []
  for (const { variant } of first) {
    const valid = await validRequest(context, variant)
    const input = valid && editedRequest(context, variant, valid)
    if (input) sent.push(await context.send(view, input, { identity: senderOf(variant) }))
  }
  return sent
}

async function tryRows(context: Context, isMeant: (row: Row) => boolean): Promise<void> {
  const rows = rowsOf(context.behaviour).filter((row) => isMeant(row) && canTry(context, row))
  const groups = Map.groupBy(rows, ({ variant: { operation, example, from, as } }) =>
    [operation, example, from, as].join(' '),
  )
  const all = [...groups.values()]
  // Time passes for all rows at once.
  if (rows.some(({ variant }) => isLater(variant))) for (const group of all) await tryGroup(context, group)
  else await context.each(all, (group) => tryGroup(context, group))
}

/** Tries rows that edit the same request, after it was accepted without an edit. */
async function tryGroup(context: Context, group: readonly Row[]): Promise<void> {
  const isAccepted = await isUneditedAccepted(context, group)
  for (const row of group)
    await context.each([row], async () => (isAccepted ? tryRow(context, row) : context.inconclusive()))
}

function canTry({ contract, identities, isIncluded, canSend }: Context, { variant }: Row): boolean {
  const needed = [variant.as ?? 'partner', senderOf(variant)]
  if (!contract.has(variant.operation) || !needed.every(identities.has)) return false
  const view = contract.operation(variant.operation)
  return isIncluded(view) && canSend(view)
}

function senderOf({ as = 'partner', sender = as }: Variant): Identity {
  return sender === 'other-partner' ? 'other' : sender
}

async function isUneditedAccepted(context: Context, [row]: readonly Row[]): Promise<boolean> {
  const { given: _, ...variant } = row?.variant ?? { operation: '', says: '' }
  const valid = row && (await validRequest(context, variant))
  const sent = valid && (await context.send(valid.view, valid.input, { identity: valid.identity }))
  return sent !== undefined && isSuccess(sent)
}

async function tryRow(context: Context, row: Row): Promise<void> {
  const { variant } = row
  const valid = await validRequest(context, variant)
  const input = valid && editedRequest(context, variant, valid)
  if (!input || !(await doBefore(context, variant, valid))) context.inconclusive()
  else judgeVariant(context, row, await context.send(valid.view, input, { identity: senderOf(variant) }))
}

/** Statuses that do not depend on the content of a request: credentials, timeout, rate limit. */
const OTHER_STATUSES = new Set([401, 408, 429])

/** Judges the response to a variant; the valid request was accepted before. */
export function judgeVariant(context: Context, row: Row, exchange: Exchange): void {
  const { status } = exchange.response
  const isAccepted = isSuccess(exchange)
  const isRefused = status >= 400 && status < 500 && !OTHER_STATUSES.has(status)
  const isExpected = isAccepted === row.isValid
  if (isAccepted || isRefused)
    context.expect(exchange, isExpected ? undefined : messageOf(row, status), placeOf(row))
  else context.inconclusive()
  const { code, variant } = row
  if (isExpected && isRefused) expectDeclaredRefusal(context, exchange, { code, ...variant })
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
  readonly operation: string
  /** Words for what was refused. */
  readonly says: string
}

/** Another status or code than declared is a separate deviation, and still counts as a refusal. */
export function expectDeclaredRefusal(context: Context, exchange: Exchange, expected: Expected): void {
  const { code, operation, says } = expected
  const refusal = context.behaviour.refusals?.[code]
  const declared = refusal?.responses?.find(({ operations }) => operations.includes(operation))
  const { status } = exchange.response
  const shown = String(nodeOf(exchange.body).code ?? 'no code')
  if (!declared || (declared.status === status && shown === code)) return
  const message = `${operation} refused ${says} with ${status} (${shown}); expected ${declared.status} (${code}).`
  context.expect(exchange, message, { cites: { convention: 'refusals' }, about: `${code} form` })
}
