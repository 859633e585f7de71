import type { OneTimeValue } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { valueAt } from '../../model/document.ts'
import { type Exchange, type Identity, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { declaredResources } from '../common/declared-resources.ts'
import { questionsIn } from '../common/declared-sources.ts'
import { requestWithRecords, userOf } from '../common/record-requests.ts'
import { judgeVariant } from './judge-variant.ts'

/** Requests that are sent at once. */
const AT_ONCE = 8

export const oneTimeValues: Rule = {
  id: 'one-time-values',
  phase: 'records',
  cites: 'contract',
  needs: ({ oneTimeValues: all = {} }) => Object.values(all).map(({ to }) => to.split('#')[0] ?? ''),
  questions: ({ oneTimeValues: all }) => questionsIn(all),
  stateful: true,
  impact: 'high',
  title: 'A one-time value works once: not a second time, and for one of several requests at once.',
  advice: 'Mark the value as used in the transaction that does what the request asks for.',
  run: (context) => context.each(rowsOf(context), (row) => tryRow(context, row)),
}

/** A value that a response returns and a request of another operation uses. */
interface Row {
  readonly value: OneTimeValue
  readonly view: OperationView
  readonly field: string
  /** The operation whose response has the value. */
  readonly from: string
  readonly identity: Identity
  readonly isOnce: boolean
}

function rowsOf(context: Context): Row[] {
  const { behaviour, contract, identities, isIncluded } = context
  return Object.values(behaviour.oneTimeValues ?? {}).flatMap((value) => {
    const [id = '', field = ''] = value.to.split('#')
    const sources = value.from.map((it) => it.split('#')[0] ?? '')
    const all = (['partner', 'customer'] as const).filter(identities.has)
    const senders = value.boundTo?.includes('caller') ? all : [userOf(context)]
    if (!contract.has(id) || !isIncluded(contract.operation(id))) return []
    const row = { value, view: contract.operation(id), field }
    return [
      ...sources.flatMap((from) =>
        senders.map((identity): Row => ({ ...row, from, identity, isOnce: true })),
      ),
      ...otherSources(context, sources).map(
        (from): Row => ({ ...row, from, identity: userOf(context), isOnce: false }),
      ),
    ]
  })
}

/** Resources whose values may be used repeatedly, if those of other resources are one-time values. */
function otherSources(context: Context, sources: readonly string[]): string[] {
  const creations = declaredResources(context).flatMap(({ operations: { create } }) => create ?? [])
  return creations.some((it) => sources.includes(it)) ? creations.filter((it) => !sources.includes(it)) : []
}

async function tryRow(context: Context, row: Row): Promise<void> {
  const input = await inputOf(context, row)
  const send = (it: Input) => context.send(row.view, it, { identity: row.identity })
  // Without a link from its source, the value cannot be had.
  if (!input && !row.isOnce) return
  // A value that is issued later must not end this one.
  const later = row.isOnce ? await inputOf(context, row) : undefined
  const first = input && (await send(input))
  if (first && later && isRefusal(first)) return judgeEarlier(context, row, first, await send(later))
  if (!first || !isSuccess(first)) return context.inconclusive()
  await judgeVariant(context, variantOf(context, row), await send(input))
  if (later) await expectOne(context, row, () => send(later))
  else if (row.isOnce) context.inconclusive()
}

/** Judges the refusal of the earlier of two values, if the later one works. */
function judgeEarlier(
  context: Context,
  { value, view, field, from }: Row,
  refused: Exchange,
  later: Exchange,
): void {
  const { status } = refused.response
  const message = `${view.id} refused the earlier of two ${field} of ${from} (${status}) and accepted the later; expected each to work once.`
  if (isSuccess(later))
    context.expect(refused, message, { question: value.question, about: `earlier ${field} of ${from}` })
  else context.inconclusive()
}

/** A valid request with a new value; undefined where the value comes from elsewhere. */
async function inputOf(context: Context, { view, field, from, identity }: Row): Promise<Input | undefined> {
  const example = view.examples.findIndex((it) => valueAt(it, field) !== undefined)
  const built = await requestWithRecords(context, view, { identity, example: Math.max(0, example), from })
  const isRecord = declaredResources(context).some(({ operations }) => operations.create === from)
  const isFrom = !isRecord || built?.records.some((it) => it.view?.id === from)
  return isFrom ? built?.input : undefined
}

function variantOf({ behaviour }: Context, { value, view, field, from, identity, isOnce }: Row) {
  const { refusal: code, question = value.question, fact } = value.used
  const source = { ...(question && { question }), ...(fact && { fact }) }
  const says = `${field} of ${from} ${isOnce ? 'that was used' : 'again'} by the ${identity}`
  const variant = { operation: view.id, says, impact: 'critical' as const, ...source }
  const refusal = behaviour.refusals?.[code] ?? { when: '', fix: '' }
  return { code, refusal, variant, isValid: !isOnce, isRepeat: true }
}

/** Expects one of several requests at once to be accepted, and the others to be refused. */
async function expectOne(
  context: Context,
  { value, view, field, from }: Row,
  send: () => ReturnType<Context['send']>,
): Promise<void> {
  const all = await Promise.all(Array.from({ length: AT_ONCE }, send))
  const accepted = all.filter(isSuccess)
  const [first] = accepted
  const isTried = accepted.length > 1 || all.some((it) => isRefusal(it, [404]))
  if (!first || !isTried) return context.inconclusive()
  const message = `${view.id} accepted ${accepted.length} of ${AT_ONCE} requests at once with the same ${field}; expected 1.`
  context.expect(first, accepted.length > 1 ? message : undefined, {
    question: value.used.question ?? value.question,
    impact: 'critical',
    about: `${field} of ${from} at once`,
  })
}
