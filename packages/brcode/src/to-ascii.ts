import { fourHex } from './digits.ts'
import { refuse } from './error.ts'
import { createIssue, type Place } from './issue.ts'

/**
 * Spellings of characters that are not letters with marks. Others are refused, since a guess could
 * change a number.
 */
const SPELLINGS = [
  { ascii: 'ss', characters: 'ß' },
  { ascii: 'ae', characters: 'æ' },
  { ascii: 'oe', characters: 'œ' },
  { ascii: 'th', characters: 'þ' },
  { ascii: 'a', characters: 'ª' },
  { ascii: 'd', characters: 'đð' },
  { ascii: 'i', characters: 'ı' },
  { ascii: 'l', characters: 'ł' },
  { ascii: 'o', characters: 'øº' },
  { ascii: "'", characters: '‘’´' },
  { ascii: '"', characters: '“”„‟' },
  { ascii: '-', characters: '‐‑–—−' },
  { ascii: '/', characters: '⁄' },
  { ascii: '...', characters: '…' },
] as const

/**
 * Converts the value of an object to ASCII and truncates it: removes marks of Latin letters and
 * collapses spaces. `Açaí  do Zé` with the length 7 becomes `Acai do`. Refuses a character without
 * a spelling in ASCII, such as `€`.
 */
export function toAscii(place: Place, length: number, parent?: Place): string {
  const neitherSpaceNorAscii = /[^\s!-~]/gu
  const ascii = withoutMarks(`${place.value}`).replace(neitherSpaceNorAscii, (character) => {
    return findSpelling(character) ?? refuseCharacter(character, place, parent)
  })
  const collapsed = ascii.replace(/\s+/g, ' ').trim()
  return collapsed.slice(0, length).trimEnd()
}

/** Removes the marks of Latin letters; those of other letters stay. */
function withoutMarks(text: string): string {
  const decomposed = text.normalize('NFD')
  return decomposed.replace(/(?<=\p{sc=Latn})\p{M}+/gu, '').normalize()
}

/** The spelling of a character, in upper case if the character is. */
function findSpelling(character: string): string | undefined {
  const lower = character.toLowerCase()
  const spelling = SPELLINGS.find(({ characters }) => characters.includes(lower))?.ascii
  return character === lower ? spelling : spelling?.toUpperCase()
}

function refuseCharacter(character: string, place: Place, parent?: Place): never {
  const number = fourHex(character.codePointAt(0) ?? 0)
  refuse(createIssue(place, 'value', `ASCII for "${character}" (U+${number})`, parent))
}
