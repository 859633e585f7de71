import type { Random } from '../random.ts'

/** A new secret: whsec_ and the base64 of 32 bytes (Standard Webhooks 1.0.0, "Signature scheme"). */
export function newSecret(random: Random): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`
}
