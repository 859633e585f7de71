import { isSuccess, type Scene } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, Input, Who } from '../../transport/exchange.ts'

/** Operations that laws of payments need. */
export const PAYING = ['checkKey', 'createTransfer'] as const
export const CHARGING = ['createImmediateQrCode', 'checkCode', 'createTransfer'] as const

/** A transfer to a key that was looked up just now, not sent yet; undefined where it cannot be had. */
export async function transferToKey(scene: Scene, who: Who = 'partner'): Promise<Input | undefined> {
  const view = scene.contract.operation('createTransfer')
  const example = view.examples.findIndex((it) => nodeOf(it).type === 'dict')
  return scene.may(view) && example >= 0 ? scene.maker.inputOf(view, { who, example }) : undefined
}

/** A charge of the partner's, and the transfer that pays it, not sent yet. */
export async function charge(
  scene: Scene,
  create: 'createImmediateQrCode' | 'createDueDateQrCode' = 'createImmediateQrCode',
): Promise<{ created: Exchange; emv: string; pay: Input } | undefined> {
  const created = await scene.accepted(create, { set: { '/amount': { original: '0.03' } } })
  const emv = nodeOf(created?.body).emv
  if (!created || typeof emv !== 'string') return undefined
  return { created, emv, pay: { body: { type: 'emv', emv, amount: '0.03' } } }
}

/**
 * A transfer like one that was paid just now, with what that one has used up made anew, to be edited; undefined where
 * none is paid, so that a refusal of its edit would tell nothing.
 */
export async function likePaid(
  scene: Scene,
  made: () => Promise<Input | undefined> = () => transferToKey(scene),
  who: Who = 'partner',
): Promise<Input | undefined> {
  const first = scene.may(scene.contract.operation('createTransfer')) ? await made() : undefined
  const paid = first && (await transfer(scene, first, who))
  return paid && isSuccess(paid) ? made() : undefined
}

/** The transfer that pays a new charge of the partner's; undefined where it cannot be had. */
export async function transferToCharge(
  scene: Scene,
  create?: Parameters<typeof charge>[1],
): Promise<Input | undefined> {
  return (await charge(scene, create))?.pay
}

/** A way to pay: who does it, and what makes the transfer. */
export interface Way {
  readonly words: 'key' | 'code'
  readonly who: Who
  readonly made: () => Promise<Input | undefined>
}

/** The ways to pay that a contract has: to a key that is looked up, and by the code of a charge. */
export function waysToPay(scene: Scene): readonly Way[] {
  const ways: Way[] = []
  if (scene.contract.has(...PAYING))
    ways.push({ words: 'key', who: 'partner', made: () => transferToKey(scene) })
  if (scene.contract.has(...CHARGING))
    ways.push({ words: 'code', who: payer(scene), made: () => transferToCharge(scene) })
  return ways
}

/** The operations that make charges. */
export function chargesOf({ contract, may }: Scene) {
  const all = ['createImmediateQrCode', 'createDueDateQrCode'] as const
  return all.filter((id) => contract.has(id) && may(contract.operation(id)))
}

/** Who pays a charge of the partner's: the customer, since nobody pays oneself. */
export function payer({ identities }: Scene): Who {
  return identities.has('customer') ? 'customer' : 'partner'
}

/** Sends a transfer. */
export function transfer(scene: Scene, input: Input, who: Who = 'partner'): Promise<Exchange> {
  return scene.send(scene.contract.operation('createTransfer'), input, { who })
}

/** Requests that are sent at once. */
const AT_ONCE = 8

/** Holds to its law what pays once, however many ask at once: one is paid, and others are refused. */
export async function paysOnce(scene: Scene, pay: () => Promise<Exchange>): Promise<void> {
  const all = await Promise.all(Array.from({ length: AT_ONCE }, pay))
  const paid = all.filter(isSuccess)
  const [first] = paid
  const isTried = all.some((it) => isRefusal(it, [404]))
  if (!first || (paid.length === 1 && !isTried)) return scene.masked()
  const message = `Expected 1 of ${AT_ONCE} at once to pay, ${paid.length} did.`
  scene.expect(first, paid.length > 1 ? message : undefined, { about: 'at once' })
}
