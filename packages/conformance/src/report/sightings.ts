/** What is looked at where the contract rests on an open question. */
export type Aspect =
  /** The values of an enum, or of what `spec/behaviour` declares. */
  | 'value'
  /** Values of an enum in requests: those that were accepted, and those that were refused. */
  | 'accepted'
  | 'refused'
  /** How a string is written, without its content. */
  | 'form'
  | 'type'
  /** Whether a field or a header is there: `present`, `absent` or `null`. */
  | 'presence'
  /** Fields and headers that the contract does not declare, with their types. */
  | 'undeclared'
  | 'media-type'
  | 'status'
  /** How long something works, where its unit is not known. */
  | 'lifetime'
  /** The name of a header or of an event. */
  | 'name'

/** What a history showed at a place that is no fact. */
export interface Sighting {
  readonly question: string
  /**
   * The place: a JSON pointer (RFC 6901) into the bundled contract, or one after `behaviour#` into
   * what `spec/behaviour` declares.
   */
  readonly at: string
  readonly of: Aspect
  /** How often each was seen. Values that may be personal are masked. */
  readonly seen: Readonly<Record<string, number>>
}

/** A sighting of one response or delivery. */
export interface Seen extends Omit<Sighting, 'seen'> {
  readonly seen: string
}

/** So many different values of a place are counted; the others are counted together. */
const MAX_DIFFERENT = 40
const OTHERS = 'others'

/**
 * Creates the counts of what a service showed where the contract is no fact, by place: how often which
 * value, such as `{ question: 'bounds', at: '/…/amount', of: 'type', seen: { string: 12, number: 1 } }`. The counter of a
 * place and `add` count, `list` returns the counts.
 */
export function createSightings() {
  const byPlace = new Map<
    string,
    { sighting: Omit<Sighting, 'seen'>; counts: Map<string, number> }
  >()

  /**
   * Creates the function that counts what is seen at one place; all functions for a place share its counts. With
   * too many different values, further ones are counted together.
   */
  function createCounter(sighting: Omit<Sighting, 'seen'>): (seen: string) => void {
    const key = `${sighting.question} ${sighting.of} ${sighting.at}`
    const { counts } = byPlace.get(key) ?? { counts: new Map<string, number>() }
    byPlace.set(key, { sighting, counts })
    return (seen) => {
      const isFull = counts.size >= MAX_DIFFERENT && !counts.has(seen)
      const counted = isFull ? OTHERS : seen
      counts.set(counted, (counts.get(counted) ?? 0) + 1)
    }
  }

  return {
    createCounter,
    add: ({ seen, ...sighting }: Seen): void => createCounter(sighting)(seen),
    list(): Sighting[] {
      const seenAt = [...byPlace.values()].filter(({ counts }) => counts.size > 0)
      return seenAt.map(({ sighting, counts }) => ({
        ...sighting,
        seen: Object.fromEntries(counts),
      }))
    },
  }
}

export type Sightings = ReturnType<typeof createSightings>

const WORD = /^[A-Za-z][\w.:-]{0,39}$/

/** Whether a value is a word of a program, such as that of an enum, which is not personal. */
export function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value)
}

/** Writes a value of an enum; its form if it is no word of a program. */
export function describeWord(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'nothing'
  return isWord(value) ? value : describeForm(value)
}

/** Forms that have a name, the most special first. */
const FORMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['empty', /^$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/],
  ['full-date', /^\d{4}-\d\d-\d\d$/],
  ['date-time Z', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/],
  ['decimal', /^-?\d+\.\d+$/],
  ['https URL', /^https:\/\//],
  ['http URL', /^http:\/\//],
  ['data URL', /^data:/],
]

/** A date-time with an offset (RFC 3339). */
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?([+-]\d\d:\d\d)$/

/** The length of a form in characters. */
const MAX_FORM_LENGTH = 80

/**
 * Describes how a string is written: by a named form, or by the kinds and numbers of its characters.
 * `rec_h{32}` is rec_ and 32 lower-case hexadecimal digits; a, A, 9 and x stand for lower case,
 * capitals, digits and a mixture, u and b for a random text of base64url and base64.
 */
export function describeForm(text: string): string {
  const [, offset] = WITH_OFFSET.exec(text) ?? []
  if (offset !== undefined) return `date-time ${offset}`

  const named = FORMS.find(([, pattern]) => pattern.test(text))
  if (named) return named[0]
  return describeCharacters(text.slice(0, MAX_FORM_LENGTH * 4)).slice(0, MAX_FORM_LENGTH)
}

/** A prefix of letters before an underscore, as of ids, is no content. */
const PREFIX = /^([A-Za-z]{1,8}_)?(.*)$/s

const OTHER_THAN_PRINTABLE_ASCII = /[^ -~]+/g

/** Describes the characters of a text by kind and number: `a{6}-9{2}` for `fulano-12`. */
function describeCharacters(text: string): string {
  const [, prefix = '', rest = ''] = PREFIX.exec(text) ?? []
  const random = describeRandom(rest)
  if (random !== undefined) return prefix + random

  const shape = rest
    .replaceAll(OTHER_THAN_PRINTABLE_ASCII, '?')
    .replaceAll(/[A-Za-z0-9]+/g, (run) => `${classifyRun(run)}{${run.length}}`)
  return prefix + shape
}

/** The alphabets of random texts, and their characters that are no letters or digits. */
const ALPHABETS: readonly (readonly [kind: string, pattern: RegExp, signs: RegExp])[] = [
  ['u', /^([\w-]+)(=*)$/, /[_-]/],
  ['b', /^([A-Za-z0-9+/]+)(=*)$/, /[+/]/],
]

/** A shorter text may be some words with hyphens or slashes between them. */
const MIN_RANDOM_LENGTH = 32

/**
 * Describes a random text as one run, such as `u{40}` for 40 characters of base64url, wherever in it `-` and `_`
 * stand. Undefined if a text is not random: random ones are long, and mix cases and digits.
 */
function describeRandom(text: string): string | undefined {
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)
  if (text.length < MIN_RANDOM_LENGTH || !isMixed) return undefined

  // Without a sign of an alphabet, such as `_` of base64url, it is not known which one it is.
  for (const [kind, pattern, signs] of ALPHABETS) {
    const [, characters = '', padding = ''] = pattern.exec(text) ?? []
    if (signs.test(characters)) return `${kind}{${characters.length}}${padding}`
  }
  return undefined
}

/** A shorter run of hexadecimal digits may be a word. */
const MIN_HEX_LENGTH = 8

/**
 * The kind of the characters of a run: `9` for digits, `h` for hexadecimal digits, `a` for small letters, `A` for
 * capitals, and `x` for a mixture.
 */
function classifyRun(run: string): string {
  if (/^\d+$/.test(run)) return '9'
  if (run.length >= MIN_HEX_LENGTH && /^[\da-f]+$/.test(run)) return 'h'
  if (/^[a-z]+$/.test(run)) return 'a'
  return /^[A-Z]+$/.test(run) ? 'A' : 'x'
}
