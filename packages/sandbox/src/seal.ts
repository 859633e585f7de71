import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Context } from './context.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts values into a text that only this sandbox can read, such as a cursor: so issuing it
 * writes nothing to the store. It cannot be forged, nor used with another prefix (AES-256-GCM).
 *
 * @param prefix the start of the text, such as `ini_`
 */
export function seal(
  { random, sealingKey }: Pick<Context, 'random' | 'sealingKey'>,
  prefix: string,
  values: object,
): string {
  const nonce = random(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
  cipher.setAAD(Buffer.from(prefix))
  const start = cipher.update(JSON.stringify(values), 'utf8')
  const end = cipher.final()
  const sealed = Buffer.concat([nonce, start, end, cipher.getAuthTag()])
  return prefix + sealed.toString('base64url')
}

/**
 * Decrypts a text of {@link seal}. Returns its values and its `nonce`, which is different for each
 * text; undefined if this sandbox did not seal it with this prefix.
 */
export function unseal<Values extends object>(
  { sealingKey }: Pick<Context, 'sealingKey'>,
  prefix: string,
  text: string,
): (Values & { readonly nonce: string }) | undefined {
  const sealed = Buffer.from(text.slice(prefix.length), 'base64url')
  // Base64 has several encodings of the same bytes. Accept only ours, or one text could be used
  // twice.
  const isOurEncoding = prefix + sealed.toString('base64url') === text
  if (!isOurEncoding) return undefined
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return undefined

  const nonce = sealed.subarray(0, NONCE_BYTES)
  const content = sealed.subarray(NONCE_BYTES, -TAG_BYTES)
  const tag = sealed.subarray(-TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(prefix))
  decipher.setAuthTag(tag)
  try {
    const start = decipher.update(content, undefined, 'utf8')
    // Throws if the tag does not fit.
    const end = decipher.final('utf8')
    return { ...JSON.parse(start + end), nonce: nonce.toString('base64url') }
  } catch {
    return undefined
  }
}
