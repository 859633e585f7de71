import { countDifferences } from '@partner-payments/spec/suggest'
import { ALIASES } from './search-vocabulary.ts'
import { fold, indexedWord, isPair, isWhole, replaceParts } from './search-words.ts'

/** An index as MiniSearch writes it: each word, and the sections that have it, by fields. */
interface WrittenIndex {
  readonly index: readonly (readonly [word: string, fields: Readonly<Record<string, object>>])[]
}

/** What somebody may have meant to type, and the word of the index that it stands for. */
interface Spelling {
  readonly spelling: string
  readonly word: string
}

/** So that no short word becomes another one. */
const MIN_MISSPELT = 5
/** In such a word two letters may be wrong. */
const LONG = 9

/**
 * Returns a function that makes a word of a search one of an index. A word that no section has
 * becomes the one most like it; of several, the one that most sections have.
 */
export function createSpelling({ index }: WrittenIndex): (word: string) => string | false {
  const uses = new Map(index.map(([word, fields]) => [word, countUses(fields)]))
  const words = [...uses.keys()]
  const countUsesOf = ({ word }: Spelling) => uses.get(word) ?? 0
  const spellings = listSpellings(words).sort((one, other) => countUsesOf(other) - countUsesOf(one))

  return (word) => replaceParts(word, correctPart)

  function correctPart(part: string): string | false {
    const word = indexedWord(part)
    if (word === false || !isMisspelt(word)) return word

    // As it was typed, since aliases keep their endings; then as the index has it.
    return correct(fold(part)) ?? correct(word) ?? word
  }

  function isMisspelt(word: string): boolean {
    const isCorrectable = word.length >= MIN_MISSPELT && /^[a-z]+$/.test(word)
    // A word of the index, or the beginning of one that somebody still types.
    const isBeginning = words.some((whole) => whole.startsWith(word))
    return isCorrectable && !isBeginning
  }

  function correct(misspelt: string): string | undefined {
    const alike = spellings.filter(({ spelling }) => isAlike(misspelt, spelling))
    const oneWrong = alike.find(({ spelling }) => countDifferences(misspelt, spelling) === 1)
    if (oneWrong || misspelt.length < LONG) return oneWrong?.word

    return alike.find(({ spelling }) => countDifferences(misspelt, spelling) === 2)?.word
  }
}

/** How many fields of sections have a word. */
function countUses(fields: Readonly<Record<string, object>>): number {
  let count = 0
  for (const sections of Object.values(fields)) count += Object.keys(sections).length
  return count
}

function listSpellings(words: readonly string[]): Spelling[] {
  const plain = words.filter((word) => !isPair(word) && !isWhole(word))
  return [
    ...plain.map((word) => ({ spelling: word, word })),
    ...ALL_ALIASES.map((alias) => ({ spelling: alias, word: indexedWord(alias) || alias })),
  ]
}

const ALL_ALIASES = Object.values(ALIASES).flatMap((aliases) => aliases.split(' '))

/** Whether it is worth while to count the differences. Few people miss the first letter of a word. */
function isAlike(one: string, other: string): boolean {
  return one[0] === other[0] && Math.abs(one.length - other.length) <= 2
}
