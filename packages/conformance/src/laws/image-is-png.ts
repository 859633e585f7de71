import { nodeOf } from '../contract/document.ts'
import type { Law } from '../law.ts'
import { isSuccess } from '../run/scene.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export const imageIsPng: Law = {
  id: 'image-is-png',
  phase: 'every answer',
  question: 'static-qrcode-image',
  isOurs: true,
  title: 'qrcode_image is the base64 of a PNG, whole.',
  advice: 'Send the file, from its signature to IEND, in base64 without a prefix.',
  everyAnswer: (exchange) => {
    const image = nodeOf(exchange.body).qrcode_image
    if (!isSuccess(exchange) || typeof image !== 'string') return undefined
    const bytes = Buffer.from(image, 'base64')
    const isWhole = bytes.subarray(0, 8).equals(PNG) && bytes.subarray(-8, -4).toString('latin1') === 'IEND'
    return isWhole
      ? []
      : [
          {
            operation: exchange.view?.id,
            contract: exchange.view?.pointer ?? '',
            message: 'Expected a whole PNG in base64, got something else.',
          },
        ]
  },
}
