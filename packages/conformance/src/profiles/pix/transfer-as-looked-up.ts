import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Input } from '../../transport/exchange.ts'
import { CHARGING, charge, payer, transfer } from './payments.ts'

export const transferAsLookedUp: Law = {
  id: 'transfer-as-looked-up',
  phase: 'lifecycles',
  question: 'initiation-types',
  needs: ['checkKey', ...CHARGING, 'createStaticQrCode'],
  stateful: true,
  atStake: true,
  title: 'A transfer shows whom the look-up found, by which kind of code, and its tx_id.',
  advice: 'Keep what was looked up with the transfer, and show that.',
  run: async (scene) => {
    await toKey(scene)
    await toCode(scene, 'QRDN', (await charge(scene))?.emv, '0.03')
    const created = await scene.accepted('createStaticQrCode', { set: { '/amount': '0.03' } })
    await toCode(scene, 'QRES', nodeOf(created?.body).emv, '0.03')
  },
}

/** What a transfer has to show. */
interface Expected {
  readonly initiation_type: string
  readonly tx_id: unknown
  readonly beneficiary: Readonly<Record<string, unknown>>
}

async function toKey(scene: Scene): Promise<void> {
  const looked = await scene.accepted('checkKey')
  const { initiation_id, dict_key, ispb, account_type, owner_name } = nodeOf(looked?.body)
  if (!looked) return scene.masked()
  const expected = {
    initiation_type: 'DICT',
    tx_id: '',
    beneficiary: { ispb, account_type, name: owner_name },
  }
  await isShown(scene, { body: { type: 'dict', amount: '0.01', dict_key, initiation_id } }, expected)
}

async function toCode(scene: Scene, initiation_type: string, emv: unknown, amount: string): Promise<void> {
  if (typeof emv !== 'string') return scene.masked()
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv } })
  const { tx_id, beneficiary } = nodeOf(checked.body)
  const { ispb, account_type, name } = nodeOf(beneficiary)
  const expected = { initiation_type, tx_id, beneficiary: { ispb, account_type, name } }
  await isShown(scene, { body: { type: 'emv', emv, amount } }, expected)
}

async function isShown(scene: Scene, input: Input, expected: Expected): Promise<void> {
  const paid = await transfer(scene, input, isDict(input) ? 'partner' : payer(scene))
  if (!isSuccess(paid)) return scene.masked()
  const { initiation_type, tx_id, beneficiary } = nodeOf(nodeOf(paid.body).data)
  const wrong = Object.entries(expected.beneficiary).find(([name, it]) => it !== nodeOf(beneficiary)[name])
  const { initiation_type: kind } = expected
  scene.expect(
    paid,
    initiation_type === kind ? undefined : `Expected initiation_type ${kind}, got another.`,
    {
      about: kind,
    },
  )
  const message = `Expected the tx_id that was looked up in a transfer by ${kind}, got another.`
  scene.expect(paid, tx_id === expected.tx_id ? undefined : message, {
    about: `tx_id ${kind}`,
    question: 'transfer-tx-id',
  })
  scene.expect(paid, wrong && `Expected "${wrong[0]}" of the beneficiary that was looked up, got another.`, {
    about: `beneficiary ${kind}`,
    question: undefined,
  })
}

function isDict({ body }: Input): boolean {
  return nodeOf(body).type === 'dict'
}
