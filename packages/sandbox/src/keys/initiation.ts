import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Context } from '../context.ts'

/** What a look-up found, for whom, and when. */
export interface Initiation {
  /** The account that looked up. */
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
 * Seals a look-up into an initiation id, so that looking up writes nothing. It is opaque and cannot be forged
 * (AES-256-GCM); that it is used once, the transfers see to, by its nonce.
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

/** Opens an initiation id; undefined where it is none of ours. `nonce` names it. */
export function openInitiation(
  { sealingKey }: Pick<Context, 'sealingKey'>,
  initiation_id: string,
): (Initiation & { nonce: string }) | undefined {
  const sealed = Buffer.from(initiation_id.slice(PREFIX.length), 'base64url')
  // Base64 says one thing in several ways; a second way of writing an id must not be a second id.
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
