/** Formats an id or a length: 0 to 99 in two digits. */
export function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}

/** Formats a checksum or a code point: at least four upper-case hexadecimal digits. */
export function fourHex(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, '0')
}
