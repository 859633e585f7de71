import { isNode, type Node } from '../../lint/marks.ts'
import { placesOf, seenAt } from '../evidence.ts'
import {
  type Change,
  type Context,
  changeExamples,
  counted,
  isAbout,
  moveMark,
  nodeAt,
  placeBelow,
  requireSource,
} from './change.ts'

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const TIME = '[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?'

/** The pattern of each form that has a name. */
const NAMED: Readonly<Record<string, string>> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  'full-date': DAY,
  'date-time Z': `${DAY}T${TIME}Z`,
  decimal: '-?[0-9]+\\.[0-9]+',
  'https URL': 'https://.+',
  'http URL': 'http://.+',
  'data URL': 'data:.+',
}

/** The keyword `format` that still holds of a form. */
const FORMATS: readonly (readonly [format: string, form: RegExp])[] = [
  ['date-time', /^date-time /],
  ['date', /^full-date$/],
  ['uuid', /^uuid$/],
]

/** Strings that are written in another form than the contract says. */
export function formChanges(context: Context): Change[] {
  return placesOf(context.shown, 'form').flatMap((at) => formChange(context, at))
}

function formChange(context: Context, at: string): Change[] {
  const { shown, contract } = context
  const broken = ['format', 'pattern'].filter((keyword) =>
    shown.findings.some((finding) => isAbout(finding, `${at}/${keyword}`)),
  )
  if (broken.length === 0) return []

  const seen = seenAt(shown, at, 'form')
  const forms = Object.keys(seen)
  const node = requireSource(context, at)
  const declared = nodeAt(contract, at)
  const format = FORMATS.find(([, form]) => forms.every((it) => form.test(it) || it === 'empty'))
  const keepsFormat = declared.format !== undefined && declared.format === format?.[0]
  const seenPattern = patternOf(forms, mayBeEmpty(declared.pattern))
  const isSent = isInRequests(contract, at)
  // What responses show says nothing of what requests may have.
  const pattern = isSent ? eitherPattern(declared, seenPattern) : seenPattern

  return [
    {
      says: `${at.split('/').at(-1)} is written as ${counted(seen)}.`,
      sentenceAt: node,
      explains: (finding) => isAbout(finding, `${at}/format`) || isAbout(finding, `${at}/pattern`),
      apply() {
        if (declared.format !== undefined && !keepsFormat) dropFormat(context, node)
        setPattern(context, node, pattern)
        const [form] = forms.filter((it) => it !== 'empty')
        if (form !== undefined && !isSent)
          changeExamples(context, at, (value) => exampleIn(form, value))
      },
    },
  ]
}

/** Whether the body of a request may have a value of a schema. */
function isInRequests(contract: Node, at: string): boolean {
  const paths = Object.values(nodeAt(contract, '/paths')).flatMap((item) =>
    Object.values(item ?? {}),
  )
  const open = paths.flatMap((operation) =>
    isNode(operation) ? refsIn(operation.requestBody) : [],
  )
  const reached = new Set<string>()
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (reached.has(ref)) continue
    reached.add(ref)
    open.push(...refsIn(nodeAt(contract, ref)))
  }
  return [...reached].some((ref) => at === ref || at.startsWith(`${ref}/`))
}

/** The pointers of all references in a value. */
function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (!isNode(value)) return []
  const own = typeof value.$ref === 'string' ? [value.$ref.slice(1)] : []
  return [...own, ...Object.values(value).flatMap(refsIn)]
}

/** A pattern of what the contract says, and of what was seen; undefined if one of them has none. */
function eitherPattern(declared: Node, seen: string | undefined): string | undefined {
  const ofFormat = declared.format === 'date' ? `^${DAY}$` : undefined
  const before = typeof declared.pattern === 'string' ? declared.pattern : ofFormat
  if (before === undefined || seen === undefined) return undefined

  // A time begins with its day: what follows the day is optional.
  const beginning = before.slice(0, -1)
  const isLonger = before.endsWith('$') && seen.startsWith(beginning)
  return isLonger ? `${beginning}(${seen.slice(beginning.length, -1)})?$` : `${before}|${seen}`
}

/** The format no longer holds. Its mark becomes that of the pattern. */
function dropFormat(context: Context, node: ReturnType<typeof requireSource>): void {
  const { files } = context
  if (!files.has(placeBelow(node, 'format'))) return
  moveMark(context, node, 'format', 'pattern')
  files.remove(placeBelow(node, 'format'))
}

/** Without a pattern, the mark says that the question is about the meaning. */
function setPattern(
  context: Context,
  node: ReturnType<typeof requireSource>,
  pattern: string | undefined,
): void {
  const { files } = context
  const place = placeBelow(node, 'pattern')
  if (pattern === undefined) {
    moveMark(context, node, 'pattern', 'meaning')
    if (files.has(place)) files.remove(place)
  } else if (files.has(place)) files.set(place, pattern)
  else files.add(node, 'pattern', pattern)
}

function mayBeEmpty(pattern: unknown): boolean {
  return typeof pattern === 'string' && new RegExp(pattern).test('')
}

/** Different forms that one pattern names. With more of them, the form is not known. */
const MAX_FORMS = 3

/** The pattern that all forms match; undefined if they have nothing in common that is known. */
function patternOf(forms: readonly string[], isEmptyAllowed: boolean): string | undefined {
  const filled = forms.filter((form) => form !== 'empty')
  const patterns = [...new Set(filled.map(patternOfForm))]
  if (patterns.length === 0 || patterns.length > MAX_FORMS) return undefined
  if (patterns.some((pattern) => pattern === undefined)) return undefined

  const isOptional = isEmptyAllowed || filled.length < forms.length
  const all = patterns.join('|')
  if (isOptional) return `^(${all})?$`
  return patterns.length > 1 ? `^(${all})$` : `^${all}$`
}

/** The characters of each kind. */
const CLASSES: Readonly<Record<string, string>> = {
  a: '[a-z]',
  A: '[A-Z]',
  9: '[0-9]',
  h: '[0-9a-f]',
  x: '[A-Za-z0-9]',
}

function patternOfForm(form: string): string | undefined {
  if (form.startsWith('date-time ') && form !== 'date-time Z')
    return `${DAY}T${TIME}[+-][0-9]{2}:[0-9]{2}`
  const named = NAMED[form]
  if (named !== undefined) return named
  // What is not ASCII, or was cut, has no form.
  if (form.includes('?') || form === 'others' || form.length >= 80) return undefined

  const parts = form.split(/([aA9hx]\{\d+\})/)
  return parts.map((part, i) => (i % 2 === 1 ? ofClass(part) : escaped(part))).join('')
}

function ofClass(part: string): string {
  return `${CLASSES[part[0] ?? '']}${part.slice(1)}`
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** An example in another form: of a time the same moment, of an id the same digits. */
function exampleIn(form: string, value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return undefined
  const [, offset] = /^date-time ([+-]\d\d:\d\d)$/.exec(form) ?? []
  if (offset !== undefined) {
    // A day becomes its last moment, as of a due date.
    const isDay = /^\d{4}-\d\d-\d\d$/.test(value)
    return isDay ? `${value}T23:59:59${offset}` : withOffset(value, offset)
  }
  // The images of the contract are the Base64 of a PNG.
  if (form === 'data URL') return `data:image/png;base64,${value}`
  if (NAMED[form] !== undefined || form.startsWith('date-time')) return undefined

  const characters = value.replaceAll(/[^A-Za-z0-9]/g, '').split('')
  return form
    .split(/([aA9hx]\{\d+\})/)
    .map((part, i) => (i % 2 === 1 ? filled(part, characters) : part))
    .join('')
}

function withOffset(value: string, offset: string): string | undefined {
  const time = Date.parse(value)
  if (Number.isNaN(time) || !value.includes('T')) return undefined
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const local = new Date(time + ahead * 60_000).toISOString()
  const hasFraction = !local.endsWith('.000Z')
  return `${local.slice(0, hasFraction ? -1 : -5)}${offset}`
}

/** Takes characters of a kind, or one that stands for it. */
function filled(part: string, characters: string[]): string {
  const length = Number(part.slice(2, -1))
  const isOfKind = new RegExp(`^${CLASSES[part[0] ?? '']}$`)
  const taken = characters.splice(0, length).map((it) => (isOfKind.test(it) ? it : standIn(part)))
  return taken.join('').padEnd(length, standIn(part))
}

function standIn(part: string): string {
  const kind = part[0]
  if (kind === 'A') return 'A'
  return kind === 'a' ? 'a' : '0'
}
