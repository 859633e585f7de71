import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, Input, RequestIdentity } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'

/** Operations that rules of payments need. */
export const PAYING = ['checkKey', 'createTransfer'] as const
export const CHARGING = ['createImmediateQrCode', 'checkCode', 'createTransfer'] as const

/** A transfer to a key that was looked up just now, not sent yet; undefined where it cannot be had. */
export async function transferToKey(
  context: Context,
  identity: RequestIdentity = 'partner',
): Promise<Input | undefined> {
  const view = context.contract.operation('createTransfer')
  const example = view.examples.findIndex((it) => nodeOf(it).type === 'dict')
  return context.may(view) && example >= 0 ? context.builder.inputOf(view, { identity, example }) : undefined
}

/** A charge of the partner's, and the transfer that pays it, not sent yet. */
export async function charge(
  context: Context,
  create: 'createImmediateQrCode' | 'createDueDateQrCode' = 'createImmediateQrCode',
): Promise<{ created: Exchange; emv: string; pay: Input } | undefined> {
  const created = await context.accepted(create, { set: { '/amount': { original: '0.03' } } })
  const emv = nodeOf(created?.body).emv
  if (!created || typeof emv !== 'string') return undefined
  return { created, emv, pay: { body: { type: 'emv', emv, amount: '0.03' } } }
}

/**
 * A transfer like one that was paid just now, with what that one has used up made anew, to be edited; undefined where
 * none is paid, so that a refusal of its edit would tell nothing.
 */
export async function likePaid(
  context: Context,
  made: () => Promise<Input | undefined> = () => transferToKey(context),
  identity: RequestIdentity = 'partner',
): Promise<Input | undefined> {
  const first = context.may(context.contract.operation('createTransfer')) ? await made() : undefined
  const paid = first && (await transfer(context, first, identity))
  return paid && isSuccess(paid) ? made() : undefined
}

/** The transfer that pays a new charge of the partner's; undefined where it cannot be had. */
export async function transferToCharge(
  context: Context,
  create?: Parameters<typeof charge>[1],
): Promise<Input | undefined> {
  return (await charge(context, create))?.pay
}

/** A way to pay: who does it, and what makes the transfer. */
export interface Way {
  readonly words: 'key' | 'code'
  readonly identity: RequestIdentity
  readonly made: () => Promise<Input | undefined>
}

/** The ways to pay that a contract has: to a key that is looked up, and by the code of a charge. */
export function waysToPay(context: Context): readonly Way[] {
  const ways: Way[] = []
  if (context.contract.has(...PAYING))
    ways.push({ words: 'key', identity: 'partner', made: () => transferToKey(context) })
  if (context.contract.has(...CHARGING))
    ways.push({ words: 'code', identity: payer(context), made: () => transferToCharge(context) })
  return ways
}

/** The operations that make charges. */
export function chargesOf({ contract, may }: Context) {
  const all = ['createImmediateQrCode', 'createDueDateQrCode'] as const
  return all.filter((id) => contract.has(id) && may(contract.operation(id)))
}

/** Who pays a charge of the partner's: the customer, since nobody pays oneself. */
export function payer({ identities }: Context): RequestIdentity {
  return identities.has('customer') ? 'customer' : 'partner'
}

/** Sends a transfer. */
export function transfer(
  context: Context,
  input: Input,
  identity: RequestIdentity = 'partner',
): Promise<Exchange> {
  return context.send(context.contract.operation('createTransfer'), input, { identity })
}

/** Requests that are sent at once. */
const AT_ONCE = 8

/** Holds to its rule what pays once, however many ask at once: one is paid, and others are refused. */
export async function paysOnce(context: Context, pay: () => Promise<Exchange>): Promise<void> {
  const all = await Promise.all(Array.from({ length: AT_ONCE }, pay))
  const paid = all.filter(isSuccess)
  const [first] = paid
  const isTried = all.some((it) => isRefusal(it, [404]))
  if (!first || (paid.length === 1 && !isTried)) return context.inconclusive()
  const message = `Expected 1 of ${AT_ONCE} at once to pay, ${paid.length} did.`
  context.expect(first, paid.length > 1 ? message : undefined, { about: 'at once' })
}
