import { nodeOf } from './document.ts'
import type { Exchange, Input, Who } from './exchange.ts'
import { isSuccess, type Scene } from './scene.ts'

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

export { isSuccess }
