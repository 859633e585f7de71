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
  const searched = text.slice(0, MAX_CHARACTERS)
  return [...namesIn(searched), ...searched.split(BETWEEN_WORDS)].slice(0, MAX_WORDS)
}

/** The words of a text in the index. A name in a heading is a word beside its parts. */
export function wordsOfIndex(text: string, field: string): string[] {
  const words = text.split(BETWEEN_WORDS)
  return field === 'title' ? [...namesIn(text), ...words] : words
}

/** Whether a word has parts that are words too. */
export function isName(word: string): boolean {
  return /[_-]/.test(word)
}

function namesIn(text: string): string[] {
  return text.match(WORD_OR_NAME)?.filter(isName) ?? []
}

/** Words of questions, which are in every text, in English and Portuguese. */
const STOP_WORDS = new Set(
  [
    'a an and are can do does for from get how i if in instead is it long many may my not of on or',
    'should the there to too what when where which while why with you your',
    'ao as com como da das de dos e em na no o os para por que se um uma',
  ].flatMap((words) => words.split(' ')),
)

/** A word as the index has it, or false for one that is in every text. */
export function indexedWord(word: string): string | false {
  const folded = fold(word)
  return STOP_WORDS.has(folded) ? false : stem(folded)
}

const COMBINING_MARKS = /\p{Mn}/gu

/** Without capitals and accents: people type “cobranca” and “cobrança”. */
function fold(word: string): string {
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

const MIN_STEM = 3

/** A word without its ending, so that “verifies” finds “verified”, and “settle” “settled”. */
export function stem(word: string): string {
  const [ending, replacement] = ENDINGS.find(([ending]) => word.endsWith(ending)) ?? ['', '']
  const stemmed = word.slice(0, word.length - ending.length) + replacement
  return stemmed.length < MIN_STEM ? word : withSingleEnd(stemmed)
}

const DOUBLE_LETTER = /([a-z])\1$/

/** “cancell” of “cancelled” as “cancel”. A status such as 422 stays. */
function withSingleEnd(word: string): string {
  return DOUBLE_LETTER.test(word) ? word.slice(0, -1) : word
}
