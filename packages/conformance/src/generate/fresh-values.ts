import { randomUUID } from 'node:crypto'
import type { Node } from '../model/document.ts'
import type { ParameterView } from '../model/parameter-views.ts'

/** Headers whose repeated value marks a request as a retry. */
const ONE_TIME = /idempoten|nonce|(request|message|correlation|transaction)-?id/i
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export function isOneTime({ in: place, name, kind }: ParameterView): boolean {
  return place === 'header' && kind === 'scalar' && ONE_TIME.test(name)
}

/** A new one-time value that its schema allows. */
export function freshString(
  { type, format, pattern, maxLength = 36, minLength = 0, ...rest }: Node,
  value: string,
  random: () => number,
): string {
  const isString = type === undefined || [type].flat().includes('string')
  if (rest.enum !== undefined || rest.const !== undefined || !isString) return value
  if (format === 'uuid' || UUID.test(value)) return randomUUID()
  if (format === 'email') return `${randomUUID().slice(0, 8)}@example.com`
  const isFree = format === undefined && pattern === undefined && rest.allOf === undefined
  if (isFree && Number(minLength) <= 36) return randomUUID().slice(-Number(maxLength))
  const fresh = renewed(value, random, value.length)
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(fresh) ? fresh : value
}

/** Another value of the same form: replaces each letter and digit at the end by a random one of its kind. */
export function renewed(value: string, random: () => number, changed = 16): string {
  const start = Math.max(0, value.length - changed)
  const end = [...value.slice(start)].map((it) => randomLike(it, random)).join('')
  return value.slice(0, start) + end
}

function randomLike(character: string, random: () => number): string {
  const kind = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'].find((it) =>
    it.includes(character),
  )
  return kind ? (kind[Math.floor(random() * kind.length)] ?? character) : character
}
