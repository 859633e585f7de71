import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pointerOf, stepsOf } from '@partner-payments/contract'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { parse } from 'yaml'
import { durationMs, fieldsOf, type Json, valueAt } from '../../src/contract/json.ts'

/** A formal field of spec/behaviour with another value of its type. */
export interface Break {
  /** The pointer of the field in behaviour.json. */
  readonly at: string
  /** Absent if the field is left out. */
  readonly value?: unknown
}

const SCHEMA_FILE = new URL('../../../../spec/behaviour/schema.yaml', import.meta.url)
const schema: unknown = parse(readFileSync(fileURLToPath(SCHEMA_FILE), 'utf8'))

/** Sentences for people, their sources, and what the build adds. */
const PROSE: ReadonlySet<string> = new Set([
  'says',
  'title',
  'summary',
  'meaning',
  'when',
  'fix',
  'cases',
  'tag',
  'fact',
  'question',
  'responses',
])

/** Lists and maps that name all that there is, so that a missing item is a wrong statement. */
const CLOSED: ReadonlySet<string> = new Set([
  'initial',
  'events',
  'subscribers',
  'waits',
  'plus',
  'minus',
  'by',
  'filters',
])

/** Fields that no run of the checker can contradict, and why. */
export const NOT_CHECKED: readonly (readonly [field: RegExp, why: string])[] = [
  [/^\/deliveries\/timeout$/, 'The sandbox ends an attempt by it, in real time.'],
  [/^\/deliveries\/tolerance\//, 'It bounds what is allowed, and the sandbox has a right clock.'],
  [/^\/resources\/webhook\/most\//, 'The sandbox counts by it; no run creates a hundred webhooks.'],
  [
    /\/on\/remove\/|\/REMOVIDA_PELO_PSP\/|\/transfer\/initial\/[12]|\/mayBeMasked$/,
    'It allows what the sandbox never does.',
  ],
  [/^\/resources\/[^/]+\/variant$/, 'The client names its methods by it; its types refuse others.'],
]

/** Breaks that are as true as the declaration, and why. */
const EQUIVALENT: readonly (readonly [broken: RegExp, why: string])[] = [
  [
    /^\/copies\/check-shows-static-code\/sent\/~1amount = "\/final_amount"$/,
    'Nothing changes the amount of a static code.',
  ],
  [
    /^\/copies\/check-shows-(revision|location|status)\/from\/. = "checkCode"$/,
    'A check repeats what an earlier one showed, too.',
  ],
  [
    /^\/copies\/transfer-shows-tx-id\/from\/0 = "createDueDateQrCode"$/,
    'A transfer repeats the tx_id of the charge, too.',
  ],
  [
    /^\/invariants\/open-amount\/formOf\/of = "\/final_amount"$/,
    'Of nothing, nothing is taken away, and a final amount of zero is refused otherwise.',
  ],
  [
    /^\/resources\/(user|webhook)\/owner = "account"$/,
    'The token of the partner alone may call their operations.',
  ],
  [
    /^\/deliveries\/waits\/0 = "PT1S"$/,
    'What comes again within two seconds may be the same attempt.',
  ],
]

/** What the sandbox takes from spec/behaviour. */
export const TAKEN_BY_SANDBOX: readonly RegExp[] = [
  /^\/lifetimes\/access-token\/expires\/unit$/,
  /^\/permissions\//,
  /^\/conventions\/bodySize\//,
  /^\/lists\/.+\/(order|filters)\//,
  /^\/oneTimeValues\/initiation\/lifetime$/,
  /^\/events\/.+\/(receiver|subscribers)/,
  /^\/deliveries\/(overlap|waits)\//,
  /^\/resources\/(immediate|dueDate)QrCode\/defaults\/~1calendar/,
  /^\/resources\/immediateQrCode\/states\/ATIVA\/on\/(cancel|pay)\/events\//,
  /^\/resources\/transfer\/states\/pending\/on\/[^/]+\/events\//,
]

/** Schemas of bodies by operationId. */
const operations = new Map(
  Object.values<object>(openapi.paths)
    .flatMap((path) => Object.values<unknown>(path as Record<string, unknown>))
    .map(fieldsOf)
    .filter(({ operationId }) => operationId !== undefined)
    .map((node) => [String(node.operationId), bodiesOf(node)]),
)

function bodiesOf(node: Json) {
  const success = Object.entries(fieldsOf(node.responses)).find(([status]) => status < '300')
  return {
    request: valueAt(node, '/requestBody/content/application~1json/schema'),
    response: valueAt(resolvedNode(success?.[1]), '/content/application~1json/schema'),
    query: (Array.isArray(node.parameters) ? node.parameters : [])
      .map((parameter) => fieldsOf(resolvedNode(parameter)))
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => String(name)),
  }
}

function resolvedNode(node: unknown): unknown {
  const { $ref } = fieldsOf(node)
  return typeof $ref === 'string' ? valueAt(openapi, $ref.slice(1)) : node
}

/** Breaks of every formal field, in the order of behaviour.json. */
export const breaks: readonly Break[] = breaksAt(
  { $ref: '#/components/schemas/Behaviour' },
  behaviour,
  '',
).filter((one) => !isExempt(one))

function isExempt(one: Break): boolean {
  const isNotChecked = NOT_CHECKED.some(([field]) => field.test(one.at))
  return isNotChecked || EQUIVALENT.some(([broken]) => broken.test(inWords(one)))
}

/** A break for a message. */
export function inWords({ at, ...change }: Break): string {
  return 'value' in change ? `${at} = ${JSON.stringify(change.value)}` : `${at} left out`
}

/**
 * A copy with breaks.
 *
 * @param entries Default: behaviour.json.
 */
export function withBreaks<Entries extends object = typeof behaviour>(
  broken: readonly Break[],
  entries: Entries = behaviour as object as Entries,
): Entries {
  // An alias of YAML is one object in two places, of which only one is broken.
  const copy: Entries = JSON.parse(JSON.stringify(entries))
  for (const one of broken) edit(copy, one)
  return copy
}

/** The question or the fact that a place of behaviour.json has, or the nearest one above it. */
export function sourceOf(at: string): string | undefined {
  for (let place = at; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const { question, fact } = fieldsOf(valueAt(behaviour, place))
    if (question ?? fact) return String(question ?? fact)
  }
  return undefined
}

function edit(root: unknown, { at, ...change }: Break): void {
  const parent = valueAt(root, at.slice(0, at.lastIndexOf('/'))) as Record<string, unknown>
  const key = stepsOf(at).at(-1) ?? ''
  if ('value' in change) parent[key] = change.value
  else if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

function breaksAt(node: unknown, value: unknown, at: string): Break[] {
  const { $ref, ...own } = fieldsOf(node)
  const name = nameOf(at)
  if (name === 'notBefore') return [{ at, value: (value as unknown[]).toReversed() }]
  if (name === 'forms') return renamedForms(fieldsOf(value), at)

  if (typeof $ref === 'string') {
    const type = $ref.split('/').at(-1) ?? ''
    const others = othersOf(type, value, at)
    if (others) return others.map((other) => ({ at, value: other }))
    return breaksAt(valueAt(schema, $ref.slice(1)), value, at)
  }
  if (Array.isArray(value)) return breaksOfList(own, value, at)
  if (typeof value === 'object' && value !== null && own.type === 'object')
    return breaksOfObject(own, fieldsOf(value), at)
  return othersOfLeaf(own, value, at).map((other) => ({ at, value: other }))
}

function breaksOfObject(node: Json, value: Json, at: string): Break[] {
  const properties = fieldsOf(node.properties)
  return Object.entries(value).flatMap(([name, child]) => {
    if (PROSE.has(name)) return []
    const place = pointerOf(at, name)
    const inside = name in properties ? properties[name] : node.additionalProperties
    const isInEntry = at.split('/').length > 3
    const left = isInEntry && CLOSED.has(nameOf(at)) ? [{ at: place }] : []
    return [...left, ...breaksAt(inside, child, place)]
  })
}

/** Each form under another name. */
function renamedForms(forms: Json, at: string): Break[] {
  return Object.keys(forms).map((name) => {
    const renamed = Object.entries(forms).map(([other, form]) => [
      other === name ? `${other}x` : other,
      form,
    ])
    return { at, value: Object.fromEntries(renamed) }
  })
}

function breaksOfList(
  { items, minItems = 0 }: Json,
  value: readonly unknown[],
  at: string,
): Break[] {
  const canLeave = CLOSED.has(nameOf(at)) && value.length > Number(minItems)
  return value.flatMap((item, index) => {
    const place = `${at}/${index}`
    const left = canLeave ? [{ at: place }] : []
    return [...left, ...breaksAt(items, item, place)]
  })
}

/** Other values of a named type; undefined for a type that is an object. */
function othersOf(type: string, value: unknown, at: string): unknown[] | undefined {
  if (type === 'Pointer') return otherPointers(String(value), at)
  if (type === 'Place') {
    const [id = '', pointer = ''] = String(value).split('#')
    const { request, response } = operations.get(id) ?? {}
    const found = siblings(pointer, at.endsWith('/to') ? [request] : [response])
    return found.map((sibling) => `${id}#${sibling}`)
  }
  if (type === 'Duration') return durations(String(value))
  if (type === 'OperationId') return otherOperations(String(value), at)
  return undefined
}

function otherPointers(value: string, at: string): string[] {
  // Of two transfers, these differ, and those are often the same.
  if (at.includes('/sameFor/fields/')) return ['/id']
  if (at.includes('/unique/')) return ['/status']
  return siblings(value, rootsOf(at))
}

/** Another operation with the same fields. */
function otherOperations(value: string, at: string): string[] {
  const [section, name = ''] = at.split('/').slice(1)
  const names = [...operations.keys()]
  if (section !== 'copies') return [otherName(names, value)]

  const { sent, fields, always } = fieldsOf(valueAt(behaviour, `/copies/${name}`))
  const isFrom = at.includes('/from/')
  const expected = isFrom
    ? { request: Object.keys(fieldsOf(sent)), response: Object.keys(fieldsOf(fields)) }
    : { request: [], response: Object.values({ ...fieldsOf(sent), ...fieldsOf(fields) }) }
  const shown = isFrom ? [] : Object.keys(fieldsOf(always))
  const used = valueAt(behaviour, `/copies/${name}/from`) as string[]
  const candidate = names.find((id) => {
    const { request, response } = operations.get(id) ?? {}
    return (
      id !== value &&
      !used.includes(id) &&
      expected.request.every((pointer) => hasField(request, pointer)) &&
      [...expected.response, ...shown].every((pointer) => hasField(response, String(pointer)))
    )
  })
  return candidate === undefined ? [] : [candidate]
}

function hasField(schema: unknown, pointer: string): boolean {
  return insideOf(schema, pointer.split('/').slice(1)) !== undefined
}

/** One ten times as long, and one a quarter as long. Services may wait longer than a few seconds. */
function durations(value: string): string[] {
  const seconds = durationMs(value) / 1000
  return [`PT${seconds * 10}S`, `PT${Math.floor(seconds / 4)}S`]
}

function othersOfLeaf(node: Json, value: unknown, at: string): unknown[] {
  if (Array.isArray(node.enum)) return node.enum.filter((other) => other !== value)
  if (node.const !== undefined || value === 'caller') return []
  if (Array.isArray(node.anyOf)) return siblings(String(value), rootsOf(at))
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value * 2]
  if (value === null) return ['x']
  if (typeof value === 'string') return othersOfName(value, at)
  return [[1]]
}

/** Another name of the same kind. */
function othersOfName(value: string, at: string): string[] {
  const steps = stepsOf(at)
  const [section, name = ''] = steps
  const last = steps.at(-1) ?? ''
  if (last === 'refusal') return [otherName(Object.keys(behaviour.refusals), value)]
  if (section === 'lists') return [otherName(operations.get(name)?.query ?? [], value)]

  for (const names of [
    Object.keys(behaviour.resources),
    Object.keys(behaviour.events),
    Object.keys(openapi.components.schemas),
    Object.keys(fieldsOf(valueAt(behaviour, `/${section}/${name}/states`))),
    ['all', 'transfer', 'qrcode', 'user'],
    ['active', 'inactive'],
    ['settled', 'rejected'],
    ['service', 'createTransfer#/emv'],
  ])
    if (names.includes(value)) return [otherName(names, value)]
  return [`${value}x`]
}

function otherName(names: readonly string[], value: string): string {
  const index = names.indexOf(value)
  return names[(index + 1) % names.length] ?? ''
}

/** The schemas that the pointers of an entry lead into. */
function rootsOf(at: string): unknown[] {
  const [section = '', name = ''] = stepsOf(at)
  const entry = fieldsOf(valueAt(behaviour, pointerOf(pointerOf('', section), name)))
  const responseOf = (id: unknown) => operations.get(String(id))?.response
  const isPlaceOfRequest = at.includes('/boundTo/')
  if (isPlaceOfRequest) return [operations.get('createTransfer')?.request]
  if (section === 'invariants')
    return (entry.of as string[]).map((id) => fieldsOf(openapi.components.schemas)[id])
  if (section === 'copies') return [responseOf(entry.to)]
  if (section === 'lifetimes') return [responseOf('signIn')]
  if (section === 'lists') {
    const list = propertiesOf(responseOf(name))[String(entry.items).slice(1)]
    return [fieldsOf(list).items, responseOf(name)]
  }
  if (section === 'deliveries') return [operations.get('createWebhook')?.request]
  const { create, read } = fieldsOf(entry.operations)
  const record = responseOf(create ?? read)
  const { data, user } = propertiesOf(record)
  return [data ?? user ?? record]
}

/** Other fields of the same object with a value of the same type, at most one. */
function siblings(pointer: string, roots: readonly unknown[]): string[] {
  const steps = pointer.split('/').slice(1)
  const last = steps.at(-1) ?? ''
  for (const root of roots) {
    const properties = propertiesOf(insideOf(root, steps.slice(0, -1)))
    if (!(last in properties)) continue
    const type = typeOf(properties[last])
    const names = Object.keys(properties)
    const from = names.indexOf(last)
    const others = [...names.slice(from + 1), ...names.slice(0, from)]
    const sibling = others.find((name) => typeOf(properties[name]) === type)
    if (sibling) return [['', ...steps.slice(0, -1), sibling].join('/')]
  }
  return []
}

function insideOf(root: unknown, steps: readonly string[]): unknown {
  let inside = root
  for (const step of steps) inside = propertiesOf(inside)[step]
  return inside
}

function propertiesOf(node: unknown): Json {
  const { properties, allOf, oneOf, anyOf } = fieldsOf(resolvedNode(node))
  const branches = [allOf, oneOf, anyOf].filter(Array.isArray).flat()
  return Object.assign({}, ...branches.map(propertiesOf), fieldsOf(properties))
}

function typeOf(node: unknown): string {
  const { type, allOf } = fieldsOf(resolvedNode(node))
  if (type !== undefined) return String(type)
  return Array.isArray(allOf) ? typeOf(allOf[0]) : 'unknown'
}

function nameOf(at: string): string {
  return at.slice(at.lastIndexOf('/') + 1)
}
