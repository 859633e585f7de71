import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { nodeOf } from '../contract/document.ts'
import type { Law } from '../law.ts'

export const imageDecodesBack: Law = {
  id: 'image-decodes-back',
  phase: 'data',
  question: 'static-qrcode-image',
  isOurs: true,
  stateful: true,
  atStake: true,
  title: 'The image of a QR code shows the payment code that stands beside it.',
  advice: 'Draw the image of the very code that is sent.',
  run: async (scene) => {
    const views = scene.contract.operations.filter(
      (it) => it.method === 'POST' && scene.isAsked(it) && scene.may(it),
    )
    await scene.each(views, async ({ id }) => {
      // The second of two, so that the image of the one before is seen.
      await scene.accepted(id)
      const exchange = await scene.accepted(id)
      const { emv, qrcode_image } = nodeOf(exchange?.body)
      if (!exchange || typeof emv !== 'string' || typeof qrcode_image !== 'string') return
      const shown = read(qrcode_image)
      scene.expect(
        exchange,
        shown === emv
          ? undefined
          : `Expected an image of the code beside it, got ${shown ? 'another code' : 'none that can be read'}.`,
      )
    })
  },
}

function read(image: string): string | undefined {
  try {
    const { data, width, height } = PNG.sync.read(Buffer.from(image, 'base64'))
    return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
  } catch {
    return undefined
  }
}
