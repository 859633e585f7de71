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

/** The pattern of a string that is a day and nothing else. */
export const DAY_PATTERN = `^${DAY}$`

/** The pattern of each form that has a name, without `^` and `$`. */
const NAMED_PATTERNS: Readonly<Record<string, string>> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  'full-date': DAY,
  'date-time Z': `${DAY}T${TIME}Z`,
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
  const hasOffset = form.startsWith('date-time ') && form !== 'date-time Z'
  if (hasOffset) return `${DAY}T${TIME}[+-][0-9]{2}:[0-9]{2}`

  const namedPattern = NAMED_PATTERNS[form]
  if (namedPattern !== undefined) return namedPattern

  // The checker writes `?` for a character that is not ASCII, and `others` for too many forms.
  const isNotAscii = form.includes('?')
  const isCut = form.length >= LONGEST_FORM
  if (isNotAscii || isCut || form === 'others') return undefined

  return parseShape(form).map(patternOfPart).join('')
}

function patternOfPart(part: ShapePart): string {
  if ('text' in part) return escapeRegExp(part.text)
  return `${part.range}{${part.length}}`
}

/**
 * An example of the contract, written in a form: a time stays the same moment, an id keeps its
 * digits. Undefined if it cannot be written so.
 *
 * @example
 * rewriteExample('2026-11-29T12:00:00Z', 'date-time -03:00') // '2026-11-29T09:00:00-03:00'
 */
export function rewriteExample(value: unknown, form: string): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined

  const [, offset] = /^date-time ([+-]\d\d:\d\d)$/.exec(form) ?? []
  if (offset !== undefined) return rewriteTime(value, offset)

  // The images of the contract are the Base64 of a PNG.
  if (form === 'data URL') return `data:image/png;base64,${value}`

  const hasName = NAMED_PATTERNS[form] !== undefined || form.startsWith('date-time')
  return hasName ? undefined : fillShape(form, value)
}

/**
 * The same moment at an offset such as `-03:00`; undefined if the value is neither a time nor a
 * day.
 */
function rewriteTime(value: string, offset: string): string | undefined {
  // A day becomes its last moment, as of a due date.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value)
  if (isDay) return `${value}T23:59:59${offset}`

  const moment = Date.parse(value)
  if (Number.isNaN(moment) || !value.includes('T')) return undefined

  const localTime = new Date(moment + offsetMs(offset)).toISOString()
  const withoutZone = localTime.replace(/(\.000)?Z$/, '')
  return `${withoutZone}${offset}`
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
  /** The characters of the kind, as in a regular expression. */
  readonly range: string
  readonly length: number
  /** A character of the kind, for an example that has none. */
  readonly standIn: string
}

/** The kinds of characters, by the letter that stands for each in a shape. */
const KINDS: Readonly<Record<string, Omit<CharacterRun, 'length'>>> = {
  a: { range: '[a-z]', standIn: 'a' },
  A: { range: '[A-Z]', standIn: 'A' },
  9: { range: '[0-9]', standIn: '0' },
  h: { range: '[0-9a-f]', standIn: '0' },
  x: { range: '[A-Za-z0-9]', standIn: '0' },
}

/** The parts of a shape: of `rec_h{32}`, the text `rec_`, and a run of 32 hexadecimal digits. */
function parseShape(shape: string): ShapePart[] {
  const pieces = shape.split(/([aA9hx]\{\d+\})/)
  return pieces.map((text) => parseRun(text) ?? { text })
}

function parseRun(text: string): CharacterRun | undefined {
  const [, letter = '', length] = /^([aA9hx])\{(\d+)\}$/.exec(text) ?? []
  const kind = KINDS[letter]
  return kind && { ...kind, length: Number(length) }
}

/**
 * A string of a shape with the letters and digits of `value`, in their order: `rec_h{4}` and
 * `01-ab` give `rec_01ab`. A run of the shape that lacks characters is filled up.
 */
function fillShape(shape: string, value: string): string {
  const characters = value.replaceAll(/[^A-Za-z0-9]/g, '')
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

/** As many characters as a run has: the given ones if they are of its kind, and stand-ins. */
function fillRun({ range, length, standIn }: CharacterRun, characters: string): string {
  const isOfKind = new RegExp(`^${range}$`)
  let text = ''
  for (const character of characters) text += isOfKind.test(character) ? character : standIn
  return text.padEnd(length, standIn)
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
