import { crc16, encode, tryDecode } from '@partner-payments/brcode'
import { nodeOf } from '../contract/document.ts'
import type { Law } from '../law.ts'
import { centavosOf } from '../payments/centavos.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const codesRead: Law = {
  id: 'codes-read',
  phase: 'lifecycles',
  question: 'code-kinds',
  needs: ['checkCode', 'createStaticQrCode'],
  stateful: true,
  title: 'A payment code is read in every form that the norm allows: capitals, accents, another template.',
  advice:
    'Find the account by its br.gov.bcb.pix, whatever its case and template; count characters, and sum bytes (Manual de Padrões para Iniciação do Pix, 2).',
  run: async (scene) => {
    const created = await scene.accepted('createStaticQrCode', { set: { '/amount': '10.50' } })
    const { emv } = nodeOf(created?.body)
    const view = scene.contract.operation('checkCode')
    if (typeof emv !== 'string' || !isSuccess(await scene.send(view, { body: { emv } })))
      return scene.masked()
    await scene.each(formsOf(emv), ({ words, code }) => tryForm(scene, words, code))
  },
}

async function tryForm(scene: Scene, words: string, code: string): Promise<void> {
  const checked = await scene.send(scene.contract.operation('checkCode'), { body: { emv: code } })
  const { original_amount } = nodeOf(checked.body)
  const isRead = isSuccess(checked) && centavosOf(original_amount) === 1050n
  const message = `Expected a code ${words} to be read as the same, got ${checked.reply.status}.`
  scene.expect(checked, isRead ? undefined : message, { about: words })
}

interface Form {
  readonly words: string
  readonly code: string
}

/** The same code as others would write it, each of them right. */
function formsOf(emv: string): Form[] {
  const decoded = tryDecode(emv)
  if (!decoded.ok || decoded.code.kind !== 'static') return []
  const { objects: _, ...code } = decoded.code
  const body = emv.slice(0, -4)
  // Lengths are of characters, so that accents change none.
  const plain = encode({ ...code, merchantName: 'Sao Joao', merchantCity: 'BRASILIA' })
  const accented = plain.slice(0, -4).replace('Sao Joao', 'São João').replace('BRASILIA', 'BRASÍLIA')
  return [
    {
      words: 'whose br.gov.bcb.pix is in capitals',
      code: summed(body.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')),
    },
    {
      words: 'whose account is in template 27',
      code: summed(body.replace(/(?<=^000201(?:0102\d\d)?)26/, '27')),
    },
    { words: 'whose name and city have accents', code: summed(accented) },
  ]
}

/** With the checksum of what is before it. */
function summed(body: string): string {
  return body + crc16(body).toString(16).toUpperCase().padStart(4, '0')
}
