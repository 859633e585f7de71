import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, transfer } from '../run/payments.ts'

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
    const view = scene.contract.operation('checkCode')
    const [example] = view.examples
    const emv = String(nodeOf(example).emv ?? '')
    if (!emv) return
    await scene.each(brokenCodes(emv), async ({ code, words }) => {
      const checked = await scene.send(view, { body: { emv: code } })
      scene.expect(
        checked,
        isSuccess(checked)
          ? `Expected a code with ${words} to be refused, got ${checked.reply.status}.`
          : undefined,
        { about: words },
      )
      if (!scene.may(scene.contract.operation('createTransfer'))) return
      const paid = await transfer(scene, { body: { type: 'emv', emv: code, amount: '10.50' } })
      scene.expect(
        paid,
        isSuccess(paid) ? `Expected a code with ${words} not to be paid, and it was.` : undefined,
        { about: `pay ${words}` },
      )
    })
  },
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
