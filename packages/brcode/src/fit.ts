import { fourHex } from './digits.ts'
import { refuse } from './error.ts'
import { issueAt, type Place } from './issue.ts'

/**
 * Spellings of characters that are not letters with marks. Others are refused, since a guess could
 * change a number.
 */
const SPELLINGS = [
  ['ss', 'ß'],
  ['ae', 'æ'],
  ['oe', 'œ'],
  ['th', 'þ'],
  ['a', 'ª'],
  ['d', 'đð'],
  ['i', 'ı'],
  ['l', 'ł'],
  ['o', 'øº'],
  ["'", '‘’´'],
  ['"', '“”„‟'],
  ['-', '‐‑–—−'],
  ['/', '⁄'],
  ['...', '…'],
] as const

/**
 * Converts the value of an object to ASCII and truncates it: removes marks of Latin letters and
 * collapses spaces.
 */
export function spelled(place: Place, length: number, parent?: Place): string {
  const bare = `${place.value}`
    .normalize('NFD')
    .replace(/(?<=\p{sc=Latn})\p{M}+/gu, '')
    .normalize()
  return bare
    .replace(
      /[^\s!-~]/gu,
      (character) => spellingOf(character) ?? refuseCharacter(character, place, parent),
    )
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, length)
    .trimEnd()
}

function spellingOf(character: string): string | undefined {
  const lower = character.toLowerCase()
  const spelling = SPELLINGS.find(([, characters]) => characters.includes(lower))?.[0]
  return character === lower ? spelling : spelling?.toUpperCase()
}

function refuseCharacter(character: string, place: Place, parent?: Place): never {
  const number = fourHex(character.codePointAt(0) ?? 0)
  refuse(issueAt(place, 'value', `ASCII for "${character}" (U+${number})`, parent))
}
