/** As ids and lengths are written: 0 to 99 in two digits. */
export function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}

/** As a checksum is written, and the number of a character: at least four hexadecimal digits in upper case. */
export function fourHex(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, '0')
}
