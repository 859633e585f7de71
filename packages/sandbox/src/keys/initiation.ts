import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Context } from '../context.ts'

/** The content of an initiation id: who looked up which key, and when. */
export interface Initiation {
  /** The account that looked up the key. */
  readonly caller: string
  readonly dict_key: string
  /** The account that owned the key. */
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const PREFIX = 'ini_'
const NONCE = 12
const TAG = 16

/**
 * Encrypts a lookup into an initiation id, so that a lookup writes nothing to the store. The id is opaque and cannot be
 * forged (AES-256-GCM). createTransfer stores its nonce, so it can be used once.
 */
export function sealInitiation(
  { random, sealingKey }: Pick<Context, 'random' | 'sealingKey'>,
  { caller, dict_key, owner, at }: Initiation,
): string {
  const nonce = random(NONCE)
  const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
  const text = cipher.update(JSON.stringify([caller, dict_key, owner, at]), 'utf8')
  return PREFIX + Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Decrypts an initiation id, or returns undefined if this sandbox did not issue it. `nonce` identifies it. */
export function openInitiation(
  { sealingKey }: Pick<Context, 'sealingKey'>,
  initiation_id: string,
): (Initiation & { nonce: string }) | undefined {
  const sealed = Buffer.from(initiation_id.slice(PREFIX.length), 'base64url')
  // Base64 has several encodings of the same bytes. Accept only ours, or one id could be used twice.
  if (PREFIX + sealed.toString('base64url') !== initiation_id || sealed.length <= NONCE + TAG)
    return undefined
  const nonce = sealed.subarray(0, NONCE)
  const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG })
  decipher.setAuthTag(sealed.subarray(-TAG))
  try {
    const text = decipher.update(sealed.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
    const [caller, dict_key, owner, at] = JSON.parse(text)
    return { caller, dict_key, owner, at, nonce: nonce.toString('base64url') }
  } catch {
    return undefined
  }
}
