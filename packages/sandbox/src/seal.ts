import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Context } from './context.ts'

const NONCE = 12
const TAG = 16

/**
 * Encrypts values into an opaque text, so that issuing it writes nothing to the store. It cannot be
 * forged, nor used with another prefix (AES-256-GCM).
 */
export function seal(
  { random, sealingKey }: Pick<Context, 'random' | 'sealingKey'>,
  prefix: string,
  values: object,
): string {
  const nonce = random(NONCE)
  const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(prefix))
  const text = cipher.update(JSON.stringify(values), 'utf8')
  return (
    prefix + Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString('base64url')
  )
}

/**
 * Decrypts a text, which `nonce` identifies. Undefined if this sandbox did not seal it with this
 * prefix.
 */
export function unseal<Values extends object>(
  { sealingKey }: Pick<Context, 'sealingKey'>,
  prefix: string,
  text: string,
): (Values & { readonly nonce: string }) | undefined {
  const sealed = Buffer.from(text.slice(prefix.length), 'base64url')
  // Base64 has several encodings of the same bytes. Accept only ours, or one text could be used
  // twice.
  if (prefix + sealed.toString('base64url') !== text || sealed.length <= NONCE + TAG)
    return undefined
  const nonce = sealed.subarray(0, NONCE)
  const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG })
  decipher.setAAD(Buffer.from(prefix)).setAuthTag(sealed.subarray(-TAG))
  try {
    const json =
      decipher.update(sealed.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
    return { ...JSON.parse(json), nonce: nonce.toString('base64url') }
  } catch {
    return undefined
  }
}
