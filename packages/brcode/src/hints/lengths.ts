import { bytesOf } from '../bytes.ts'
import { checksum } from '../crc16.ts'
import { refuse } from '../error.ts'
import { PIX } from '../object-rules.ts'
import { readableObjects } from '../readable-objects.ts'
import { readLevel } from '../tlv.ts'
import { isAccepted } from './fits.ts'
import type { SingleFault } from './hint.ts'

/** Lengths count bytes. */
export const LENGTHS_IN_BYTES: SingleFault = {
  fault: 'length-in-bytes',
  isPresent: hasLengthsInBytes,
  describe: describeBytes,
}
/** Lengths count UTF-16 units. */
export const LENGTHS_IN_UNITS: SingleFault = {
  fault: 'length-in-utf-16',
  isPresent: hasLengthsInUnits,
  describe: describeUnits,
}

function hasLengthsInBytes(text: string): boolean {
  return isValidByUnits(bytesOf(text), text)
}

function describeBytes(text: string): string {
  return `${placeOfLength(bytesOf(text))} counts UTF-8 bytes; a length must count characters. Then compute the checksum again.`
}

function hasLengthsInUnits(text: string): boolean {
  return isValidByUnits(splitUnits(text), text)
}

function describeUnits(text: string): string {
  return `${placeOfLength(splitUnits(text))} counts UTF-16 units, as the length of a string in JavaScript or Java does; a length must count characters. Then compute the checksum again.`
}

/** One character of the basic plane for each UTF-16 unit. */
function splitUnits(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, '\ufffd')
}

/**
 * Whether a code has one fault only: its lengths count units in place of characters. The 03 of
 * `5903Zé` counts the bytes of `Zé`; 02 would be right.
 *
 * @param units The same text with one character for each unit: for each byte, or each UTF-16 unit.
 */
function isValidByUnits(units: string, text: string): boolean {
  // Then units and characters are the same.
  const hasOnlySingleUnits = units.length === [...text].length
  if (hasOnlySingleUnits) return false

  const bytes = bytesOf(text)
  const hasRightChecksum = text.slice(-4).toUpperCase() === checksum(bytes, bytes.length - 4)
  return hasRightChecksum && isAccepted(() => requireWholeObjects(units))
}

/**
 * Throws unless each object has as many units as its length says, also inside the templates of Pix
 * and of the txid (62).
 */
function requireWholeObjects(units: string): void {
  const { objects } = readLevel(units, refuse, undefined)
  for (const object of objects) {
    const isTemplate = object.id === '62' || object.value.toLowerCase().includes(PIX)
    if (isTemplate) readLevel(object.value, refuse, object)
  }
}

/** The first object whose length differs from the number of its characters. */
function placeOfLength(units: string): string {
  const object = readableObjects(units).find(({ value }) => /[^\0-\x7f]/.test(value))
  return `The length of object ${object?.id}`
}
