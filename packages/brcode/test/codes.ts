import { crc16 } from '../src/index.ts'
import { official } from './vectors.ts'

export const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }

/** Appends the checksum to a body. */
export function seal(body: string): string {
  const text = `${body}6304`
  return text + crc16(text).toString(16).toUpperCase().padStart(4, '0')
}

/** One object; the length counts code points. */
export function object(id: string, value: string): string {
  return id + String([...value].length).padStart(2, '0') + value
}

/** The manual's static code with a replaced part and a new checksum. */
export function replaceInStatic(from: string, to: string): string {
  const body = official.static.slice(0, -8)
  if (!body.includes(from)) throw new Error(`the body has no ${from}`)
  return seal(body.replace(from, to))
}

/** The same with another account template. */
export function createAccount(...parts: string[]): string {
  const key = object('01', '123e4567-e12b-12d1-a456-426655440000')
  return replaceInStatic(pixTemplate('26', key), pixTemplate('26', ...parts))
}

/** A template of Pix. */
export function pixTemplate(id: string, ...parts: string[]): string {
  return object(id, object('00', 'br.gov.bcb.pix') + parts.join(''))
}

/** A code with more objects and a new checksum. */
export function extended(code: string, ...objects: string[]): string {
  return seal(code.slice(0, -8) + objects.join(''))
}

/** A code with the recurrence at a location. */
export function recurring(code: string, location: string): string {
  return extended(code, pixTemplate('80', object('25', location)))
}
