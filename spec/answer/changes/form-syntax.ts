/**
 * The forms by which evidence says how a string is written, without its content. The checker writes
 * them (`packages/conformance/src/report/sightings.ts`). A form is one of these:
 *
 * - a name, such as `uuid`, `date-time -03:00` or `empty`;
 * - a shape: `rec_h{32}` is the text `rec_`, and 32 characters of the kind `h`;
 * - `others`, for those that were too many to list.
 */

/** What evidence writes for an empty string. */
export const EMPTY_FORM = 'empty'

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const TIME = '[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?'

const OFFSET = '[+-][0-9]{2}:[0-9]{2}'

/** The pattern of a string that is a day and nothing else. */
export const DAY_PATTERN = `^${DAY}$`

/** The pattern of each form that has a name, without `^` and `$`. */
const NAMED_PATTERNS: Readonly<Record<string, string>> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  'full-date': DAY,
  decimal: '-?[0-9]+\\.[0-9]+',
  'https URL': 'https://.+',
  'http URL': 'http://.+',
  'data URL': 'data:.+',
}

/** A form that is as long as this was cut by the checker. */
const LONGEST_FORM = 80

/**
 * The regular expression of a form, without `^` and `$`: of `rec_h{32}`, it is `rec_[0-9a-f]{32}`.
 * Undefined if the form does not say all characters, as of one that the checker cut.
 */
export function patternOfForm(form: string): string | undefined {
  if (isTime(form)) return `${DAY}T${TIME}${patternOfZone(form)}`

  const namedPattern = NAMED_PATTERNS[form]
  if (namedPattern !== undefined) return namedPattern

  // The checker writes `?` for a character that is not ASCII.
  const isNotAscii = form.includes('?')
  const isCut = form.length >= LONGEST_FORM
  // It writes `others` where there were too many forms to list.
  const isUnlisted = form === 'others'
  if (isNotAscii || isCut || isUnlisted) return undefined

  return parseShape(form).map(patternOfPart).join('')
}

/** Whether a form is one of a date-time of RFC 3339, such as `date-time Z`. */
function isTime(form: string): boolean {
  return form.startsWith('date-time ')
}

/** The regular expression of how a date-time ends: `Z`, or an offset such as -03:00. */
export function patternOfZone(form: string): string {
  return form === 'date-time Z' ? 'Z' : OFFSET
}

/** A form with more parts than that is easier to read as it is. */
const MAX_PARTS_IN_WORDS = 3

/**
 * A form in words: `rec_h{32}` is `rec_ and 32 hexadecimal digits`. A form with a name, such as
 * `uuid`, stays, and so does one that the checker cut or that would take too many words.
 */
export function describeForm(form: string): string {
  if (form === EMPTY_FORM) return 'an empty string'
  if (form === 'others') return 'other forms'
  const isShape = NAMED_PATTERNS[form] === undefined && !isTime(form)
  const isCut = form.length >= LONGEST_FORM
  if (!isShape || isCut) return form

  const words = parseShape(form).map(describePart)
  if (words.length > MAX_PARTS_IN_WORDS) return form
  const last = words.pop() ?? ''
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`
}

function describePart(part: ShapePart): string {
  if ('text' in part) return part.text
  return `${part.length} ${part.length === 1 ? part.word : part.words}`
}

function patternOfPart(part: ShapePart): string {
  if ('text' in part) return escapeRegExp(part.text)
  return `${part.range}{${part.length}}`
}

/**
 * An example of the contract, written in a form: a time stays the same moment, an id keeps its
 * digits. Undefined if the form does not say all characters, or if the example is no string.
 *
 * @example
 * rewriteExample('2026-11-29T12:00:00Z', 'date-time -03:00') // '2026-11-29T09:00:00-03:00'
 */
export function rewriteExample(value: unknown, form: string): string | undefined {
  if (typeof value !== 'string' || value === '' || form === EMPTY_FORM) return undefined
  const pattern = patternOfForm(form)
  if (pattern === undefined) return undefined
  if (new RegExp(`^(${pattern})$`).test(value)) return value

  if (isTime(form)) return rewriteTime(value, form.slice('date-time '.length))
  switch (form) {
    case 'uuid':
      return fillShape('h{8}-h{4}-h{4}-h{4}-h{12}', value)
    case 'full-date':
      return new Date(readMoment(value)).toISOString().slice(0, 10)
    case 'decimal':
      return /^-?\d+$/.test(value) ? `${value}.00` : '1.00'
    case 'https URL':
      return rewriteUrl(value, 'https')
    case 'http URL':
      return rewriteUrl(value, 'http')
    case 'data URL':
      // The images of the contract are the Base64 of a PNG.
      return `data:image/png;base64,${value}`
    default:
      return fillShape(form, value)
  }
}

/** A host with a path, such as the address of a charge, keeps both; any other value gets a stand-in. */
function rewriteUrl(value: string, scheme: string): string {
  const [, address] = /^(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/\S*)?)$/.exec(value) ?? []
  return `${scheme}://${address ?? 'pix.example.com/example'}`
}

/**
 * A time of an example, written as the same moment in another zone (`Z`, or an offset such as
 * `-03:00`). A day without a time becomes its end: `2026-11-29T23:59:59-03:00`.
 */
function rewriteTime(value: string, zone: string): string {
  // As of a due date, which lasts until its end.
  const isDay = new RegExp(DAY_PATTERN).test(value)
  if (isDay) return `${value}T23:59:59${zone}`

  const localTime = new Date(readMoment(value) + (zone === 'Z' ? 0 : offsetMs(zone))).toISOString()
  const withoutZone = localTime.replace(/(\.000)?Z$/, '')
  return `${withoutZone}${zone}`
}

/** The moment of an example that has none. */
const STAND_IN_MOMENT = Date.UTC(2026, 10, 2, 14, 30)

/** The moment that an example shows, or a stand-in. */
function readMoment(value: string): number {
  const moment = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(moment) ? STAND_IN_MOMENT : moment
}

/** The milliseconds of an offset such as `-03:00`. */
function offsetMs(offset: string): number {
  const [hours, minutes] = offset.slice(1).split(':').map(Number)
  const ms = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000
  return offset.startsWith('-') ? -ms : ms
}

/** A part of a shape: text that stands as it is, or a number of characters of one kind. */
type ShapePart = { readonly text: string } | CharacterRun

interface CharacterRun {
  /** The letter of the kind. */
  readonly kind: string
  /** The characters of the kind, as in a regular expression. */
  readonly range: string
  readonly length: number
  /** The characters of the kind in an example that has others. */
  readonly standIns: string
  readonly word: string
  readonly words: string
}

/** The kinds of characters, by the letter that stands for each in a shape. */
const KINDS: Readonly<Record<string, Omit<CharacterRun, 'length' | 'kind'>>> = {
  a: {
    range: '[a-z]',
    standIns: 'abcdefghijklmnopqrstuvwxyz',
    word: 'lower-case letter',
    words: 'lower-case letters',
  },
  A: {
    range: '[A-Z]',
    standIns: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    word: 'capital',
    words: 'capitals',
  },
  9: { range: '[0-9]', standIns: '0123456789', word: 'digit', words: 'digits' },
  h: {
    range: '[0-9a-f]',
    standIns: '0123456789abcdef',
    word: 'hexadecimal digit',
    words: 'hexadecimal digits',
  },
  x: {
    range: '[A-Za-z0-9]',
    standIns: '0',
    word: 'letter or digit',
    words: 'letters or digits',
  },
  u: {
    range: '[A-Za-z0-9_-]',
    standIns: '0',
    word: 'character of base64url',
    words: 'characters of base64url',
  },
  b: {
    range: '[A-Za-z0-9+/]',
    standIns: '0',
    word: 'character of base64',
    words: 'characters of base64',
  },
}

/** The parts of a shape: of `rec_h{32}`, the text `rec_`, and a run of 32 hexadecimal digits. */
function parseShape(shape: string): ShapePart[] {
  const pieces = shape.split(/([aA9hxub]\{\d+\})/).filter((text) => text !== '')
  return pieces.map((text) => parseRun(text) ?? { text })
}

function parseRun(text: string): CharacterRun | undefined {
  const [, letter = '', length] = /^(\w)\{(\d+)\}$/.exec(text) ?? []
  const kind = KINDS[letter]
  return kind && { ...kind, kind: letter, length: Number(length) }
}

function writeShape(parts: readonly ShapePart[]): string {
  return parts.map((part) => ('text' in part ? part.text : `${part.kind}{${part.length}}`)).join('')
}

/** A prefix of letters before an underscore, as of ids and secrets. */
const PREFIX = /^[A-Za-z]{1,8}_/

/**
 * A string of a shape with the letters and digits of `value`, in their order and without its
 * prefix: `rec_h{4}` and `01-ab` give `rec_01ab`. A run of the shape that lacks characters is
 * filled up.
 */
function fillShape(shape: string, value: string): string {
  const characters = value.replace(PREFIX, '').replaceAll(/[^A-Za-z0-9]/g, '')
  let usedCharacters = 0
  let text = ''
  for (const part of parseShape(shape)) {
    if ('text' in part) {
      text += part.text
      continue
    }
    const end = usedCharacters + part.length
    text += fillRun(part, characters.slice(usedCharacters, end))
    usedCharacters = end
  }
  return text
}

/**
 * The characters of one run of a shape, such as four hexadecimal digits: `01xy` gives `01` and two
 * stand-ins, since `x` and `y` are no such digits. Too few characters are filled up.
 */
function fillRun({ range, length, standIns }: CharacterRun, characters: string): string {
  const kind = new RegExp(`^${range}$`)
  let text = ''
  for (const character of characters) {
    const isOfKind = kind.test(character)
    text += isOfKind ? character : chooseStandIn(character, standIns)
  }
  return text.padEnd(length, standIns)
}

/** Two examples that differ should still do so, so the stand-in depends on the character. */
function chooseStandIn(character: string, standIns: string): string {
  return standIns[character.charCodeAt(0) % standIns.length] ?? standIns
}

/** A shorter text may be some words with hyphens or slashes between them. */
const MIN_RANDOM_LENGTH = 20

/**
 * The same counts with one form for texts of one form, which a short look shows as several: an id
 * whose letters happen to be lower case, or a random text that base64 cuts in another place each
 * time, at `-` and `_` or at `+` and `/`.
 *
 * @example
 * joinForms({ 'whs_x{40}': 3, 'whs_x{12}-x{27}': 1 }) // { 'whs_u{40}': 4 }
 */
export function joinForms(
  counts: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return joinBy(joinBy(counts, findSkeleton, joinKinds), findRandomFrame, joinRandom)
}

/**
 * Joins forms that are alike, and adds up their counts: with `findSkeleton`,
 * `{ 'whs_a{4}': 1, 'whs_x{4}': 3 }` becomes `{ 'whs_x{4}': 4 }`.
 *
 * @param findKey Returns the same text for forms that are alike; undefined for one that stays alone.
 * @param join Makes one form of them.
 */
function joinBy(
  counts: Readonly<Record<string, number>>,
  findKey: (form: string) => string | undefined,
  join: (forms: readonly string[]) => string,
): Readonly<Record<string, number>> {
  const joined: Record<string, number> = {}
  // No key begins with a space, so a form without a key is a group of its own.
  const groups = Map.groupBy(Object.keys(counts), (form) => findKey(form) ?? ` ${form}`)
  for (const forms of groups.values()) {
    const [only = '', ...others] = forms
    const form = others.length === 0 ? only : join(forms)
    const count = forms.reduce((sum, each) => sum + (counts[each] ?? 0), 0)
    joined[form] = (joined[form] ?? 0) + count
  }
  return joined
}

/** Whether a form is a shape which says all characters. */
function isWholeShape(form: string): boolean {
  const isNamed = NAMED_PATTERNS[form] !== undefined || isTime(form) || form === EMPTY_FORM
  return !isNamed && patternOfForm(form) !== undefined
}

/** The texts of a shape with the lengths of its runs, whatever their characters. */
function findSkeleton(form: string): string | undefined {
  if (!isWholeShape(form)) return undefined
  const parts = parseShape(form)
  return JSON.stringify(parts.map((part) => ('text' in part ? part.text : part.length)))
}

/**
 * One shape for several that differ only in the kinds of their runs: `rec_9{4}` and `rec_h{4}` give
 * `rec_h{4}`, since each digit is a hexadecimal one too.
 */
function joinKinds(forms: readonly string[]): string {
  const [first = [], ...others] = forms.map(parseShape)
  const joined = first.map((part, index) => {
    if ('text' in part) return part
    // Shapes with one skeleton have their runs at the same places.
    const runs = [part, ...others.map((parts) => parts[index] as CharacterRun)]
    return { ...part, kind: runs.map(({ kind }) => kind).reduce(joinKind) }
  })
  return writeShape(joined)
}

/**
 * The smallest kind of characters that includes two kinds. `9` are digits, `h` hexadecimal digits, `x`
 * all letters and digits, and `u` and `b` the two alphabets of base64, which include those.
 */
function joinKind(one: string, other: string): string {
  if (one === other) return one
  const kinds = new Set([one, other])
  const wider = ['u', 'b'].find((kind) => kinds.has(kind))
  if (wider !== undefined) return wider
  const areHexadecimal = kinds.has('9') && kinds.has('h')
  return areHexadecimal ? 'h' : 'x'
}

/** A shape as a random text: what stands before it, its length, and what fills it up. */
interface RandomText {
  readonly prefix: string
  readonly length: number
  readonly padding: string
  /** The characters between its runs. */
  readonly separators: string
}

/**
 * Reads a shape as a random text in base64, such as `whs_x{12}-x{27}`: the prefix `whs_`, then 40
 * characters, of which `-` is one. Undefined if it is too short, or if a separator is of neither
 * alphabet of base64 (one has `-` and `_`, the other `+` and `/`).
 */
function readRandomText(form: string): RandomText | undefined {
  if (!isWholeShape(form)) return undefined
  const [prefix = ''] = PREFIX.exec(form) ?? []
  const [padding = ''] = /=*$/.exec(form) ?? []
  const parts = parseShape(form.slice(prefix.length, form.length - padding.length))
  let length = 0
  let separators = ''
  // The text between two runs, such as `-`, belongs to the random text.
  for (const part of parts) {
    length += 'text' in part ? part.text.length : part.length
    separators += findSeparators(part)
  }
  if (length < MIN_RANDOM_LENGTH) return undefined

  const isInOneAlphabet = /^[-_]*$/.test(separators) || /^[+/]*$/.test(separators)
  return isInOneAlphabet ? { prefix, length, padding, separators } : undefined
}

/** The characters of a part that are no letters or digits. */
function findSeparators(part: ShapePart): string {
  if ('text' in part) return part.text
  if (part.kind === 'u') return '-'
  return part.kind === 'b' ? '+' : ''
}

/** What random texts of one form have in common. */
function findRandomFrame(form: string): string | undefined {
  const random = readRandomText(form)
  return random && JSON.stringify([random.prefix, random.length, random.padding])
}

/** One form for several of one random text: `whs_x{40}` and `whs_x{12}-x{27}` give `whs_u{40}`. */
function joinRandom(forms: readonly string[]): string {
  const texts = forms.flatMap((form) => readRandomText(form) ?? [])
  const [{ prefix, length, padding } = { prefix: '', length: 0, padding: '' }] = texts
  const isOfBase64 = texts.some(({ separators }) => /[+/]/.test(separators))
  return `${prefix}${isOfBase64 ? 'b' : 'u'}{${length}}${padding}`
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
