import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { CHARGING, likePaid, payer, transfer, transferToCharge } from '../payments/payments.ts'
import type { Scene } from '../run/scene.ts'

export const codesChecked: Law = {
  id: 'codes-checked',
  phase: 'lifecycles',
  question: 'errors',
  needs: ['checkCode', 'createTransfer'],
  atStake: true,
  stateful: true,
  title: 'A payment code whose checksum or structure is wrong is neither read nor paid.',
  advice: 'Check object 63 and the structure before reading anything.',
  run: async (scene) => {
    await tryChecks(scene)
    if (scene.contract.has(...CHARGING)) await tryPayments(scene)
  },
}

async function tryChecks(scene: Scene): Promise<void> {
  const view = scene.contract.operation('checkCode')
  const { emv } = nodeOf((await scene.accepted(view.id))?.input.body)
  if (typeof emv !== 'string') return scene.masked()
  await scene.each(brokenCodes(emv), async ({ code, words }) => {
    const checked = await scene.send(view, { body: { emv: code } })
    const message = `Expected a code with ${words} to be refused, got ${checked.reply.status}.`
    expectRefusal(scene, checked, message, { about: words })
  })
}

async function tryPayments(scene: Scene): Promise<void> {
  const input = await likePaid(scene, () => transferToCharge(scene), payer(scene))
  const { emv } = nodeOf(input?.body)
  if (typeof emv !== 'string') return scene.masked()
  await scene.each(brokenCodes(emv), async ({ code, words }) => {
    const paid = await transfer(scene, { body: { ...nodeOf(input?.body), emv: code } }, payer(scene))
    const message = `Expected a code with ${words} not to be paid, and it was.`
    expectRefusal(scene, paid, message, { about: `pay ${words}` })
  })
}

function brokenCodes(emv: string): { code: string; words: string }[] {
  const crc = emv.slice(-4)
  const other = crc === '0000' ? '0001' : '0000'
  return [
    { code: emv.slice(0, -4) + other, words: 'another checksum' },
    { code: emv.replace('5802BR', '5802US'), words: 'another country and an old checksum' },
    { code: emv.slice(0, -8), words: 'no checksum' },
    { code: emv.slice(0, 30), words: 'its end cut off' },
    { code: 'not a payment code', words: 'no structure' },
  ]
}
