import { ALIASES, STOP_WORDS } from './search-vocabulary.ts'

/** Words of a search. Each is compared with all words of the site, also with those like it. */
const MAX_WORDS = 20
/** Characters of a search. */
const MAX_CHARACTERS = 300
/** Spaces and punctuation, to which an underscore belongs. */
const BETWEEN_WORDS = /[\n\r\p{Z}\p{P}]+/u
/** A word, or a name such as the field `due_date` or the rule `responses-in-time`. */
const WORD_OR_NAME = /[a-z\d]+(?:[_-][a-z\d]+)*/gi

/** The words of a search; a text that somebody pasted would hold the page for seconds. */
export function wordsOfSearch(text: string): string[] {
  const searched = joinCompounds(text.slice(0, MAX_CHARACTERS))
  const names = findNames(searched).slice(0, MAX_WORDS)
  const words = splitWords(searched.replaceAll(ERROR_NAME, splitErrorName)).slice(0, MAX_WORDS)
  return [...names, ...words, ...listPairs(words), ...findWhole(searched)]
}

/** Of an error that somebody pasted, such as `ReadTimeout`. */
const ERROR_NAME = /\b(?:[A-Z][a-z]+)+(?:Error|Exception|Timeout|Failure)\b/g

function splitErrorName(name: string): string {
  return [name, ...splitCamelCase(name)].join(' ')
}

/**
 * The words of a text in the index. A name in a heading is a word beside its parts, and two words
 * side by side in a heading or a keyword are one too. None counts twice, so that a long text says
 * no more than a short one.
 */
export function wordsOfIndex(text: string, field: string): string[] {
  const joined = joinCompounds(text)
  const words = field === 'title' ? splitWords(joined) : joined.split(BETWEEN_WORDS)
  return withoutRepeats([...words, ...listPhrases(joined, field)])
}

/** Words that people write as one or as two. */
const COMPOUNDS: readonly [RegExp, string][] = [
  [/\btim(?:e|ed|es) out/gi, 'timeout'],
  [/\btime[ -]zone/gi, 'timezone'],
  [/\bweb[ -]hook/gi, 'webhook'],
]

function joinCompounds(text: string): string {
  let joined = text
  for (const [apart, word] of COMPOUNDS) joined = joined.replaceAll(apart, word)
  return joined
}

/** What the index has beside the words of a text: names, pairs, and what stands alone. */
function listPhrases(text: string, field: string): string[] {
  if (field === 'keywords') return text.split(',').flatMap(phrasesOfKeyword)
  if (field === 'title')
    return [...findNames(text), ...listPairs(splitWords(text)), ...findWhole(text)]
  return []
}

/** The pairs of a keyword, or its only word. */
function phrasesOfKeyword(keyword: string): string[] {
  const pairs = listPairs(splitWords(keyword))
  // A pair says enough of the whole.
  return pairs.length > 0 ? pairs : findWhole(keyword)
}

/** Also the words of an operation or a field, such as `getUser`. */
function splitWords(text: string): string[] {
  const words = text.split(BETWEEN_WORDS)
  return words.flatMap((word) => (CAMEL_CASE.test(word) ? [word, ...splitCamelCase(word)] : word))
}

const CAMEL_CASE = /^[a-z]+(?:[A-Z][a-z]+)+$/

/** `get` and `User` of `getUser`. */
function splitCamelCase(word: string): string[] {
  return word.split(/(?=[A-Z])/)
}

/** One of the words that the index takes as the same. */
function withoutRepeats(words: readonly string[]): string[] {
  const byWord = new Map(words.map((word) => [indexedWord(word), word]))
  return [...byWord.values()]
}

/** Whether a word has parts that are words too. */
export function isName(word: string): boolean {
  return /[_-]/.test(word)
}

function findNames(text: string): string[] {
  return text.match(WORD_OR_NAME)?.filter(isName) ?? []
}

const BETWEEN_PAIR = ' '

/** Whether a word of the index is two, side by side. */
export function isPair(word: string): boolean {
  return word.includes(BETWEEN_PAIR)
}

/** Each two words side by side, but for those that are in every text. */
function listPairs(words: readonly string[]): string[] {
  const pairs: string[] = []
  let wordBefore: string | undefined
  for (const word of words.filter(saysSomething)) {
    if (wordBefore !== undefined) pairs.push(`${wordBefore}${BETWEEN_PAIR}${word}`)
    wordBefore = word
  }
  return pairs
}

/** Before what is a whole heading or search, such as “Webhooks” or “Test data”. */
const WHOLE = '='

/** Whether a word of the index is a whole heading. */
export function isWhole(word: string): boolean {
  return word.startsWith(WHOLE)
}

/**
 * One word for a whole heading or keyword, as a list, so that a search for exactly that finds it
 * first: a name alone (`=due_date`), or its one or two words that say anything (`=test data`).
 * Empty if there are more.
 */
function findWhole(text: string): string[] {
  const [name] = findNames(text)
  const isNameAlone = name === text.trim()
  if (isNameAlone) return [WHOLE + name]

  // The heading of an operation ends with its name.
  const withoutOperations = text.split(BETWEEN_WORDS).filter((word) => !CAMEL_CASE.test(word))
  const words = withoutOperations.filter(saysSomething)
  const areFew = words.length === 1 || words.length === 2
  return areFew ? [WHOLE + words.join(BETWEEN_PAIR)] : []
}

/** Whether a word is not in every text. */
function saysSomething(word: string): boolean {
  return word !== '' && indexedWord(word) !== false
}

/**
 * A word as the index has it: without accents and endings, and one word for one idea, such as
 * “payee” for “beneficiary”. False for a word that is in every text.
 */
export function indexedWord(word: string): string | false {
  return replaceParts(word, indexedPart)
}

/** A word of the index with each of its parts replaced: a pair has two. */
export function replaceParts(
  word: string,
  replace: (part: string) => string | false,
): string | false {
  if (isWhole(word)) return WHOLE + replaceParts(word.slice(WHOLE.length), replace)
  if (isPair(word)) return word.split(BETWEEN_PAIR).map(replace).sort().join(BETWEEN_PAIR)
  return replace(word)
}

function indexedPart(part: string): string | false {
  const folded = fold(part)
  if (IN_EVERY_TEXT.has(folded)) return false

  const stemmed = stem(folded)
  return SAME_IDEA.get(stemmed) ?? stemmed
}

const IN_EVERY_TEXT = new Set(STOP_WORDS)
const COMBINING_MARKS = /\p{Mn}/gu

/** Without capitals and accents: people type “cobranca” and “cobrança”. */
export function fold(word: string): string {
  return word.toLowerCase().normalize('NFD').replaceAll(COMBINING_MARKS, '')
}

/** The endings of English words, and what stays of them. The first that fits counts. */
const ENDINGS: readonly [ending: string, replacement: string][] = [
  ['ies', 'y'],
  ['ied', 'y'],
  ['sses', 'ss'],
  ['ss', 'ss'],
  ['us', 'us'],
  ['eed', 'eed'],
  ['ing', ''],
  ['ed', ''],
  ['es', ''],
  ['s', ''],
  ['e', ''],
]

/** The endings of nouns that verbs make, from the last one on. */
const NOUN_ENDINGS = [/ion$/, /at$/]

const MIN_STEM = 3
/** So that “date” and “rotate” stay apart from other words. */
const MIN_STEM_OF_NOUN = 5

/** A word without its ending, so that “verifies” finds “verified”, and “settle” “settled”. */
export function stem(word: string): string {
  const [ending, replacement] = ENDINGS.find(([ending]) => word.endsWith(ending)) ?? ['', '']
  const stemmed = word.slice(0, word.length - ending.length) + replacement
  return stemmed.length < MIN_STEM ? word : withSingleEnd(withoutNounEnding(stemmed))
}

/** “valid” of “validation” and “validate”. */
function withoutNounEnding(word: string): string {
  let stemmed = word
  for (const ending of NOUN_ENDINGS) {
    const shorter = stemmed.replace(ending, '')
    if (shorter.length >= MIN_STEM_OF_NOUN) stemmed = shorter
  }
  return stemmed
}

const DOUBLE_LETTER = /([a-z])\1$/

/** “cancell” of “cancelled” as “cancel”. A status such as 422 stays. */
function withSingleEnd(word: string): string {
  return DOUBLE_LETTER.test(word) ? word.slice(0, -1) : word
}

/** The word that the index has for each of the aliases. */
const SAME_IDEA = new Map(
  Object.entries(ALIASES).flatMap(([word, aliases]) =>
    aliases.split(' ').map((alias) => [stem(alias), stem(word)] as const),
  ),
)
